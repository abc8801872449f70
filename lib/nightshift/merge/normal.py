"""Normal forms: what a text is up to layout. Two texts with equal normal forms differ in
formatting only."""

from __future__ import annotations

import re
from collections.abc import Iterable

_CLOSED_COMMA = re.compile(r",([)\]}])")
_SUBSTANCE = 8
"""A text with fewer letters and digits than this says nothing about where it came from."""


def normal(lines: Iterable[str]) -> str:
    """A text without white space, trailing commas and the choice of quotes (what formatters
    change)."""
    text = "".join("".join(lines).split()).replace("'", '"')
    return _CLOSED_COMMA.sub(r"\1", text)


def gist(lines: Iterable[str]) -> str:
    """A normal form without what formatters put around an expression too: good for recognising a
    text, not for saying that two mean the same."""
    return normal(lines).replace("(", "").replace(")", "").replace("\\", "")


def same_layout(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether two texts with equal normal forms also have their statements at equal depths.

    Where a line stands may say whether it runs; how a bracket's lines are set in does not.
    """
    return _depths("".join(one)) == _depths("".join(other))


def _depths(text: str) -> list[int]:
    """How far each line that no bracket holds is set in, compared with the least of them.

    A text that begins inside brackets closes more than it opens: its outermost level is what
    counts.
    """
    found: list[tuple[int, int]] = []
    level = 0
    for line in text.split("\n"):
        code = _STRING.sub("", line)
        if code.strip():
            found.append((level, len(line) - len(line.lstrip())))
        level += sum(map(code.count, "([{")) - sum(map(code.count, ")]}"))
    outermost = min((least for least, _ in found), default=0)
    margins = [margin for inside, margin in found if inside == outermost]
    return [margin - min(margins) for margin in margins]


_STRING = re.compile(r"\"[^\"\\\n]*\"|'[^'\\\n]*'|#.*")


def substantial(text: str) -> bool:
    """Whether a text is long enough to be recognised elsewhere."""
    return sum(map(str.isalnum, text)) >= _SUBSTANCE
