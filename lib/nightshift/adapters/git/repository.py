"""The port `Git` over a clone of our own: of a checkout (offline), or of a remote (which may
borrow one).

The only difference between the two is what a name means: the checkout's refs, or the remote's
right now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from nightshift.adapters.git import merging
from nightshift.adapters.git import remote as remotes
from nightshift.adapters.git.checkout import HEAD, MEND_NO_REF, NO_REF, Checkout
from nightshift.adapters.git.clone import Clone
from nightshift.adapters.git.objects import Tree
from nightshift.adapters.git.remote import Remote
from nightshift.errors import HostError, UserError
from nightshift.refs import check_name, is_abbreviation, is_commit_id
from nightshift.values import Commit, Entry, Identity, TreeMerge, Version

UNRELATED = "{one} and {other} have no common commit, so there is nothing to merge from."
MEND_UNRELATED = (
    "Name two branches of one history. Unrelated histories are never merged: "
    "every file would conflict."
)
NO_REMOTE = "there is no remote to talk to."
MEND_NO_REMOTE = "Add a remote named origin."
REMERGE_LIMIT = 400_000


class GitRepository:
    """All of the port `Git`. Nothing is read or written before the first question."""

    def __init__(self, checkout: Checkout | None, remote: Remote | None, *, offline: bool) -> None:
        self._checkout, self._remote, self._offline = checkout, remote, offline

    @classmethod
    def of_checkout(cls, folder: Path) -> Self:
        """A clone of a checkout; names mean what they mean there. Its origin serves to deepen
        it."""
        return cls(Checkout(folder), None, offline=True)

    @classmethod
    def of_remote(cls, remote: Remote, *, borrow: Path | None = None) -> Self:
        """A clone of a remote; names are fetched. A checkout of it saves fetching what it has."""
        return cls(Checkout(borrow) if borrow else None, remote, offline=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Remove the clone, if there is one."""
        if "_clone" in self.__dict__:
            self._clone.close()
            del self._clone

    @cached_property
    def _clone(self) -> Clone:
        return Clone(self._checkout, must_borrow=self._offline)

    def resolve(self, ref: str) -> str:
        """The commit id of a branch, tag or commit.

        :raises UserError: no such ref, or one that looks like an option or is no valid name.
        """
        if ref != HEAD:
            check_name(ref)
        commit = self._resolve_here(ref) if self._offline else self._resolve_there(ref)
        if commit is None:
            raise UserError(NO_REF.format(ref=ref), mend=MEND_NO_REF)
        return commit

    def _resolve_here(self, ref: str) -> str | None:
        assert self._checkout is not None
        return self._checkout.resolve(ref)

    def _resolve_there(self, ref: str) -> str | None:
        """A full commit id is itself; else branches come before tags, whatever other refs there
        are."""
        if is_commit_id(ref):
            return self._commit_there(ref)
        for kind in ("heads", "tags"):
            local = f"refs/nightshift/{kind}/{ref}"
            try:
                self._clone.fetch(self._origin, f"+refs/{kind}/{ref}:{local}", where=ref)
            except HostError as error:
                if error.reason != "missing":
                    raise
                continue
            return self._clone.command.run("rev-parse", "--verify", f"{local}^{{commit}}").text
        return None

    def _commit_there(self, commit: str) -> str | None:
        if not self._clone.has(commit):
            try:
                self._clone.fetch(self._origin, commit, where=commit)
            except HostError as error:
                if error.transient or error.reason == "auth":
                    raise
                return None
        return commit if self._clone.has(commit) else None

    @property
    def _origin(self) -> Remote:
        remote = self._remote or self._origin_of_checkout
        if remote is None:
            raise UserError(NO_REMOTE, mend=MEND_NO_REMOTE)
        return remote

    @cached_property
    def _origin_of_checkout(self) -> Remote | None:
        url = self._checkout.origin() if self._checkout is not None else None
        return Remote(url) if url else None

    def _deepened(self, one: str, other: str) -> None:
        """What asks about two tips sees all of what lies between them."""
        if self._clone.boundary():
            self._clone.deepen((one, other), self._remote or self._origin_of_checkout)

    def merge_bases(self, one: str, other: str) -> Sequence[str]:
        """All best common ancestors.

        :raises UserError: the histories have no common commit.
        """
        self._deepened(one, other)
        output = self._clone.command.run("merge-base", "--all", one, other, ok=(0, 1))
        if output.status:
            what = UNRELATED.format(one=one[:12], other=other[:12])
            raise UserError(what, mend=MEND_UNRELATED)
        return tuple(sorted(output.text.split()))

    def is_ancestor(self, ancestor: str, descendant: str) -> bool:
        """Whether one commit is reachable from another (or is it)."""
        self._deepened(ancestor, descendant)
        arguments = ("merge-base", "--is-ancestor", ancestor, descendant)
        return self._clone.command.run(*arguments, ok=(0, 1)).status == 0

    def commit(self, rev: str) -> Commit:
        """A commit's facts."""
        return self._clone.history.commits((), rev, limit=1)[0]

    def commits(self, since: Sequence[str], until: str) -> Sequence[Commit]:
        """The commits reachable from `until` and from none of `since`, newest first."""
        return self._clone.history.commits(since, until)

    def versions(
        self, paths: Sequence[str], since: Sequence[str], until: str
    ) -> Mapping[str, Sequence[Version]]:
        """For each path, the versions that it had on the way from `since` to `until`, newest
        first."""
        return self._clone.history.versions(paths, since, until)

    def deletions(
        self, paths: Sequence[str], since: Sequence[str], until: str
    ) -> Mapping[str, str]:
        """For each path that was deleted on the way: the newest commit that did."""
        return self._clone.history.deletions(paths, since, until)

    def tree(self, rev: str) -> Tree:
        """The tree of a commit, or a tree."""
        known = rev if is_abbreviation(rev) else self.resolve(rev)
        return Tree(self._clone.objects, known)

    def blobs(self, oids: Sequence[str]) -> Mapping[str, bytes]:
        """Many blobs in one batch."""
        return self._clone.objects.read(oids)

    def merge_tree(self, target: str, source: str) -> TreeMerge:
        """What git merges by itself, in the object database."""
        self._deepened(target, source)
        return merging.merge_tree(self._clone.command, target, source)

    def write_tree(self, base: str, changes: Mapping[str, tuple[str, bytes] | Entry | None]) -> str:
        """A tree with some paths replaced: by (mode, bytes), by an existing entry, or removed."""
        return self._clone.objects.write_tree(base, changes)

    def commit_tree(
        self, tree: str, parents: Sequence[str], message: str, identity: Identity, at: datetime
    ) -> str:
        """A commit; nothing points at it yet."""
        return self._clone.objects.commit_tree(tree, parents, message, identity, at)

    def numstat(self, one: str, other: str) -> Sequence[tuple[int, int, str]]:
        """(added, deleted, path) for each text file that differs from the merge base to `other`."""
        return merging.numstat(self._clone.command, one, other)

    def remerge_diff(self, commit: str) -> str | None:
        """The difference of a merge commit to what git alone would have made, cut at a size."""
        return merging.remerge_diff(self._clone.command, commit, REMERGE_LIMIT)

    def remote_head(self, branch: str) -> str | None:
        """The commit that a branch points at on the remote right now; None where it does not
        exist."""
        return remotes.head(self._clone.command, self._origin, branch)

    def push(self, commit: str, branch: str, *, expect: str | None) -> None:
        """Point a remote branch at a commit, if it still is where we saw it.

        :raises HostError: refused, with the reason.
        """
        remotes.push(self._clone.command, self._origin, commit, branch, expect)

    def pack(self, commit: str, known: Sequence[str]) -> bytes:
        """The objects that a commit needs beyond known commits, for `Checkout.take`."""
        revs = "".join(f"{rev}\n" for rev in (commit, *(f"^{one}" for one in known)))
        arguments = ("pack-objects", "--revs", "--stdout", "-q", "--local")
        return self._clone.command.run(*arguments, stdin=revs.encode()).out
