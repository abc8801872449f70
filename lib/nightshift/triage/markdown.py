"""Markdown to blocks. markdown-it-py reads it; this module only guards it and flattens what it
says.

Nothing here knows what a block is about. Inline markup stays as it is written: nobody needs it
parsed, and nested delimiters are where a Markdown parser can be made to work hard.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from markdown_it import MarkdownIt
from markdown_it.token import Token

# A parser's cost goes by lines and blocks, not by characters. 65,536 characters of ordinary log
# are some 1,000 lines: of a text with more lines than any real issue the first are Markdown, as
# many again are plain lines, and what then follows is one raw block.
MAX_LINES = 1500
REOPENINGS = 3


class BlockKind(StrEnum):
    """The blocks that matter."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    CODE = "code"
    HTML = "html"
    PLAIN = "plain"
    RAW = "raw"


@dataclass(frozen=True, slots=True)
class Block:
    """A leaf block.

    :param quoted: it stands inside a block quote.
    :param ordered: it stands inside a numbered list.
    :param open: a code fence that nothing closes.
    """

    kind: BlockKind
    text: str
    info: str = ""
    quoted: bool = False
    ordered: bool = False
    open: bool = False


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark")
    parser.disable(["inline", "reference", "text_join"], True)
    return parser


_PARSER = _parser()


def blocks(text: str) -> list[Block]:
    """The leaf blocks of a Markdown text, in order. Never raises; linear in the text."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found = _reopened("\n".join(lines[:MAX_LINES]))
    for kind, rest in (
        (BlockKind.PLAIN, lines[MAX_LINES : 2 * MAX_LINES]),
        (BlockKind.RAW, lines[2 * MAX_LINES :]),
    ):
        if rest:
            found.append(Block(kind, "\n".join(rest)))
    return found


def _reopened(text: str) -> list[Block]:
    """The blocks of a text; a fence that is never closed ends at the next heading of the form."""
    found: list[Block] = []
    for _ in range(REOPENINGS):
        new = list(_leaves(text))
        last = new[-1] if new else None
        if last is None or not last.open or "\n### " not in last.text:
            return found + new
        code, _, text = last.text.partition("\n### ")
        text = f"### {text}"
        found += [*new[:-1], Block(BlockKind.CODE, code, last.info, last.quoted)]
    return [*found, Block(BlockKind.PLAIN, text)]


def _leaves(text: str) -> Iterator[Block]:
    lines = text.split("\n")
    quotes, ordered, heading = 0, 0, False
    for token in _PARSER.parse(text):
        quotes += token.nesting if token.type.startswith("blockquote") else 0
        ordered += token.nesting if token.type.startswith("ordered_list") else 0
        if token.type == "heading_open":
            heading = True
        elif token.type == "inline":
            kind = BlockKind.HEADING if heading else BlockKind.PARAGRAPH
            heading = False
            yield Block(kind, token.content, quoted=quotes > 0, ordered=ordered > 0)
        elif token.type == "fence":
            info = token.info.split()[0].lower() if token.info.split() else ""
            yield Block(
                BlockKind.CODE, token.content, info, quotes > 0, ordered > 0, _is_open(token, lines)
            )
        elif token.type == "code_block":
            yield Block(BlockKind.CODE, token.content, quoted=quotes > 0, ordered=ordered > 0)
        elif token.type == "html_block":
            yield Block(BlockKind.HTML, token.content, quoted=quotes > 0)


def _is_open(token: Token, lines: list[str]) -> bool:
    start, end = token.map or (0, 0)
    closing = lines[end - 1].strip() if end - 1 > start else ""
    return not closing.lstrip("> ").startswith(token.markup)
