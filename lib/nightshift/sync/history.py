"""Which side is further on, by history: the versions that a file had on either side (sync.md,
phase 1 point 3). For whole files here; sections of text are the merge engine's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from nightshift.merge.cascade import Past
from nightshift.policy.model import Side
from nightshift.sync.sides import Sides, other
from nightshift.values import Entry, Version


class PathHistory:
    """The versions of one file on both sides, read when they are asked for. Implements
    `merge.cascade.History`.

    :param paths: the file's name, then older ones.
    """

    def __init__(self, sides: Sides, paths: Sequence[str]) -> None:
        self._sides, self._paths = sides, tuple(paths)

    def target(self) -> Sequence[Past]:
        """The target's versions, newest first."""
        return self._target

    def source(self) -> Sequence[Past]:
        """The source's versions, newest first."""
        return self._source

    @cached_property
    def _target(self) -> Sequence[Past]:
        return self._read(self._sides.versions(Side.TARGET, self._paths))

    @cached_property
    def _source(self) -> Sequence[Past]:
        return self._read(self._sides.versions(Side.SOURCE, self._paths))

    def _read(self, versions: Sequence[Version]) -> Sequence[Past]:
        blobs = self._sides.git.blobs([version.oid for version in versions])
        return tuple(Past(version.commit, blobs[version.oid]) for version in versions)


def further_on(
    sides: Sides, paths: Sequence[str], target: Entry, source: Entry
) -> tuple[Side, tuple[str, ...]] | None:
    """The side that once had what the other has now and went on from it, with the commit that
    shows it.

    :returns: None where neither did, or both.
    """
    seen = {
        side: _commit_of(sides.versions(side, paths), entry)
        for side, entry in ((Side.TARGET, source), (Side.SOURCE, target))
    }
    ahead = [side for side, commit in seen.items() if commit and not seen[other(side)]]
    return (ahead[0], (seen[ahead[0]],)) if ahead else None


def _commit_of(versions: Sequence[Version], entry: Entry) -> str:
    return next((version.commit for version in versions if version.oid == entry.oid), "")
