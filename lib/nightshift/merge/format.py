"""Sections in the formatter's style, for merging what one side only reformatted. Calls the given
function."""

from __future__ import annotations

from nightshift.merge.lines import Lines, split
from nightshift.ports import Formatter

INDENT = "    "
"""The only step of indentation that formatters of Python write."""


def formatted(path: str, lines: Lines, formatter: Formatter) -> Lines:
    """Lines in style, at their own depth; as many blank lines stand around them as before.

    As they are where they are no statements by themselves, or not set in as a formatter does.
    """
    end = next((n for n in range(len(lines), 0, -1) if lines[n - 1].strip()), 0)
    text = "".join(lines[:end])
    body = text.lstrip("\n")
    lead = text[: len(text) - len(body)]
    depth, odd = divmod(len(body) - len(body.lstrip(" ")), len(INDENT))
    if odd:
        return lines
    shell = _shell(depth)
    done = formatter(path, shell + body)
    if not done.startswith(shell):
        return lines
    done = done.removeprefix(shell)
    done = done.lstrip("\n") if shell else done
    return split(lead + done) + ("\n",) * (len(lines) - end)


def _shell(depth: int) -> str:
    """What statements at a depth stand in: a class, and conditions inside it."""
    heads = ["class _:", *["if _:"] * (depth - 1)] if depth else []
    return "".join(f"{INDENT * level}{head}\n" for level, head in enumerate(heads))
