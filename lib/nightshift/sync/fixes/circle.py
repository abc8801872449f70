"""Imports run in a circle. Reported: the order that is right is not in the log."""

from __future__ import annotations

import re2

from nightshift.sync.fixes.cause import Cause, Failure

NAME = "import-circle"

_PATTERN = re2.compile(
    r"cannot import name '([^']+)' from partially initialized module '([^']+)'|"
    r"partially initialized module '([^']+)' has no attribute '([^']+)'"
)


def find(line: str) -> Failure | None:
    """Python's words on a module that is imported while it is being imported."""
    match = _PATTERN.search(line)
    if match is None:
        return None
    name, module, other_module, attribute = match.groups()
    return Failure(NAME, symbol=name or attribute or "", module=module or other_module or "")


CAUSE = Cause("imports run in a circle", "partially initialized module", find, strong=True)
