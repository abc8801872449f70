"""A script of CI: what checks appear for a commit, when they run, how they end.

States move by reads or by the clock, never by themselves: `advance` is called when somebody looks. A plan
may look into the pushed tree, so that a check can really check.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from nightshift.sandbox.gitstore import GitStore
from nightshift.sandbox.model import (CheckRun, Issue, StatusContext, User,
                                      WorkflowRun)
from nightshift.sandbox.repository import Repository

OK_TO_TEST = "/ok to test {sha}"
GOOD = frozenset({"success", "skipped", "neutral"})


@dataclass(frozen=True, slots=True)
class After:
    """A moment: so many reads of the rollup and so many seconds after CI started. Both must have passed."""

    polls: int = 0
    seconds: float = 0

    def reached(self, polls: int, seconds: float) -> bool:
        """Whether the moment has come."""
        return polls >= self.polls and seconds >= self.seconds


@dataclass(frozen=True, slots=True)
class Job:
    """One check of a plan.

    :param workflow: the Actions workflow it belongs to; "" for another app's check run.
    :param context: whether it is a status context of an external system rather than a check run.
    :param conclusion: how it ends, by attempt (the last one repeats); a context ends in that state.
    :param log: what it printed, likewise by attempt; None: the log has expired.
    :param appears: when it shows at all; :param starts: when it runs; :param ends: when it is done.
    :param required: whether branch protection asks for it.
    :param collects: a gate: ends after all other jobs of the plan, in failure if one of them failed.
    """

    name: str
    workflow: str = "CI"
    context: bool = False
    conclusion: str | tuple[str, ...] = "success"
    log: str | None | tuple[str | None, ...] = ""
    appears: After = After()
    starts: After = After(polls=1)
    ends: After = After(polls=2)
    required: bool = False
    collects: bool = False
    url: str = ""


class Tree:
    """The pushed commit, for a plan that looks into it."""

    def __init__(self, store: GitStore, sha: str) -> None:
        self._store = store
        self.sha = sha
        self._oids = {
            entry.path: entry.oid
            for entry in store.listing(sha, recursive=True)
            if entry.kind == "blob"
        }

    def paths(self) -> list[str]:
        """The paths of all files, sorted."""
        return sorted(self._oids)

    def read(self, path: str) -> bytes | None:
        """A file's bytes; None where there is no such file."""
        oid = self._oids.get(path)
        return None if oid is None else self._store.blob(oid)


Plan = Callable[[Tree], Sequence[Job]]
Round = Plan | Sequence[Job]


@dataclass(slots=True)
class _Trigger:
    """What starts CI: a push to a branch that fits, or a comment of a form. The nth start uses the nth round."""

    kind: str
    pattern: str
    rounds: tuple[Round, ...]
    repository: str
    fired: int = 0

    def next_round(self) -> Round:
        """The plan of this start; the last one repeats."""
        current = self.rounds[min(self.fired, len(self.rounds) - 1)]
        self.fired += 1
        return current


@dataclass(slots=True)
class _Running:
    """A job of a started plan, with the record that the API shows (none before it appears)."""

    job: Job
    plan: _Started
    polls: int
    since: datetime
    attempt: int = 1
    record: CheckRun | StatusContext | None = None

    @property
    def done(self) -> bool:
        """Whether it has ended."""
        if isinstance(self.record, CheckRun):
            return self.record.status == "completed"
        return self.record is not None and self.record.state not in ("pending", "expected")

    @property
    def good(self) -> bool:
        """Whether it ended well."""
        if isinstance(self.record, CheckRun):
            return self.record.conclusion in GOOD
        return self.record is not None and self.record.state == "success"


@dataclass(slots=True)
class _Started:
    """A plan at work on a commit."""

    repository: Repository
    sha: str
    branch: str
    event: str
    jobs: list[_Running] = field(default_factory=list)
    runs: dict[str, WorkflowRun] = field(default_factory=dict)


class Script:
    """The CI of all repositories of a sandbox."""

    def __init__(self, bot: User) -> None:
        self._bot = bot
        self._triggers: list[_Trigger] = []
        self._started: list[_Started] = []
        self._reads: dict[tuple[int, str], int] = {}

    def on_push(self, *rounds: Round, branch: str = "*", repository: str = "*") -> None:
        """Start a plan whenever a branch that fits the pattern is pushed."""
        self._triggers.append(_Trigger("push", branch, rounds, repository))

    def on_comment(self, *rounds: Round, text: str = OK_TO_TEST, repository: str = "*") -> None:
        """Start a plan whenever somebody comments so on a pull request, naming its present head."""
        self._triggers.append(_Trigger("comment", text, rounds, repository))

    def pushed(self, repository: Repository, branch: str, sha: str) -> None:
        """A branch was pushed."""
        for trigger in self._matching("push", repository):
            if fnmatch.fnmatchcase(branch, trigger.pattern):
                self.start(repository, sha, trigger.next_round(), branch=branch)

    def commented(self, repository: Repository, issue: Issue, body: str) -> None:
        """Somebody commented on a pull request; the copy bot keeps a branch of its own."""
        if issue.pull is None:
            return
        repository.refresh(issue)
        sha = issue.pull.head_sha
        for trigger in self._matching("comment", repository):
            if body.strip() == trigger.pattern.format(sha=sha):
                copy = f"pull-request/{issue.number}"
                repository.git.set_ref(f"refs/heads/{copy}", sha)
                self.start(repository, sha, trigger.next_round(), branch=copy)

    def _matching(self, kind: str, repository: Repository) -> list[_Trigger]:
        name = repository.full_name
        return [
            t for t in self._triggers if t.kind == kind and fnmatch.fnmatchcase(name, t.repository)
        ]

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
        started = _Started(repository, sha, branch, event)
        reads, now = self._reads.get((repository.id, sha), 0), repository.world.now()
        started.jobs = [_Running(job, started, reads, now) for job in jobs]
        self._started.append(started)
        self._advance(started)

    def read(self, repository: Repository, sha: str) -> None:
        """Somebody reads the rollup of a commit: that counts."""
        key = (repository.id, sha)
        self._reads[key] = self._reads.get(key, 0) + 1
        self.advance(repository, sha)

    def advance(self, repository: Repository, sha: str) -> None:
        """Bring the checks of a commit up to now."""
        for started in self._started:
            if started.repository is repository and started.sha == sha:
                self._advance(started)

    def rerun_failed(self, repository: Repository, run: WorkflowRun) -> bool:
        """Run the failed jobs of a workflow run again, and the gates behind them; False where none failed."""
        jobs = [job for job in self._jobs_of(run) if job.done and not job.good]
        if not jobs:
            return False
        run.attempt += 1
        reads, now = self._reads.get((repository.id, run.sha), 0), repository.world.now()
        for job in jobs:
            job.record, job.attempt = None, run.attempt
            job.polls, job.since = reads, now
        self.advance(repository, run.sha)
        return True

    def _jobs_of(self, run: WorkflowRun) -> Iterator[_Running]:
        for started in self._started:
            for job in started.jobs:
                if isinstance(job.record, CheckRun) and job.record.run is run:
                    yield job

    def _advance(self, started: _Started) -> None:
        polls = self._reads.get((started.repository.id, started.sha), 0)
        for running in sorted(started.jobs, key=lambda one: one.job.collects):
            seconds = (started.repository.world.now() - running.since).total_seconds()
            self._move(running, polls - running.polls, seconds)

    def _move(self, running: _Running, polls: int, seconds: float) -> None:
        """Appear, start and end, as far as the moment allows."""
        job = running.job
        if running.record is None and job.appears.reached(polls, seconds):
            self._appear(running)
        if running.record is None or running.done:
            return
        if isinstance(running.record, CheckRun) and job.starts.reached(polls, seconds):
            running.record.status = "in_progress"
            running.record.started_at = (
                running.record.started_at or running.plan.repository.world.now()
            )
        if job.ends.reached(polls, seconds) and self._may_end(running):
            self._end(running)

    def _may_end(self, running: _Running) -> bool:
        return not running.job.collects or all(
            one.done for one in running.plan.jobs if not one.job.collects
        )

    def _appear(self, running: _Running) -> None:
        repository, job = running.plan.repository, running.job
        now, number = repository.world.now(), repository.world.next_id()
        if job.context:
            status = StatusContext(
                number,
                job.name,
                running.plan.sha,
                "pending",
                now,
                self._bot,
                job.url,
                required=job.required,
            )
            repository.statuses.append(status)
            running.record = status
            return
        run = self._run_of(running)
        suite = run.suite_id if run else repository.world.next_id()
        record = CheckRun(
            number,
            job.name,
            running.plan.sha,
            suite,
            run,
            required=job.required,
            attempt=running.attempt,
        )
        record.details_url = job.url
        repository.check_runs.append(record)
        running.record = record

    def _run_of(self, running: _Running) -> WorkflowRun | None:
        plan, workflow = running.plan, running.job.workflow
        if not workflow:
            return None
        if workflow not in plan.runs:
            world = plan.repository.world
            run = WorkflowRun(
                world.next_id(),
                world.next_id(),
                workflow,
                plan.sha,
                plan.branch,
                plan.event,
                world.now(),
            )
            plan.runs[workflow] = run
            plan.repository.runs[run.id] = run
        return plan.runs[workflow]

    def _end(self, running: _Running) -> None:
        conclusion = _of_attempt(running.job.conclusion, running.attempt) or "success"
        if running.job.collects and not all(
            one.good for one in running.plan.jobs if not one.job.collects
        ):
            conclusion = "failure"
        if isinstance(running.record, CheckRun):
            running.record.status, running.record.conclusion = "completed", conclusion
            running.record.completed_at = running.plan.repository.world.now()
            running.record.log = _of_attempt(running.job.log, running.attempt)
        elif running.record is not None:
            running.record.state = conclusion


def _of_attempt(value: str | None | tuple[str | None, ...], attempt: int) -> str | None:
    """What holds for an attempt, counted from 1; the last one repeats."""
    if isinstance(value, tuple):
        return value[min(attempt, len(value)) - 1]
    return value
