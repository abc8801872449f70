"""A repository and its remote in memory, and a switch that kills a run at any call of a port.
`support.hub` adds pull requests and CI.

Deterministic: ids are hashes or counters, time is a simulated clock's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from nightshift.errors import HostError, UserError
from nightshift.values import Commit, Entry, Identity
from support.clock import SimulatedClock
from support.file_trees import FakeTree

Files = dict[str, bytes]
OURS, OUR_EMAIL = "nightshift", "nightshift@users.noreply.github.com"
"""Who commits by the default policy."""


class Killed(BaseException):
    """The runner died here."""


@dataclass
class Switch:
    """Counts the calls of all ports, and kills at one of them, before or after it is done."""

    at: int | None = None
    after: bool = False
    calls: int = 0
    names: list[str] = field(default_factory=list)

    @contextmanager
    def call(self, name: str) -> Iterator[None]:
        """One call of a port."""
        self.calls += 1
        self.names.append(name)
        if self.calls == self.at and not self.after:
            raise Killed(name)
        yield
        if self.calls == self.at and self.after:
            raise Killed(name)


@dataclass
class FakeGit:
    """`ports.Git` as far as a sync's loop asks, with the remote's branches."""

    clock: SimulatedClock
    switch: Switch
    branches: dict[str, str] = field(default_factory=dict)
    known: dict[str, Commit] = field(default_factory=dict)
    trees: dict[str, Files] = field(default_factory=dict)
    pushes: list[tuple[str, str]] = field(default_factory=list)
    on_push: Callable[[str, str], None] = lambda branch, sha: None

    def make(
        self,
        files: Mapping[str, str | bytes],
        *parents: str,
        author: str = "Ada",
        subject: str = "work",
        branch: str = "",
    ) -> str:
        """A commit, on a branch of the remote if one is named, as somebody pushes it."""
        data = {path: t.encode() if isinstance(t, str) else t for path, t in files.items()}
        sha = self._commit(self._tree(data), parents, author, subject, self.clock.now())
        if branch:
            self.branches[branch] = sha
        return sha

    def files(self, rev: str) -> dict[str, str]:
        """A commit's files as text."""
        return {path: data.decode() for path, data in self._files(rev).items()}

    def resolve(self, ref: str) -> str:
        sha = self.branches.get(ref, ref)
        if sha not in self.known:
            raise UserError(f"no {ref}")
        return sha

    def merge_bases(self, one: str, other: str) -> Sequence[str]:
        there = set(self._reachable(other))
        return [next(sha for sha in self._reachable(one) if sha in there)]

    def is_ancestor(self, ancestor: str, descendant: str) -> bool:
        return ancestor in self._reachable(descendant)

    def commit(self, rev: str) -> Commit:
        return self.known[rev]

    def commits(self, since: Sequence[str], until: str) -> Sequence[Commit]:
        hidden = {sha for start in since for sha in self._reachable(start)}
        return [self.known[sha] for sha in self._reachable(until) if sha not in hidden]

    def tree(self, rev: str) -> FakeTree:
        return FakeTree(self._files(rev))

    def write_tree(self, base: str, changes: Mapping[str, Any]) -> str:
        with self.switch.call("write_tree"):
            return self._changed(base, changes)

    def _changed(self, base: str, changes: Mapping[str, Any]) -> str:
        files = dict(self._files(base))
        for path, change in changes.items():
            if change is None:
                files.pop(path, None)
            else:
                assert not isinstance(change, Entry)
                files[path] = change[1]
        return self._tree(files)

    def commit_tree(
        self, tree: str, parents: Sequence[str], message: str, identity: Identity, at: datetime
    ) -> str:
        with self.switch.call("commit_tree"):
            lines = message.strip("\n").split("\n")
            ends = [line for line in lines[1:] if line.startswith("Nightshift-")]
            return self._commit(tree, tuple(parents), identity.name, lines[0], at, *ends)

    def remerge_diff(self, commit: str) -> str | None:
        return f"diff --git a/x b/x of {commit}\n"

    def remote_head(self, branch: str) -> str | None:
        with self.switch.call(f"remote_head {branch}"):
            return self.branches.get(branch)

    def push(self, commit: str, branch: str, *, expect: str | None) -> None:
        with self.switch.call(f"push {branch}"):
            if self.branches.get(branch) != expect:
                raise HostError("moved", reason="stale")
            self.branches[branch] = commit
            self.pushes.append((branch, commit))
            self.on_push(branch, commit)

    def _commit(
        self,
        tree: str,
        parents: tuple[str, ...],
        author: str,
        subject: str,
        at: datetime,
        *trailers: str,
    ) -> str:
        sha = _id(tree, parents, author, subject, at)
        who = OUR_EMAIL if author == OURS else f"{author}@example.org"
        known = Commit(sha, parents, tree, author, at, subject, who, author, who, tuple(trailers))
        self.known.setdefault(sha, known)
        return sha

    def _tree(self, files: Files) -> str:
        tree = _id(sorted(files.items()))
        self.trees[tree] = files
        return tree

    def _files(self, rev: str) -> Files:
        return self.trees[self.known[rev].tree if rev in self.known else rev]

    def _reachable(self, start: str) -> list[str]:
        """Newest first, as far as parents tell."""
        found: dict[str, None] = {}
        queue = [start]
        while queue:
            sha = queue.pop(0)
            if sha not in found:
                found[sha] = None
                queue.extend(self.known[sha].parents)
        return list(found)


def _id(*parts: object) -> str:
    return hashlib.sha1(repr(parts).encode(), usedforsecurity=False).hexdigest()
