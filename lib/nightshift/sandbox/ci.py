"""A script of CI: what starts it, and which plan it then follows.

States move when somebody reads the rollup, or by the clock, never by themselves. A plan may look
into the pushed tree, so that a check can really check.
"""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from typing import Literal

from nightshift.sandbox.jobs import NEVER, After, Job, Plan, Round, Tree
from nightshift.sandbox.model import Issue, User, WorkflowRun
from nightshift.sandbox.progress import Running, Started
from nightshift.sandbox.repository import Repository

__all__ = ["NEVER", "OK_TO_TEST", "After", "Job", "Plan", "Round", "Script", "Tree"]

OK_TO_TEST = "/ok to test {sha}"
COPY = "pull-request/{number}"


@dataclass(slots=True)
class _Trigger:
    """What starts CI: a push to a branch that fits, or a comment of a form.

    The nth start follows the nth round, the last one repeats.
    """

    kind: Literal["push", "comment"]
    pattern: str
    rounds: tuple[Round, ...]
    repository: str
    fired: int = 0

    def next_round(self) -> Round:
        """The plan of this start."""
        current = self.rounds[min(self.fired, len(self.rounds) - 1)]
        self.fired += 1
        return current


class Script:
    """The CI of all repositories of a sandbox.

    :param bot: the account that copies pull requests and reports status contexts.
    """

    def __init__(self, bot: User) -> None:
        self._bot = bot
        self._triggers: list[_Trigger] = []
        self._started: list[Started] = []
        self._reads: dict[tuple[int, str], int] = {}

    def on_push(self, *rounds: Round, branch: str = "*", repository: str = "*") -> None:
        """Start a plan whenever a branch that fits the pattern is pushed."""
        self._triggers.append(_Trigger("push", branch, rounds, repository))

    def on_comment(self, *rounds: Round, text: str = OK_TO_TEST, repository: str = "*") -> None:
        """Start a plan whenever somebody comments so on a pull request, naming its present head.

        The copy bot then points a branch of its own, `pull-request/<n>`, at that commit.
        """
        self._triggers.append(_Trigger("comment", text, rounds, repository))

    def pushed(self, repository: Repository, branch: str, sha: str) -> None:
        """A branch was pushed."""
        for trigger in self._matching("push", repository):
            if fnmatch.fnmatchcase(branch, trigger.pattern):
                self.start(repository, sha, trigger.next_round(), branch=branch)

    def commented(self, repository: Repository, issue: Issue, body: str) -> None:
        """Somebody commented."""
        if issue.pull is None:
            return
        repository.refresh(issue)
        sha = issue.pull.head_sha
        for trigger in self._matching("comment", repository):
            if body.strip() == trigger.pattern.format(sha=sha):
                copy = COPY.format(number=issue.number)
                repository.git.set_ref(f"refs/heads/{copy}", sha)
                self.start(repository, sha, trigger.next_round(), branch=copy)

    def start(
        self,
        repository: Repository,
        sha: str,
        what: Round,
        *,
        branch: str = "",
        event: str = "push",
    ) -> None:
        """Start a plan on a commit."""
        jobs = what(Tree(repository.git, sha)) if callable(what) else what
        polls, now = self._polls(repository, sha), repository.world.now()
        started = Started(repository, sha, branch, event, self._bot)
        started.jobs = [Running(job, polls, now) for job in jobs]
        self._started.append(started)
        started.advance(polls)

    def read(self, repository: Repository, sha: str) -> None:
        """Somebody reads the rollup of a commit: that counts as a poll."""
        self._reads[repository.id, sha] = self._polls(repository, sha) + 1
        self.advance(repository, sha)

    def advance(self, repository: Repository, sha: str) -> None:
        """Bring the checks of a commit up to now."""
        for started in self._of(repository, sha):
            started.advance(self._polls(repository, sha))

    def rerun_failed(self, repository: Repository, run: WorkflowRun) -> bool:
        """Run the failed jobs of a workflow run again; False where none failed."""
        polls = self._polls(repository, run.sha)
        again = [one.rerun_failed(run, polls) for one in self._of(repository, run.sha)]
        self.advance(repository, run.sha)
        return any(again)

    def _polls(self, repository: Repository, sha: str) -> int:
        return self._reads.get((repository.id, sha), 0)

    def _of(self, repository: Repository, sha: str) -> list[Started]:
        return [one for one in self._started if one.repository is repository and one.sha == sha]

    def _matching(self, kind: str, repository: Repository) -> list[_Trigger]:
        return [
            trigger
            for trigger in self._triggers
            if trigger.kind == kind
            and fnmatch.fnmatchcase(repository.full_name, trigger.repository)
        ]
