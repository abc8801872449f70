"""Markdown for reports, in which foreign text is inert: no mention, link, image or HTML in it.

Text to text only. Knows no wording but the line that says that something was cut.

The rules are those of GitHub Flavored Markdown and of what GitHub does to the rendered text
afterwards (mentions, issue references). A backslash stops the first kind only; what the second kind
looks for is taken apart by a zero-width space, written as a character reference.
"""

from __future__ import annotations

import html
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

import re2

if TYPE_CHECKING:
    from markdown_it.token import Token

CUT_NOTICE = "*The rest was cut: it is over the platform's size.*"

_GAP = "&#8203;"
_SPECIAL = str.maketrans(
    {
        **{char: f"\\{char}" for char in "\\`*_[]|~$!"},
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        "@": f"@{_GAP}",
        "#": f"#{_GAP}",
    }
)
_MENTIONS = str.maketrans({"@": f"@{_GAP}", "#": f"#{_GAP}"})
_CONTROLS = dict.fromkeys(
    [*range(9), *range(14, 32), 127, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
)
_WWW = re2.compile(r"(?i)(www)\.")
_GH = re2.compile(r"(?i)(gh)-([0-9])")
_NUMBERED = re2.compile(r"^([0-9]+)([.)])")
_BACKTICKS = re2.compile(r"`+")
_INFO = re2.compile(r"[^A-Za-z0-9_+.-]")


def escape(text: str) -> str:
    """Foreign text as inert inline Markdown, also at the start of a line or in a table's cell.

    It becomes one line: white space is collapsed, control characters are dropped.
    """
    inert = _apart(one_line(text).translate(_SPECIAL))
    if inert.startswith(("-", "+", "=", ":")):
        return f"\\{inert}"
    return str(_NUMBERED.sub(r"\1\\\2", inert))


def code(text: str) -> str:
    """Foreign text as inline code on one line. Anything but a backtick may stand beside it."""
    line = one_line(text) or " "
    ticks = "`" * (_longest_run(line) + 1)
    pad = " " if line[0] == "`" or line[-1] == "`" else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def fence(text: str, info: str = "") -> str:
    """Foreign text as a fenced block, to stand in lines of its own at the margin."""
    body = "\n".join(_clean(line) for line in _lines(text))
    ticks = "`" * max(3, _longest_run(body) + 1)
    return f"{ticks}{_INFO.sub('', info)}\n{body}\n{ticks}"


def details(summary: str, body: str) -> str:
    """A section that opens on a click.

    :param summary: foreign text, made inert here.
    :param body: Markdown whose own blocks are closed.
    """
    title = _apart(html.escape(one_line(summary), quote=False).translate(_MENTIONS))
    return f"<details><summary>{title}</summary>\n\n{body.strip(chr(10))}\n\n</details>"


def table(rows: Sequence[Sequence[str]]) -> str:
    """A table of inline Markdown cells; the first row is the heading, short rows are filled."""
    width = max((len(row) for row in rows), default=0)
    if not width:
        return ""
    lines = [_row([*row, *[""] * (width - len(row))]) for row in rows]
    lines.insert(1, "|" + " --- |" * width)
    return "\n".join(lines)


def one_line(text: str) -> str:
    """Text without line breaks, controls or lone surrogates, its white space collapsed."""
    return " ".join(_clean(text).split())


def cut(markdown: str, max_bytes: int, notice: str = CUT_NOTICE) -> str:
    """Markdown of at most so many bytes of UTF-8, cut at a block's end, with a line that says so.

    Every `<details>` that is open there is closed. A fenced block that alone is too large keeps its
    first lines and is closed. What fits is given back unchanged.
    """
    if _size(markdown) <= max_bytes:
        return markdown
    lines = _lines(markdown)
    sizes = [0, *accumulate(_size(line) + 1 for line in lines)]
    reached = bisect_right(sizes, max_bytes)  # the lines after the first that does not fit are idle
    fitting = [
        place
        for place in _places("\n".join(lines[:reached]))
        if sizes[place.end] + _size(_tail(place, notice)) <= max_bytes
    ]
    if not fitting:
        return ""
    place = _best(fitting, sizes)
    kept = "\n".join(lines[: place.end]).rstrip("\n")
    return f"{kept}{_tail(place, notice)}".lstrip("\n")


@dataclass(frozen=True, slots=True)
class _Place:
    """A line before which Markdown may be cut.

    :param depth: how many `<details>` are open there.
    :param fence: the fence that is open there, "" at a block's end.
    """

    end: int
    depth: int = 0
    fence: str = ""


def _places(text: str) -> list[_Place]:
    """All places at which a text may be cut, in order."""
    places, depth = [_Place(0)], 0
    starts: list[int] = []
    for token in _blocks(text):
        first, last = token.map or (0, 0)
        if token.nesting == 1:
            starts.append(last)
            continue
        end = starts.pop() if token.nesting == -1 else last
        if token.type == "html_block":
            depth += _opened(token.content)
        if token.type == "fence" and token.level == 0:
            places.extend(_Place(line, depth, token.markup) for line in range(first + 2, last))
        if token.level == 0 or (token.level == 1 and token.type == "list_item_close"):
            places.append(_Place(end, depth))
    return places


def _best(places: Sequence[_Place], sizes: Sequence[int]) -> _Place:
    """The last block's end; a place in a fence only where that keeps more than twice as much."""
    ends = [place for place in places if not place.fence] or places
    return ends[-1] if sizes[ends[-1].end] * 2 >= sizes[places[-1].end] else places[-1]


def _opened(html_block: str) -> int:
    content = html_block.lower()
    return content.count("<details") - content.count("</details")


def _tail(place: _Place, notice: str) -> str:
    end_of_fence = f"\n{place.fence}" if place.fence else ""
    ends_of_details = "\n\n</details>" * max(place.depth, 0)
    return f"{end_of_fence}{ends_of_details}\n\n{notice}\n"


def _blocks(text: str) -> list[Token]:
    """The block structure only, without inline content. The import is late because it costs."""
    from markdown_it import MarkdownIt  # pylint: disable=import-outside-toplevel

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser.parse(text)


def _row(cells: Sequence[str]) -> str:
    return "|" + "".join(f" {_cell(cell)} |" for cell in cells)


def _cell(cell: str) -> str:
    """A cell in which no pipe ends it: a pipe needs an odd number of backslashes before it."""
    parts = " ".join(cell.splitlines()).split("|")
    escaped = [
        part if (len(part) - len(part.rstrip("\\"))) % 2 else f"{part}\\" for part in parts[:-1]
    ]
    return "|".join([*escaped, parts[-1]])


def _apart(text: str) -> str:
    """Keep addresses and `GH-1` from being linked where they stand."""
    text = text.replace("://", f":{_GAP}//")
    return str(_GH.sub(rf"\1-{_GAP}\2", _WWW.sub(rf"\1{_GAP}.", text)))


def _clean(text: str) -> str:
    """Text without lone surrogates, and without controls of the terminal and of text direction."""
    return text.encode("utf-8", "replace").decode("utf-8").translate(_CONTROLS)


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _longest_run(text: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
