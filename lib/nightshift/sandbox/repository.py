"""A repository of the sandbox and what people do to it: open, label, comment, close.

These are the deeds behind the API, and what a test or demo seeds the world with. Whoever calls
holds the world's lock, or is alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from nightshift.sandbox.gitstore import GitStore
from nightshift.sandbox.model import (
    Association,
    CheckRun,
    Comment,
    Issue,
    Label,
    LabelEvent,
    LabelEventKind,
    Pull,
    StatusContext,
    User,
    WorkflowRun,
)


class Surroundings(Protocol):
    """What a repository needs of the world around it."""

    def next_id(self) -> int:
        """A number that no other object has."""
        ...

    def user(self, login: str) -> User:
        """The account with a login."""
        ...

    def now(self) -> datetime:
        """The sandbox's time."""
        ...


class Repository:
    """Issues, labels, pull requests and checks of one repository, beside its git store.

    :ivar associations: login -> what the account is to the repository, for those who are something.
    :ivar protected: patterns of branches whose protection refuses pushes.
    :ivar ruled: patterns of branches whose ruleset does.
    :ivar creates_missing_labels: whether adding a label that does not exist makes it, as on GitHub.
    """

    def __init__(
        self, world: Surroundings, owner: User, name: str, store: GitStore, default_branch: str
    ) -> None:
        self.world = world
        self.id = world.next_id()
        self.owner = owner
        self.name = name
        self.git = store
        self.default_branch = default_branch
        self.created_at = world.now()
        self.labels: dict[str, Label] = {}
        self.issues: dict[int, Issue] = {}
        self.check_runs: list[CheckRun] = []
        self.statuses: list[StatusContext] = []
        self.runs: dict[int, WorkflowRun] = {}
        self.protected: set[str] = set()
        self.ruled: set[str] = set()
        self.associations: dict[str, Association] = {owner.login: "OWNER"}
        self.creates_missing_labels = True

    @property
    def full_name(self) -> str:
        """`owner/name`."""
        return f"{self.owner.login}/{self.name}"

    def association(self, login: str) -> Association:
        """What an account is to the repository."""
        return self.associations.get(login, "NONE")

    def add_label(self, name: str, *, color: str = "ededed", description: str = "") -> Label:
        """A new label, or the one that has the name already."""
        key = name.lower()
        if key not in self.labels:
            self.labels[key] = Label(name, self.world.next_id(), color, description)
        return self.labels[key]

    def add_issue(
        self,
        title: str,
        body: str | None = "",
        *,
        author: str = "someone",
        labels: Sequence[str] = (),
        created_at: datetime | None = None,
    ) -> Issue:
        """Open an issue; labels that the repository lacks are made."""
        now = created_at or self.world.now()
        issue = Issue(
            id=self.world.next_id(),
            number=max(self.issues, default=0) + 1,
            title=title,
            body=body,
            author=self.world.user(author),
            association=self.association(author),
            created_at=now,
            updated_at=now,
        )
        self.issues[issue.number] = issue
        self.label(issue, labels, by=author)
        return issue

    def add_pull(
        self,
        title: str,
        body: str | None = "",
        *,
        head: str,
        base: str,
        author: str = "someone",
        draft: bool = False,
    ) -> Issue:
        """Open a pull request from one branch of the repository into another.

        :raises KeyError: there is no branch `head`.
        """
        sha = self.git.head(head)
        if sha is None:
            raise KeyError(head)
        issue = self.add_issue(title, body, author=author)
        issue.pull = Pull(self.world.next_id(), head, base, sha, draft)
        self.git.set_ref(f"refs/pull/{issue.number}/head", sha)
        return issue

    def comment(
        self, issue: Issue, body: str, *, by: str = "someone", at: datetime | None = None
    ) -> Comment:
        """Comment on an issue or pull request."""
        now = at or self.world.now()
        comment = Comment(
            self.world.next_id(), body, self.world.user(by), self.association(by), now
        )
        issue.comments.append(comment)
        issue.updated_at = max(issue.updated_at, now)
        return comment

    def label(self, issue: Issue, names: Sequence[str], *, by: str = "someone") -> None:
        """Put labels on an issue; what it carries already stays as it is."""
        for name in names:
            if not issue.has_label(name):
                label = self.add_label(name)
                issue.labels.append(label)
                self._note(issue, "labeled", label, by)

    def unlabel(self, issue: Issue, name: str, *, by: str = "someone") -> None:
        """Take a label off an issue, as a person does."""
        label = self.labels[name.lower()]
        issue.labels.remove(label)
        self._note(issue, "unlabeled", label, by)

    def close(self, issue: Issue) -> None:
        """Close an issue, or a pull request without merging it."""
        self.refresh(issue)
        issue.open = False
        issue.closed_at = issue.updated_at = self.world.now()

    def reopen(self, issue: Issue) -> None:
        """Open an issue again."""
        issue.open, issue.closed_at, issue.updated_at = True, None, self.world.now()

    def land(self, issue: Issue, *, squash: bool = False) -> str:
        """Merge a pull request, as a person does with the button; the commit that it landed as.

        :raises ValueError: it is none, or it conflicts.
        """
        if issue.pull is None:
            raise ValueError(f"#{issue.number} is no pull request")
        self.refresh(issue)
        title = f"{issue.title} (#{issue.number})"
        sha = self.git.merge(issue.pull.base_ref, issue.pull.head_sha, title, squash=squash)
        self.merged(issue, sha)
        return sha

    def merged(self, issue: Issue, merge_commit: str) -> None:
        """Note that a pull request landed as a commit, which the caller has put on the base."""
        if issue.pull is None:
            raise ValueError(f"#{issue.number} is no pull request")
        self.close(issue)
        issue.pull.merged_at, issue.pull.merge_commit = issue.closed_at, merge_commit

    def refresh(self, issue: Issue) -> None:
        """Let an open pull request follow its head branch; it is closed with the branch."""
        if issue.pull is None or not issue.open:
            return
        sha = self.git.head(issue.pull.head_ref)
        if sha is None:
            issue.open, issue.closed_at = False, self.world.now()
        elif sha != issue.pull.head_sha:
            issue.pull.head_sha, issue.updated_at = sha, self.world.now()
            self.git.set_ref(f"refs/pull/{issue.number}/head", sha)

    def add_run(
        self, sha: str, workflow: str, *, branch: str = "", event: str = "push"
    ) -> WorkflowRun:
        """A run of a workflow on a commit."""
        earlier = [run for run in self.runs.values() if run.workflow == workflow]
        run = WorkflowRun(
            id=self.world.next_id(),
            suite_id=self.world.next_id(),
            workflow=workflow,
            sha=sha,
            branch=branch,
            event=event,
            created_at=self.world.now(),
            workflow_id=earlier[0].workflow_id if earlier else self.world.next_id(),
            number=len(earlier) + 1,
        )
        self.runs[run.id] = run
        return run

    def add_check_run(
        self,
        sha: str,
        name: str,
        *,
        run: WorkflowRun | None = None,
        status: str = "completed",
        conclusion: str | None = None,
        log: str | None = None,
        required: bool = False,
        details_url: str = "",
    ) -> CheckRun:
        """A check run; without a workflow run it is another app's."""
        now = self.world.now()
        check = CheckRun(
            id=self.world.next_id(),
            name=name,
            sha=sha,
            suite_id=run.suite_id if run else self.world.next_id(),
            created_at=now,
            run=run,
            status=status,
            conclusion=conclusion,
            started_at=now if status != "queued" else None,
            completed_at=now if status == "completed" else None,
            log=log,
            required=required,
            details_url=details_url,
        )
        self.check_runs.append(check)
        return check

    def add_status(
        self,
        sha: str,
        context: str,
        state: str,
        *,
        by: str = "someone",
        target_url: str = "",
        required: bool = False,
    ) -> StatusContext:
        """A commit status of an external system."""
        status = StatusContext(
            id=self.world.next_id(),
            context=context,
            sha=sha,
            state=state,
            created_at=self.world.now(),
            creator=self.world.user(by),
            target_url=target_url,
            required=required,
        )
        self.statuses.append(status)
        return status

    def _note(self, issue: Issue, kind: LabelEventKind, label: Label, by: str) -> None:
        now = self.world.now()
        issue.events.append(LabelEvent(self.world.next_id(), kind, label, self.world.user(by), now))
        issue.updated_at = max(issue.updated_at, now)
