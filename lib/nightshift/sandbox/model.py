"""What a repository on the sandbox consists of: people, labels, issues, pull requests, checks.

Plain mutable records without behaviour beyond their own shape. Times are UTC with their zone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

Association = Literal["OWNER", "MEMBER", "COLLABORATOR", "CONTRIBUTOR", "NONE"]
LabelEventKind = Literal["labeled", "unlabeled"]


@dataclass(slots=True)
class User:
    """An account. A login that ends in `[bot]` is an app's."""

    login: str
    id: int

    @property
    def is_bot(self) -> bool:
        """Whether the account is an app's."""
        return self.login.endswith("[bot]")

    @property
    def slug(self) -> str:
        """The login without `[bot]`, which is how GraphQL and an app's page name an app."""
        return self.login.removesuffix("[bot]")


@dataclass(slots=True)
class Label:
    """A label of a repository; names are compared without regard to case."""

    name: str
    id: int
    color: str = "ededed"
    description: str = ""


@dataclass(slots=True)
class Comment:
    """A comment of an issue or pull request."""

    id: int
    body: str
    author: User
    association: Association
    created_at: datetime


@dataclass(slots=True)
class LabelEvent:
    """A label that came or went; `kind` as GitHub's timeline names it."""

    id: int
    kind: LabelEventKind
    label: Label
    actor: User
    at: datetime


@dataclass(slots=True)
class Pull:
    """What makes an issue a pull request.

    :param head_sha: the head branch's commit when the pull request was last looked at, or closed.
    """

    id: int
    head_ref: str
    base_ref: str
    head_sha: str
    draft: bool = False
    merged_at: datetime | None = None
    merge_commit: str | None = None


@dataclass(slots=True)
class Issue:
    """An issue, or a pull request where `pull` is set.

    :param gone: "deleted", or the address `owner/name#number` it was transferred to.
    """

    id: int
    number: int
    title: str
    body: str | None
    author: User
    association: Association
    created_at: datetime
    updated_at: datetime
    labels: list[Label] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    events: list[LabelEvent] = field(default_factory=list)
    open: bool = True
    closed_at: datetime | None = None
    locked: bool = False
    pull: Pull | None = None
    gone: str = ""

    def has_label(self, name: str) -> bool:
        """Whether the issue carries a label, whatever its case."""
        return any(label.name.lower() == name.lower() for label in self.labels)


@dataclass(slots=True)
class WorkflowRun:
    """A run of a workflow on a commit. Re-running its failed jobs raises `attempt`."""

    id: int
    suite_id: int
    workflow: str
    sha: str
    branch: str
    event: str
    created_at: datetime
    workflow_id: int
    number: int
    attempt: int = 1


@dataclass(slots=True)
class CheckRun:
    """A check run. `run` is the workflow run behind it, None for another app's check.

    :param log: the job's log as its steps printed it; None: there is none, or it has expired.
    """

    id: int
    name: str
    sha: str
    suite_id: int
    created_at: datetime
    run: WorkflowRun | None = None
    status: str = "queued"
    conclusion: str | None = None
    started_at: datetime | None = None
    completed_at: datetime | None = None
    required: bool = False
    details_url: str = ""
    log: str | None = None


@dataclass(slots=True)
class StatusContext:
    """A commit status of an external system.

    :param state: expected, error, failure, pending or success.
    """

    id: int
    context: str
    sha: str
    state: str
    created_at: datetime
    creator: User
    target_url: str = ""
    description: str = ""
    required: bool = False


Check = CheckRun | StatusContext
