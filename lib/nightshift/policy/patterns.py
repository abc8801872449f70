"""Patterns that a policy may hold: google-re2 alone, so that no text can make one backtrack.

Knows nothing of what a pattern is for. A pattern that re2 cannot compile is refused at load.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

import re2
from pydantic import AfterValidator, Field

BAD = "is no pattern of google-re2 ({why}); look-around and back-references do not exist there"


@lru_cache(maxsize=8192)
def compiled(pattern: str) -> Any:
    """A case-insensitive pattern over UTF-8 bytes; `(?-i:…)` inside it makes a part case-sensitive.

    :raises ValueError: re2 refuses it.
    """
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = False
    options.max_mem = 16 << 20
    try:
        return re2.compile(pattern.encode(), options)
    except re2.error as error:
        why = error.args[0] if error.args else ""
        text = why.decode("utf-8", "replace") if isinstance(why, bytes) else str(why)
        raise ValueError(BAD.format(why=text)) from error


def _checked(pattern: str) -> str:
    if compiled(pattern).search(b"") is not None:
        raise ValueError("matches the empty text, so it would match everywhere")
    return pattern


Pattern = Annotated[str, Field(min_length=1, max_length=4000), AfterValidator(_checked)]
"""A google-re2 pattern, case-insensitive, that does not match the empty text."""
