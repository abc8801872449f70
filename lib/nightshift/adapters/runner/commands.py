"""What the runner would read as a command in a line of log, and how foreign text is kept from it.

Pure text; printing is done by `actions` and `terminal`.
"""

from __future__ import annotations

# The runner reads `::name …::` at the start of a line, behind any white space, and the older
# `##[name]` anywhere in it. Both are looked for anywhere: needless stopping does no harm.
MARKS = ("::", "##[")

_CONTROLS = dict.fromkeys(
    [*range(9), 11, 12, *range(14, 32), *range(127, 160), 0x2028, 0x2029],
    "\N{REPLACEMENT CHARACTER}",
)


def lines(text: str) -> list[str]:
    """The lines that a log shows: controls and lone surrogates are replaced, CR ends a line."""
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return whole.replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROLS).split("\n")


def may_command(line: str) -> bool:
    """Whether the runner could take a line for a workflow command."""
    return any(mark in line for mark in MARKS)


def shorten(text: str, units: int, notice: str) -> str:
    """A text of at most so many UTF-16 code units; where it is cut, it ends with the notice."""
    if utf16_units(text) <= units:
        return text
    room = max(units - utf16_units(notice), 0)
    kept = text.encode("utf-16-le", "replace")[: 2 * room].decode("utf-16-le", "ignore")
    return kept + notice if room else ""


def utf16_units(text: str) -> int:
    """The length of a text as the platform counts outputs."""
    return len(text.encode("utf-16-le", "replace")) // 2
