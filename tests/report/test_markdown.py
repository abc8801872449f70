"""Foreign text in reports is inert, whatever it is; what is cut stays well-formed Markdown."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from nightshift.report import markdown

GFM = MarkdownIt("commonmark").enable(["table", "strikethrough"])
PIECES = [
    *"`*_[]()<>|~$!#@:&\\-+=.1\n\r\t ax",
    "@user", "#12", "GH-3", "o/r#4", "https://e.org/x", "www.e.org", "a@e.org", "<b>", "</b>",
    "<!-- x -->", "<script>", "![i](u)", "[t](u)", "<https://e.org>", "&lt;", "&#64;", "\n\n",
    "\n---\n", "\n# h\n",
    "\n```\n", "```", "~~~", "    code", "</details>", "<details>", "| --- |",
    "\\|", "\\\\|",
    "\u202e", "\x00", "\x1b[31m", "\ud800", "é", "漢", "👩‍👩‍👧", "\u2028", "\v", "[^1]",
    "[x]: /u", "- [ ] ",
]  # fmt: skip
hostile = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=40)

INLINE_TEXT = {"text", "text_special", "softbreak"}
LINKED_BY_GITHUB = re.compile(r"(?i)@[a-z0-9_]|#[0-9a-z]|gh-[0-9]|://|www\.")


def inline(source: str) -> list[Token]:
    return [child for token in GFM.parse(source) for child in token.children or []]


def plain(text: str) -> str:
    return text.replace("\u200b", "").strip()


@given(hostile)
def test_escaped_text_is_one_paragraph_of_text(text: str) -> None:
    source = markdown.escape(text)
    kinds = {token.type for token in GFM.parse(source)}
    assert kinds <= {"paragraph_open", "inline", "paragraph_close"}
    assert {token.type for token in inline(source)} <= INLINE_TEXT


@given(hostile)
def test_escaped_text_reads_as_it_was_and_links_nothing(text: str) -> None:
    shown = "".join(token.content for token in inline(markdown.escape(text)))
    assert plain(shown) == plain(markdown.one_line(text))
    assert not LINKED_BY_GITHUB.search(shown)


@given(hostile, hostile)
def test_escaped_text_stays_inert_between_other_text(one: str, other: str) -> None:
    source = f"**{markdown.code(one)}**: {markdown.escape(other)} *end*"
    kinds = [token.type for token in inline(source) if token.type not in INLINE_TEXT]
    assert kinds == [
        "strong_open", "code_inline", "strong_close", "em_open", "em_close"
    ]  # fmt: skip


@given(hostile)
def test_code_cannot_be_broken_out_of(text: str) -> None:
    tokens = inline(f"a {markdown.code(text)} b")
    assert [token.type for token in tokens] == ["text", "code_inline", "text"]
    assert tokens[1].content.strip() == markdown.one_line(text)


@given(hostile)
def test_a_fence_holds_the_whole_text(text: str) -> None:
    block = markdown.fence(text, "py`\n<b>")
    tokens = GFM.parse(f"before\n\n{block}\n\nafter")
    kinds = [token.type for token in tokens]
    assert kinds == [*["paragraph_open", "inline", "paragraph_close"], "fence"] + kinds[:3]
    assert tokens[3].info == "pyb"


@given(hostile, hostile)
def test_details_open_and_close_once(summary: str, body: str) -> None:
    source = markdown.details(summary, markdown.escape(body))
    raw = [token.content for token in GFM.parse(source) if token.type == "html_block"]
    assert raw[0].startswith("<details><summary>") and raw[0].endswith("</summary>\n")
    title = raw[0].removeprefix("<details><summary>").removesuffix("</summary>\n")
    assert not re.search("[<>]", title) and not LINKED_BY_GITHUB.search(html.unescape(title))
    assert raw[1:] == ["</details>"]


@given(st.lists(st.lists(hostile, min_size=2, max_size=2), min_size=1, max_size=4))
def test_a_table_keeps_its_shape(rows: list[list[str]]) -> None:
    cells = [[markdown.escape(one), markdown.code(other)] for one, other in rows]
    tokens = GFM.parse(markdown.table(cells))
    assert sum(token.type in {"td_open", "th_open"} for token in tokens) == 2 * len(rows)
    kinds = {child.type for token in tokens for child in token.children or []}
    assert kinds <= INLINE_TEXT | {"code_inline"}


@given(st.text("\\|a", max_size=12))
def test_a_pipe_in_a_cell_has_an_odd_number_of_backslashes(cell: str) -> None:
    # GitHub's table scanner takes two backslashes for one: after an even number a pipe ends it.
    row = markdown.table([[cell]]).partition("\n")[0].removeprefix("| ").removesuffix(" |")
    assert all(len(run) % 2 for run in re.findall(r"(\\*)\|", row))
    assert row.replace("\\", "") == cell.replace("\\", "")


def test_short_rows_are_filled() -> None:
    assert markdown.table([["a", "b"], ["c"]]) == "| a | b |\n| --- | --- |\n| c |  |"
    assert markdown.table([]) == ""


blocks = st.one_of(
    hostile.map(markdown.escape),
    hostile.map(markdown.fence),
    st.lists(hostile.map(markdown.code), min_size=1).map(lambda i: "\n".join(f"- {x}" for x in i)),
    st.lists(st.lists(hostile.map(markdown.escape), min_size=2, max_size=2), min_size=2).map(
        markdown.table
    ),
)
documents = st.recursive(
    st.lists(blocks, max_size=5).map("\n\n".join),
    lambda inner: st.lists(st.builds(markdown.details, hostile, inner), max_size=3).map(
        "\n\n".join
    ),
    max_leaves=6,
)


def shape(source: str) -> tuple[int, int, set[str]]:
    tokens = GFM.parse(source)
    raw = "".join(token.content for token in tokens if token.type == "html_block")
    kinds = {child.type for token in tokens for child in token.children or []}
    return raw.count("<details>"), raw.count("</details>"), kinds


@given(documents, st.integers(0, 400))
def test_what_is_cut_is_small_and_closed(source: str, size: int) -> None:
    kept = markdown.cut(source, size)
    assert len(kept.encode()) <= size
    opened, closed, kinds = shape(kept)
    assert opened == closed
    assert kinds <= INLINE_TEXT | {"code_inline", "em_open", "em_close"}
    if len(source.encode()) <= size:
        assert kept == source
    elif kept:
        assert kept.endswith(f"{markdown.CUT_NOTICE}\n")
        assert GFM.parse(kept)[-2].content == markdown.CUT_NOTICE


def test_a_large_fence_keeps_its_first_lines() -> None:
    source = markdown.details("log", markdown.fence("line\n" * 1000, "text"))
    kept = markdown.cut(source, 500)
    assert kept.count("line\n") > 50
    assert kept.endswith(f"line\n```\n\n</details>\n\n{markdown.CUT_NOTICE}\n")


def test_the_cut_is_at_a_block_where_that_loses_little() -> None:
    source = "\n\n".join(["word " * 20] * 10 + [markdown.fence("line\n" * 1000)])
    kept = markdown.cut(source, 1200)
    assert "```" not in kept
    assert kept.count("word") == 200


@pytest.mark.parametrize("size", [0, 10, 60])
def test_where_not_even_a_block_fits_only_the_notice_is_left(size: int) -> None:
    kept = markdown.cut(markdown.code("<b>" * 100), size)
    assert kept in ("", f"{markdown.CUT_NOTICE}\n")
    assert len(kept) <= size


def test_a_list_is_cut_between_its_items() -> None:
    kept = markdown.cut("\n".join(f"- item {number}" for number in range(100)), 200)
    items = [line for line in kept.split("\n") if line.startswith("- ")]
    assert items == [f"- item {number}" for number in range(len(items))]
    assert len(items) > 10
