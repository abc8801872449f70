"""What the pure rooms may ask of the outside world. Adapters implement these; tests and the sandbox
do too.

A port raises only `errors.UserError` (the caller's to mend) and `errors.HostError` (network,
GitHub, git). No port method retries a write blindly, sleeps outside `Clock`, or prints.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from nightshift.values import (
    Check,
    Comment,
    Commit,
    Entry,
    Identity,
    Issue,
    LintMessage,
    PullRequest,
    Ran,
    Rollup,
    Standing,
    Styled,
    TreeMerge,
    Version,
)

Formatter = Callable[[str, str], str]
"""(path, text) -> text in the repository's style; the text unchanged where it cannot be
formatted."""


class Style(Protocol):
    """A repository's style, ready to be applied to many files."""

    def one(self, path: str, text: str) -> Styled:
        """One file's text in style. Never raises for any text."""
        ...

    def many(self, texts: Mapping[str, str]) -> Mapping[str, Styled]:
        """path -> text in style, for many files at once."""
        ...


StyleOf = Callable[[bytes | None, Collection[str], Sequence[str]], Style]
"""(the configuration file, all paths of the tree that it is for, the formatters in order) -> its
style."""

Linter = Callable[
    [Mapping[str, bytes], Sequence[str], Mapping[str, str], Mapping[str, bytes]],
    Sequence[LintMessage],
]
"""(files, the names of the wanted messages, settings by name, other files that these may import) ->
the messages that the files have, in order of path and line. Raises `errors.HostError` where it
cannot be run."""


class Clock(Protocol):
    """The only place that knows the time and the only one that sleeps."""

    def now(self) -> datetime:
        """The wall time, in UTC, with its zone."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back, for deadlines and durations."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class Runner(Protocol):
    """The Actions runner, or a terminal: logs, annotations, outputs, the step summary."""

    def info(self, text: str) -> None:
        """One line of log. Foreign text in it can start no workflow command."""
        ...

    def annotate(
        self, level: str, text: str, *, title: str = "", file: str = "", line: int = 0
    ) -> None:
        """A `notice`, `warning` or `error` annotation."""
        ...

    def group(self, title: str) -> AbstractContextManager[None]:
        """A foldable group of log lines."""
        ...

    def output(self, name: str, value: str) -> None:
        """Set an output of the step."""
        ...

    def summary(self, markdown: str) -> None:
        """Append to the step summary; what is over the platform's size is cut at a block's end."""
        ...

    def mask(self, secret: str) -> None:
        """Keep a secret out of the log."""
        ...


class IssueReader(Protocol):
    """Reads of issues and labels."""

    def issue(self, number: int) -> Issue:
        """One issue with all of its comments and recent label removals.

        :raises UserError: it does not exist, was deleted, or was transferred.
        """
        ...

    def backlog(self, label: str) -> Iterator[Issue]:
        """All open issues with a label, newest first, comments included, in batched reads."""
        ...

    def label_names(self) -> frozenset[str]:
        """The names of all labels that the repository has, as it spells them."""
        ...

    def file_at(self, path: str, ref: str) -> bytes:
        """A file of the repository at a ref.

        :raises UserError: no such file.
        """
        ...


class PullReader(Protocol):
    """Reads of pull requests, their comments and checks."""

    def pull_requests(
        self, *, base: str, state: str = "open", limit: int = 100
    ) -> Sequence[PullRequest]:
        """Pull requests into a branch, most recently updated first. `state`: open, closed or
        all."""
        ...

    def pull_request(self, number: int) -> PullRequest:
        """One pull request, read afresh."""
        ...

    def standing(self, number: int) -> Standing:
        """One pull request with the head of its branch, its comments and the checks of that head:
        one request where there are no more of either than fit on a page.

        :raises UserError: it does not exist.
        """
        ...

    def rollup(self, sha: str) -> Rollup:
        """All checks and status contexts of a commit."""
        ...

    def check_runs(self, sha: str, name: str) -> Sequence[Check]:
        """The check runs of one name on a commit by another road than the rollup's: REST. They do
        not tell their workflow."""
        ...

    def job_log(self, job_id: int) -> str:
        """The log of an Actions job; "" where it has expired."""
        ...


class GitHubWriter(Protocol):
    """Every write that nightshift can make through the API. Called by `effects.apply` alone."""

    def add_labels(self, number: int, labels: Sequence[str]) -> None:
        """Add labels by the add-only endpoint."""
        ...

    def post_comment(self, number: int, body: str) -> Comment:
        """Post one comment."""
        ...

    def open_pull_request(self, *, head: str, base: str, title: str, body: str) -> PullRequest:
        """Open a draft pull request."""
        ...

    def edit_pull_request(
        self, number: int, *, title: str | None = None, body: str | None = None
    ) -> None:
        """Change a pull request's title or body."""
        ...

    def close_pull_request(self, number: int) -> None:
        """Close a pull request without merging it."""
        ...

    def mark_ready(self, node_id: str) -> None:
        """Turn a draft into a pull request that is ready for review."""
        ...

    def rerun_failed_jobs(self, run_id: int) -> None:
        """Run the failed jobs of a workflow run again."""
        ...


class GitHub(IssueReader, PullReader, GitHubWriter, Protocol):
    """The whole of the GitHub port."""


class TreeView(Protocol):
    """An immutable snapshot of a tree, read lazily."""

    def entries(self) -> Mapping[str, Entry]:
        """path -> entry, for every file, link and submodule."""
        ...

    def read(self, path: str) -> bytes | None:
        """A file's bytes; None where there is no such file."""
        ...


class Commands(Protocol):
    """Runs commands that policy gives over an export of a tree: as another user, outside the
    workspace, with no token in reach."""

    def __call__(self, command: str, tree: TreeView, wanted: Collection[str] | None = None) -> Ran:
        """What a command makes of a tree. Never raises for what the command does.

        :param command: for `sh -c`, in the top folder of the export.
        :param wanted: the paths that it may change or add; None: all files that the tree has.
        """
        ...


Revisions = Callable[[str, str], TreeView]
"""(https address of a git repository, a revision of it, "" for its default) -> what it holds of
Python and of packaging. No token, no submodules, limits of time and size. Raises `errors.HostError`
where it cannot be looked at, `errors.UserError` where the address or revision may not be."""


class Git(Protocol):
    """All git questions and the few git writes, in a clone of our own."""

    def resolve(self, ref: str) -> str:
        """The commit id of a branch, tag or commit.

        :raises UserError: no such ref, or one that looks like an option or is no valid name.
        """
        ...

    def merge_bases(self, one: str, other: str) -> Sequence[str]:
        """All best common ancestors. A shallow history is deepened before it is called unrelated.

        :raises UserError: the histories have no common commit.
        """
        ...

    def is_ancestor(self, ancestor: str, descendant: str) -> bool:
        """Whether one commit is reachable from another (or is it)."""
        ...

    def commit(self, rev: str) -> Commit:
        """A commit's facts."""
        ...

    def commits(self, since: Sequence[str], until: str) -> Sequence[Commit]:
        """The commits reachable from `until` and from none of `since`, newest first."""
        ...

    def versions(
        self, paths: Sequence[str], since: Sequence[str], until: str
    ) -> Mapping[str, Sequence[Version]]:
        """For each path, the versions that it had on the way from `since` to `until`, newest first.

        One walk for all paths; the version at `since` is not among them.
        """
        ...

    def deletions(
        self, paths: Sequence[str], since: Sequence[str], until: str
    ) -> Mapping[str, str]:
        """For each path that was deleted on the way from `since` to `until`: the newest commit that
        did."""
        ...

    def tree(self, rev: str) -> TreeView:
        """The tree of a commit, or a tree."""
        ...

    def blobs(self, oids: Sequence[str]) -> Mapping[str, bytes]:
        """Many blobs in one batch."""
        ...

    def merge_tree(self, target: str, source: str) -> TreeMerge:
        """What git merges by itself, in the object database."""
        ...

    def write_tree(self, base: str, changes: Mapping[str, tuple[str, bytes] | Entry | None]) -> str:
        """A tree with some paths replaced: by (mode, bytes), by an existing entry, or removed."""
        ...

    def commit_tree(
        self, tree: str, parents: Sequence[str], message: str, identity: Identity, at: datetime
    ) -> str:
        """A commit; nothing points at it yet."""
        ...

    def numstat(self, one: str, other: str) -> Sequence[tuple[int, int, str]]:
        """(added, deleted, path) for each text file that differs from the merge base of both to
        `other`."""
        ...

    def remerge_diff(self, commit: str) -> str | None:
        """The difference of a merge commit to what git alone would have made; None where git is too
        old."""
        ...

    def remote_head(self, branch: str) -> str | None:
        """The commit that a branch points at on the remote right now; None where it does not
        exist."""
        ...

    def push(self, commit: str, branch: str, *, expect: str | None) -> None:
        """Point a remote branch at a commit, if it still is where we saw it.

        :param expect: the commit it must point at; None: it must not exist.
        :raises HostError: refused; `reason` is `stale` (the branch is not where we saw it),
            `protected`, `workflow` (a permission is missing), `auth`, `network` or `refused`.
        """
        ...
