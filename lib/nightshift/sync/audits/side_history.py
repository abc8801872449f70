"""The history that the audit asks for, from the sides of a merge. Remembers what it was told."""

from __future__ import annotations

from collections.abc import Sequence

from nightshift.merge.cascade import Past
from nightshift.policy.model import Side
from nightshift.sync.history import PathHistory
from nightshift.sync.sides import Sides


class SideHistory:
    """Implements `values.History`."""

    def __init__(self, sides: Sides) -> None:
        self._sides = sides
        self._paths: dict[str, PathHistory] = {}

    def past(self, side: Side, path: str) -> Sequence[Past]:
        """The versions of a path on a side since the merge base, newest first."""
        known = self._paths.setdefault(path, PathHistory(self._sides, (path,)))
        return known.target() if side is Side.TARGET else known.source()

    def deletion(self, side: Side, path: str) -> str:
        """The commit with which a side deleted a path; "" where it did not."""
        return next(iter(self._sides.deletion(side, [path])), "")
