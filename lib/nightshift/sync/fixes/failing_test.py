"""A test fails for a reason that no rule knows: named for a person, and compared with the target's
CI."""

from __future__ import annotations

from nightshift.sync.fixes.cause import Cause, Failure

NAME = "test"
MAX_NODE = 500


def find(line: str) -> Failure | None:
    """A line of pytest's short summary: `FAILED path::test - why`, `ERROR path - why`."""
    word, _, rest = line.partition(" ")
    if word not in ("FAILED", "ERROR"):
        return None
    node = rest.partition(" - ")[0].strip()[:MAX_NODE]
    path = node.partition("::")[0]
    return Failure(NAME, path=path, symbol=node) if path.endswith(".py") else None


CAUSE = Cause("a test fails", "FAILED|ERROR", find, strong=True)
