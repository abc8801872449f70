"""Sections in the formatter's style, for merging what one side only reformatted. Calls the given
function."""

from __future__ import annotations

from nightshift.merge.lines import Lines, split
from nightshift.ports import Formatter

_SHELL = "class _:\n"


def formatted(path: str, lines: Lines, formatter: Formatter) -> Lines:
    """A section in style, at its own depth; the blank lines and comments above it stay as they
    are."""
    text = "".join(lines)
    body = text.lstrip("\n")
    lead = text[: len(text) - len(body)]
    indented = bool(body[:1].isspace())
    done = formatter(path, _SHELL + body if indented else body)
    if indented:
        if not done.startswith(_SHELL):
            return lines
        done = done.removeprefix(_SHELL).lstrip("\n")
    return split(lead + done)
