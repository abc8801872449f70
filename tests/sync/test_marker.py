"""The hidden line: it survives people's edits, and foreign text is never read as ours."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nightshift.sync.marker import (
    STATUS_END,
    STATUS_START,
    Marker,
    for_comment,
    head,
    read,
    with_head,
    write,
)

MARK = Marker("main", "dev", "a" * 40, "b" * 40, "c" * 40)
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=12)


@example("a-->b", "<!-- c", ("--> <b>",))
@given(NAMES, NAMES, st.none() | st.lists(NAMES, max_size=3).map(tuple))
def test_what_is_written_is_read_whatever_the_names(
    source: str, target: str, labels: tuple[str, ...] | None
) -> None:
    mark = Marker(source, target, "a" * 40, "b" * 40, "c" * 40, labels)
    line = write(mark)
    assert read(f"Some words.\n{line}\nmore --> <!-- words") == mark
    assert line.count("-->") == 1 and line.count("<!--") == 1 and "\n" not in line


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<!-- nightshift:sync -->",
        "<!-- nightshift:sync {} -->",
        "<!-- nightshift:sync [] -->",
        "<!-- nightshift:sync {'a': 1} -->",
        write(MARK).replace("-->", ""),
        write(MARK).replace("a" * 40, "--upload-pack=x"),
        write(MARK).replace("null", "3"),
        "<!-- nightshift:sync " + "[" * 100_000 + " -->",
    ],
)
def test_anything_else_is_no_marker(body: str) -> None:
    assert read(body) is None


def test_the_first_line_counts_not_one_further_down() -> None:
    other = Marker("main", "dev", "d" * 40, "e" * 40, "f" * 40)
    assert read(f"{head(MARK)}\n\n```diff\n{write(other)}\n```") == MARK


def test_the_head_is_replaced_and_the_rest_stays() -> None:
    body = f"Hello.\n{head(MARK, 'old')}\n\nFacts.\n"
    again = with_head(body, MARK, "new")
    assert again == f"Hello.\n{head(MARK, 'new')}\n\nFacts.\n"
    assert with_head(again, MARK, "new") == again
    assert with_head(again.replace("\n", "\r\n"), MARK, "new") == again
    assert "new" not in with_head(again, MARK, "")


def test_a_body_whose_head_was_damaged_gets_one() -> None:
    assert with_head("Mine.", MARK, "") == f"{head(MARK)}\n\nMine."
    body = f"{write(MARK)}\nFacts.\n{STATUS_START}\n"
    assert with_head(body, MARK, "s") == f"{head(MARK, 's')}\nFacts.\n{STATUS_START}\n"
    assert STATUS_END in head(MARK)


def test_a_comments_line_names_kind_and_commit() -> None:
    assert for_comment("ready", "abc") == "<!-- nightshift:ready abc -->"
