"""An installed package has another version than the code wants. Reported: the target's lock
stays."""

from __future__ import annotations

import re2

from nightshift.sync.fixes.cause import Cause, Failure

NAME = "dependency"

_WORDS = "|".join(
    (
        "ResolutionImpossible",
        "No solution found when resolving",
        "(?:Contextual)?VersionConflict",
        "DistributionNotFound",
        "No matching distribution found for .{0,200}",
        "requires a different Python",
        "The lockfile at .{0,200} needs to be updated",
        "lock file is (?:out of date|not up to date)",
        "undefined symbol: .{0,200}",
        "but you have .{1,200} which is incompatible",
    )
)
_PATTERN = re2.compile(f"({_WORDS})")


def find(line: str) -> Failure | None:
    """A resolver's or loader's complaint."""
    match = _PATTERN.search(line)
    return Failure(NAME, symbol=match.group(1)) if match else None


CAUSE = Cause("a dependency has another version than the code wants", _WORDS, find)
