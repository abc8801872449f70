"""A test fails for a reason that no rule knows: named for a person, and compared with the target's
CI."""

from __future__ import annotations

import re2

from nightshift.sync.fixes.cause import Cause, Failure

NAME = "test"
MAX_NODE = 500

_PATTERN = re2.compile(r"(?:^|\s)(?:FAILED|ERROR) (\S+?\.py)(::.*|(?: - .*)?)$")


def find(line: str) -> Failure | None:
    """A line of pytest's short summary: `FAILED path::test - why`, `ERROR path - why`."""
    match = _PATTERN.search(line)
    if match is None:
        return None
    path, rest = match.groups()
    node = path + (rest or "").partition(" - ")[0].rstrip()[:MAX_NODE]
    return Failure(NAME, path=path, symbol=node)


CAUSE = Cause("a test fails", "FAILED|ERROR", find, strong=True)
