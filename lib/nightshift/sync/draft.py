"""The merged tree while it is made: what git merged, with decided paths laid over it.

Holds changes in memory and writes one tree at the end. Decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from nightshift.merge.resolution import Resolution
from nightshift.ports import Git
from nightshift.sync.findings import Finding
from nightshift.sync.sides import SUBMODULE
from nightshift.values import Entry

Change = tuple[str, bytes] | Entry | None
"""A path's new content: (mode, bytes), an entry that exists already, or None to remove it."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of one path, and why."""

    path: str
    change: Change
    resolutions: tuple[Resolution, ...] = ()
    findings: tuple[Finding, ...] = ()


class Draft:
    """A tree in the making. Implements `ports.TreeView`, of the tree as it stands."""

    def __init__(self, git: Git, tree: str, entries: Mapping[str, Entry]) -> None:
        self._git, self._tree, self._below = git, tree, entries
        self._changes: dict[str, Change] = {}
        self._entries = dict(entries)

    def put(self, path: str, change: Change) -> None:
        """Replace, add or remove a path."""
        if isinstance(change, Entry) and self._below.get(path) == change:
            self._changes.pop(path, None)
        else:
            self._changes[path] = change
        if change is None:
            self._entries.pop(path, None)
        else:
            self._entries[path] = change if isinstance(change, Entry) else Entry(change[0], "")

    def apply(self, decisions: Iterable[Decision]) -> None:
        """Lay decisions over the tree."""
        for decision in decisions:
            self.put(decision.path, decision.change)

    def entries(self) -> Mapping[str, Entry]:
        """The entries; text that is not written yet has no object id."""
        return MappingProxyType(self._entries)

    def read(self, path: str) -> bytes | None:
        """A file's bytes; None where there is no such file."""
        return self.read_all([path]).get(path)

    def read_all(self, paths: Iterable[str]) -> dict[str, bytes]:
        """Many files' bytes in one batch; those that do not exist are left out."""
        found: dict[str, bytes] = {}
        wanted: dict[str, str] = {}
        for path in paths:
            change, entry = self._changes.get(path), self._entries.get(path)
            if isinstance(change, tuple):
                found[path] = change[1]
            elif entry is not None and entry.mode != SUBMODULE:
                wanted[path] = entry.oid
        blobs = self._git.blobs(list(wanted.values()))
        return {**found, **{path: blobs[oid] for path, oid in wanted.items()}}

    def write(self) -> str:
        """The tree's object id, once it is written; the draft goes on from it."""
        self._tree = self._git.write_tree(self._tree, self._changes)
        self._below = self._git.tree(self._tree).entries()
        self._entries = dict(self._below)
        self._changes = {}
        return self._tree
