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


def substantial(text: str) -> bool:
    """Whether a text is long enough to be recognised elsewhere."""
    return sum(map(str.isalnum, text)) >= _SUBSTANCE
