"""A world in memory for the writer: GitHub, git and a runner that keep what was done to them.

`FakeGitHub.trouble` makes writes fail: each entry is an error with whether the deed is done all the
same, taken in order by the writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, cast

from nightshift.effects.apply import World
from nightshift.errors import HostError, UserError
from nightshift.ports import Git, GitHub, Runner
from nightshift.values import Comment, Commit, Entry, Identity, Issue, PullRequest
from support.clock import SimulatedClock

LOST = HostError("the answer was lost.", transient=True)
REFUSED = HostError("no.", status=422)


def pull(number: int, head: str, base: str, **more: Any) -> PullRequest:
    """A pull request with what nobody here looks at filled in."""
    values: dict[str, Any] = {
        "node_id": f"PR_{number}",
        "url": f"https://example.org/pull/{number}",
        "title": "t",
        "body": "b",
        "draft": True,
        "open": True,
        "merged": False,
        "head_sha": "0" * 40,
    }
    return PullRequest(number=number, head_ref=head, base_ref=base, **{**values, **more})


@dataclass
class FakeGitHub:
    """Issues, labels and pull requests in memory."""

    issues: dict[int, Issue] = field(default_factory=dict)
    pulls: dict[int, PullRequest] = field(default_factory=dict)
    known: frozenset[str] = frozenset()
    trouble: list[tuple[HostError, bool]] = field(default_factory=list)
    may_comment_when_locked: bool = False
    writes: list[tuple[Any, ...]] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    written_at: list[float] = field(default_factory=list)
    now: Callable[[], float] = lambda: 0.0

    def add(self, number: int, **facts: Any) -> Issue:
        url = f"https://example.org/issues/{number}"
        self.issues[number] = Issue(number=number, title="t", body="b", url=url, **facts)
        return self.issues[number]

    def issue(self, number: int) -> Issue:
        self.reads.append(f"issue {number}")
        if number not in self.issues:
            raise UserError(f"issue #{number} does not exist.")
        return self.issues[number]

    def label_names(self) -> frozenset[str]:
        self.reads.append("labels")
        return self.known

    def pull_request(self, number: int) -> PullRequest:
        self.reads.append(f"pull {number}")
        return self.pulls[number]

    def pull_requests(
        self, *, base: str, state: str = "open", limit: int = 100
    ) -> Sequence[PullRequest]:
        self.reads.append("pulls")
        found = [one for one in self.pulls.values() if one.base_ref == base]
        return [one for one in found if state == "all" or one.open == (state == "open")][:limit]

    def add_labels(self, number: int, labels: Sequence[str]) -> None:
        if number not in self.issues:
            raise HostError("not found.", status=404)
        issue = self.issues[number]
        there = {name.casefold() for name in issue.labels}
        new = [name for name in labels if name.casefold() not in there]
        if len(issue.labels) + len(new) > 100:
            raise HostError("too many labels.", status=422)

        def deed() -> None:
            self.issues[number] = replace(issue, labels=(*issue.labels, *new))

        self._write(deed, "labels", number, *labels)

    def post_comment(self, number: int, body: str) -> Comment:
        issue = self.issues[number]
        if issue.locked and not self.may_comment_when_locked:
            raise HostError("locked.", status=403)
        comment = Comment(body, id=100 + len(issue.comments))

        def deed() -> None:
            self.issues[number] = replace(issue, comments=(*issue.comments, comment))

        self._write(deed, "comment", number, body)
        return comment

    def open_pull_request(self, *, head: str, base: str, title: str, body: str) -> PullRequest:
        new = pull(max(self.pulls, default=0) + 1, head, base, title=title, body=body)
        self._write(lambda: self.pulls.update({new.number: new}), "open", head, base)
        return new

    def edit_pull_request(
        self, number: int, *, title: str | None = None, body: str | None = None
    ) -> None:
        changed = replace(self.pulls[number], body=body or "", title=title or "")
        self._write(lambda: self.pulls.update({number: changed}), "edit", number, body)

    def close_pull_request(self, number: int) -> None:
        changed = replace(self.pulls[number], open=False)
        self._write(lambda: self.pulls.update({number: changed}), "close", number)

    def mark_ready(self, node_id: str) -> None:
        found = next(one for one in self.pulls.values() if one.node_id == node_id)
        changed = replace(found, draft=False)
        self._write(lambda: self.pulls.update({found.number: changed}), "ready", node_id)

    def rerun_failed_jobs(self, run_id: int) -> None:
        self._write(lambda: None, "rerun", run_id)

    def _write(self, deed: Callable[[], None], *what: Any) -> None:
        """Do a deed, unless trouble is due."""
        self.written_at.append(self.now())
        error, done = self.trouble.pop(0) if self.trouble else (None, True)
        if done:
            deed()
            self.writes.append(what)
        if error is not None:
            raise error


@dataclass
class FakeTree:
    """A tree of entries."""

    files: Mapping[str, Entry]

    def entries(self) -> Mapping[str, Entry]:
        return self.files

    def read(self, _path: str) -> bytes | None:
        return b""


@dataclass
class FakeGit:
    """Branches on a remote, and commits whose ids tell what they are made of."""

    remote: dict[str, str] = field(default_factory=dict)
    files: dict[str, Entry] = field(default_factory=dict)
    trouble: list[tuple[HostError, bool]] = field(default_factory=list)
    pushes: list[tuple[str, str, str | None]] = field(default_factory=list)
    made: list[tuple[Any, ...]] = field(default_factory=list)

    def commit(self, rev: str) -> Commit:
        at = datetime(2026, 1, 1, tzinfo=UTC)
        return Commit(rev, (f"parent of {rev}",), f"tree of {rev}", "a", at, "s")

    def tree(self, _rev: str) -> FakeTree:
        return FakeTree(self.files)

    def write_tree(self, base: str, changes: Mapping[str, Any]) -> str:
        return f"{base} with {sorted(changes.items())}" if changes else base

    def commit_tree(
        self, tree: str, parents: Sequence[str], message: str, identity: Identity, at: datetime
    ) -> str:
        self.made.append((tree, tuple(parents), message, identity, at))
        return f"commit of {tree} on {', '.join(parents)}"

    def remote_head(self, branch: str) -> str | None:
        return self.remote.get(branch)

    def push(self, commit: str, branch: str, *, expect: str | None) -> None:
        error, done = self.trouble.pop(0) if self.trouble else (None, True)
        if self.remote.get(branch) != expect:
            raise HostError("the branch has moved.", reason="stale")
        if done:
            self.remote[branch] = commit
            self.pushes.append((commit, branch, expect))
        if error is not None:
            raise error


@dataclass
class FakeRunner:
    """Keeps what was said."""

    said: list[str] = field(default_factory=list)
    annotations: list[tuple[str, str]] = field(default_factory=list)
    outputs: dict[str, str] = field(default_factory=dict)
    summaries: list[str] = field(default_factory=list)

    def info(self, text: str) -> None:
        self.said.append(text)

    def annotate(
        self, level: str, text: str, *, title: str = "", file: str = "", line: int = 0
    ) -> None:
        del title, file, line
        self.annotations.append((level, text))

    @contextmanager
    def group(self, title: str) -> Iterator[None]:
        self.said.append(title)
        yield

    def output(self, name: str, value: str) -> None:
        self.outputs[name] = value

    def summary(self, markdown: str) -> None:
        self.summaries.append(markdown)

    def mask(self, secret: str) -> None:
        del secret


class Stage:
    """A world with its fakes at hand."""

    def __init__(self) -> None:
        self.clock = SimulatedClock()
        self.github = FakeGitHub(now=self.clock.monotonic)
        self.git = FakeGit()
        self.runner = FakeRunner()
        self.world = World(
            github=cast(GitHub, self.github),
            clock=self.clock,
            runner=cast(Runner, self.runner),
            git=cast(Git, self.git),
        )
