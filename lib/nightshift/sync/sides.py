"""What is merged: two commits, where they met, and what git made of them. Read once, asked
often."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nightshift.policy.model import Side
from nightshift.ports import Git
from nightshift.values import Entry, TreeMerge, Version

SUBMODULE = "160000"
LINK = "120000"

Tree = Mapping[str, Entry]
"""path -> entry."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Both sides of a merge.

    :param target, source: commit ids.
    :param bases: the merge bases; `base_tree` is the first one's.
    :param merged_tree: what git merged by itself; conflicted paths hold what git left there.
    """

    git: Git
    wins: Side
    target: str
    source: str
    bases: tuple[str, ...]
    target_tree: Tree
    source_tree: Tree
    base_tree: Tree
    merged_tree: Tree
    merge: TreeMerge

    def tree(self, side: Side) -> Tree:
        """A side's tree."""
        return self.target_tree if side is Side.TARGET else self.source_tree

    def commit(self, side: Side) -> str:
        """A side's commit id."""
        return self.target if side is Side.TARGET else self.source

    def both_changed(self, path: str) -> bool:
        """Whether both sides changed a path since the merge base, and not in the same way."""
        base, target = self.base_tree.get(path), self.target_tree.get(path)
        source = self.source_tree.get(path)
        return base != target and base != source and target != source

    def versions(self, side: Side, paths: Sequence[str]) -> list[Version]:
        """The versions that a file had on a side since the merge base, newest first, under each
        of its names in turn."""
        since, until = self.bases, self.commit(side)
        return [
            version for path in paths for version in self.git.versions(paths, since, until)[path]
        ]

    def deletion(self, side: Side, paths: Sequence[str]) -> tuple[str, ...]:
        """The commit that deleted a file on a side, under one of its names; empty where none
        did."""
        found = dict(self.git.deletions(paths, self.bases, self.commit(side)))
        return tuple(found[path] for path in paths if path in found)[:1]


def sides(git: Git, wins: Side, target: str, source: str) -> Sides:
    """Read both sides, and let git merge what it can.

    :param target, source: commit ids.
    :raises UserError: the two have no common history.
    """
    bases = tuple(git.merge_bases(target, source))
    merge = git.merge_tree(target, source)
    return Sides(
        git=git,
        wins=wins,
        target=target,
        source=source,
        bases=bases,
        target_tree=git.tree(target).entries(),
        source_tree=git.tree(source).entries(),
        base_tree=git.tree(bases[0]).entries(),
        merged_tree=git.tree(merge.tree).entries(),
        merge=merge,
    )


def other(side: Side) -> Side:
    """The other side."""
    return Side.SOURCE if side is Side.TARGET else Side.TARGET


def paths_of(tree: Tree) -> Mapping[str, list[str]]:
    """Object id -> the paths that hold it."""
    found: dict[str, list[str]] = defaultdict(list)
    for path, entry in tree.items():
        found[entry.oid].append(path)
    return found
