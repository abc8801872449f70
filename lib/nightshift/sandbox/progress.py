"""A plan at work on a commit: jobs appear, start, end and run again as polls and seconds go by."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from nightshift.sandbox.jobs import Job
from nightshift.sandbox.model import CheckRun, StatusContext, User, WorkflowRun
from nightshift.sandbox.repository import Repository

GOOD = frozenset({"success", "skipped", "neutral"})
UNDECIDED = frozenset({"pending", "expected"})


@dataclass(slots=True)
class Running:
    """A job of a started plan, with the record that the API shows (none before it appears).

    :param polls: how often the commit's rollup had been read when the job was started.
    :param since: when that was.
    """

    job: Job
    polls: int
    since: datetime
    attempt: int = 1
    record: CheckRun | StatusContext | None = None

    @property
    def done(self) -> bool:
        """Whether it has ended."""
        if isinstance(self.record, CheckRun):
            return self.record.status == "completed"
        return self.record is not None and self.record.state not in UNDECIDED

    @property
    def good(self) -> bool:
        """Whether it ended well."""
        if isinstance(self.record, CheckRun):
            return self.record.conclusion in GOOD
        return self.record is not None and self.record.state == "success"


@dataclass(slots=True)
class Started:
    """A plan at work.

    :param branch: where the commit was pushed; :param event: what started the workflows.
    :param bot: who reports the status contexts.
    """

    repository: Repository
    sha: str
    branch: str
    event: str
    bot: User
    jobs: list[Running] = field(default_factory=list)
    runs: dict[str, WorkflowRun] = field(default_factory=dict)

    def advance(self, polls: int) -> None:
        """Bring all jobs up to now; gates last, since they look at the others.

        :param polls: how often the commit's rollup has been read.
        """
        now = self.repository.world.now()
        for running in sorted(self.jobs, key=lambda one: one.job.collects):
            self._move(running, polls - running.polls, (now - running.since).total_seconds())

    def rerun_failed(self, run: WorkflowRun, polls: int) -> bool:
        """Run the failed jobs of a workflow run again; False where none failed."""
        failed = [one for one in self.jobs if _run_of(one) is run and one.done and not one.good]
        if failed:
            run.attempt += 1
        for one in failed:
            one.record, one.attempt = None, run.attempt
            one.polls, one.since = polls, self.repository.world.now()
        return bool(failed)

    def _move(self, running: Running, polls: int, seconds: float) -> None:
        job = running.job
        if running.record is None and job.appears.reached(polls, seconds):
            running.record = self._status(job) if job.context else self._check_run(running)
        if running.record is None or running.done:
            return
        if isinstance(running.record, CheckRun) and job.starts.reached(polls, seconds):
            running.record.status = "in_progress"
            running.record.started_at = running.record.started_at or self.repository.world.now()
        if job.ends.reached(polls, seconds) and (not job.collects or self._others_done()):
            self._end(running)

    def _collected(self) -> list[Running]:
        """What a gate collects: check runs. It knows nothing of other systems' contexts."""
        return [one for one in self.jobs if not (one.job.collects or one.job.context)]

    def _others_done(self) -> bool:
        return all(one.done for one in self._collected())

    def _status(self, job: Job) -> StatusContext:
        return self.repository.add_status(
            self.sha,
            job.name,
            job.first or "pending",
            by=self.bot.login,
            target_url=job.url,
            required=job.required,
        )

    def _check_run(self, running: Running) -> CheckRun:
        job = running.job
        return self.repository.add_check_run(
            self.sha,
            job.name,
            run=self._workflow_run(job.workflow) if job.workflow else None,
            status=job.first or "queued",
            required=job.required,
            details_url=job.url,
        )

    def _workflow_run(self, workflow: str) -> WorkflowRun:
        """The run of a workflow for this plan, made with its first job."""
        if workflow not in self.runs:
            self.runs[workflow] = self.repository.add_run(
                self.sha, workflow, branch=self.branch, event=self.event
            )
        return self.runs[workflow]

    def _end(self, running: Running) -> None:
        conclusion = running.job.conclusion_of(running.attempt)
        if running.job.collects and not all(one.good for one in self._collected()):
            conclusion = "failure"
        if isinstance(running.record, CheckRun):
            now = self.repository.world.now()
            running.record.status, running.record.conclusion = "completed", conclusion
            running.record.started_at = running.record.started_at or now
            running.record.completed_at = now
            running.record.log = running.job.log_of(running.attempt)
        elif running.record is not None:
            running.record.state = conclusion


def _run_of(running: Running) -> WorkflowRun | None:
    return running.record.run if isinstance(running.record, CheckRun) else None
