"""The writes that nightshift can want, as values. A dry run shows them; `effects.apply` performs
them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from nightshift.values import Identity


@dataclass(frozen=True, slots=True)
class AddLabels:
    """Labels to add to an issue or pull request, in this order.

    :param optional: a label that the repository lacks is reported, not an error.
    :param url: where the issue is looked at, for the report; says nothing of what to do.
    """

    number: int
    labels: tuple[str, ...]
    optional: bool = False
    url: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class PostComment:
    """A comment. `template` names what it was made from; `marker` is hidden in it and is looked for
    among the comments before it is posted, so that a second run posts no second one. A command to a
    bot can hide no marker: its `marker` is "", and it is posted as it is; who wants it has looked.
    """

    number: int
    body: str
    template: str
    marker: str


@dataclass(frozen=True, slots=True)
class PushCommit:
    """Point a branch of ours at a commit; `expect` is where it must stand (None: it must not
    exist)."""

    branch: str
    commit: str
    expect: str | None


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file's new content, or None to delete it. Its mode stays."""

    path: str
    data: bytes | None


@dataclass(frozen=True, slots=True)
class PushFix:
    """A commit on top of the sync branch's head that mends what CI found, pushed with a lease.

    :param amend: the head is an earlier fix of ours: the new commit has the head's tree with the
        changes, and the head's parents, so that fixes stay one rolling commit.
    """

    branch: str
    head: str
    changes: tuple[FileChange, ...]
    message: str
    identity: Identity
    at: datetime
    amend: bool = False


@dataclass(frozen=True, slots=True)
class OpenPullRequest:
    """A draft pull request."""

    head: str
    base: str
    title: str
    body: str


@dataclass(frozen=True, slots=True)
class EditPullRequest:
    """A pull request's new body."""

    number: int
    body: str


@dataclass(frozen=True, slots=True)
class ClosePullRequest:
    """Close a sync pull request that another one supersedes."""

    number: int


@dataclass(frozen=True, slots=True)
class MarkReady:
    """Turn the draft into a pull request that is ready for review."""

    number: int
    node_id: str


@dataclass(frozen=True, slots=True)
class RerunFailedJobs:
    """Run the failed jobs of one workflow run again, on the same commit."""

    run_id: int


Effect = (
    AddLabels
    | PostComment
    | PushCommit
    | PushFix
    | OpenPullRequest
    | EditPullRequest
    | ClosePullRequest
    | MarkReady
    | RerunFailedJobs
)


def describe(effect: Effect) -> str:
    """One line for the log and the dry run's plan. Foreign text does not appear in it."""
    match effect:
        case AddLabels(number, labels):
            line = f"add to #{number}: {', '.join(labels)}"
        case PostComment(number, _, template):
            line = f"comment on #{number}: {template}"
        case PushCommit(branch, commit, _):
            line = f"push {commit[:12]} to {branch}"
        case PushFix(branch, _, changes):
            line = f"commit a fix of {len(changes)} file(s) to {branch}"
        case OpenPullRequest(head, base):
            line = f"open a draft pull request from {head} into {base}"
        case EditPullRequest(number):
            line = f"update the body of #{number}"
        case ClosePullRequest(number):
            line = f"close #{number} as superseded"
        case MarkReady(number):
            line = f"mark #{number} ready"
        case RerunFailedJobs(run_id):
            line = f"run the failed jobs of run {run_id} again"
    return line
