"""Pull requests and CI in memory: `ports.GitHub` as far as a sync asks, on the git of
`support.fakes`. Numbers are counted, time is a simulated clock's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from nightshift.values import Check, CheckKind, Comment, Issue, PullRequest, Rollup, Standing
from support.fakes import FakeGit, Switch

US = "nightshift[bot]"


@dataclass(frozen=True)
class Job:
    """How a check of a plan ends. `log` and `conclusion` by attempt; the last one repeats."""

    name: str
    conclusion: str | tuple[str, ...] = "SUCCESS"
    log: str | tuple[str, ...] = ""
    seconds: float = 60
    context: bool = False
    workflow: str = "CI"
    required: bool = False


Plan = Callable[[Mapping[str, str]], Sequence[Job]]
"""A commit's files -> the jobs that CI runs on it. A job `Gate` that collects them is added."""


@dataclass
class _Run:
    sha: str
    jobs: Sequence[Job]
    started: datetime
    run_id: int
    attempt: int = 1
    numbers: dict[tuple[str, int], int] = field(default_factory=dict)


@dataclass
class FakeHub:
    """`ports.GitHub` as far as a sync asks. CI starts by comment."""

    git: FakeGit
    switch: Switch
    plan: Plan
    labels: set[str] = field(default_factory=set)
    pulls: dict[int, PullRequest] = field(default_factory=dict)
    threads: dict[int, list[Comment]] = field(default_factory=dict)
    runs: list[_Run] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    starts_ci: bool = True
    _last: int = 100

    @property
    def now(self) -> datetime:
        """The simulated time."""
        return self.git.clock.now()

    def add_pull(self, **more: Any) -> PullRequest:
        """A pull request that is there already."""
        number = self._next()
        given: dict[str, Any] = {
            "number": number,
            "node_id": f"node-{number}",
            "url": f"https://host.invalid/pull/{number}",
            "title": "",
            "body": "",
            "draft": True,
            "open": True,
            "merged": False,
            "head_ref": "",
            "head_sha": "",
            "base_ref": "dev",
            "author": US,
        }
        self.pulls[number] = PullRequest(**{**given, **more})
        self.threads.setdefault(number, [])
        return self.pulls[number]

    def say(self, number: int, body: str, author: str = "ada", role: str = "MEMBER") -> Comment:
        """Somebody comments."""
        comment = Comment(body, author, role, id=self._next(), created_at=self.now)
        self.threads[number].append(comment)
        pull = self.pull_of(number)
        if self.starts_ci and body == f"/ok to test {pull.head_sha}":
            self.start(pull.head_sha)
        return comment

    def start(self, sha: str, jobs: Sequence[Job] | None = None) -> None:
        """CI runs on a commit."""
        planned = self.plan(self.git.files(sha)) if jobs is None else jobs
        self.runs.append(_Run(sha, planned, self.now, self._next()))

    def pull_of(self, number: int) -> PullRequest:
        """A pull request with its head as the remote has it."""
        pull = self.pulls[number]
        head = self.git.branches.get(pull.head_ref)
        ours = pull.open and head and not pull.from_fork
        return replace(pull, head_sha=head) if ours else pull

    def pull_requests(
        self, *, base: str, state: str = "open", limit: int = 100
    ) -> Sequence[PullRequest]:
        with self.switch.call("pull_requests"):
            found = [self.pull_of(number) for number in sorted(self.pulls, reverse=True)]
            wanted = [p for p in found if p.base_ref == base and p.open == (state == "open")]
            return wanted[:limit]

    def pull_request(self, number: int) -> PullRequest:
        with self.switch.call("pull_request"):
            return self.pull_of(number)

    def issue(self, number: int) -> Issue:
        with self.switch.call("issue"):
            pull = self.pull_of(number)
            return Issue(
                number,
                pull.title,
                pull.body,
                comments=tuple(self.threads[number]),
                labels=pull.labels,
                url=pull.url,
            )

    def label_names(self) -> frozenset[str]:
        with self.switch.call("label_names"):
            return frozenset(self.labels)

    def standing(self, number: int) -> Standing:
        with self.switch.call("standing"):
            pull = self.pull_of(number)
            head = self.git.branches.get(pull.head_ref, "")
            return Standing(pull, head, tuple(self.threads[number]), self._rollup(head))

    def rollup(self, sha: str) -> Rollup:
        with self.switch.call("rollup"):
            return self._rollup(sha)

    def check_runs(self, sha: str, name: str) -> Sequence[Check]:
        with self.switch.call("check_runs"):
            found = [one for one in self._rollup(sha).checks if one.kind is CheckKind.RUN]
            return [one for one in found if one.name == name]

    def _rollup(self, sha: str) -> Rollup:
        runs = [run for run in self.runs if run.sha == sha]
        return Rollup(sha, tuple(c for run in runs for c in self._checks(run)))

    def job_log(self, job_id: int) -> str:
        with self.switch.call("job_log"):
            for run in self.runs:
                for (name, attempt), number in run.numbers.items():
                    if number == job_id:
                        job = next((job for job in run.jobs if job.name == name), None)
                        return _of(job.log, attempt) if job else ""
            raise AssertionError(job_id)

    def add_labels(self, number: int, labels: Sequence[str]) -> None:
        with self.switch.call("add_labels"):
            pull = self.pulls[number]
            self._write(f"label {number}")
            # The endpoint only adds: what is there already stays as it is.
            both = tuple(dict.fromkeys((*pull.labels, *labels)))
            self.pulls[number] = replace(pull, labels=both)

    def post_comment(self, number: int, body: str) -> Comment:
        with self.switch.call("post_comment"):
            self._write(f"comment {number}")
            return self.say(number, body, US, "CONTRIBUTOR")

    def open_pull_request(self, *, head: str, base: str, title: str, body: str) -> PullRequest:
        with self.switch.call("open_pull_request"):
            assert head in self.git.branches
            assert not [
                pull
                for pull in self.pulls.values()
                if pull.open and pull.head_ref == head and not pull.from_fork
            ]
            self._write(f"open {head}")
            return self.add_pull(title=title, body=body, head_ref=head, base_ref=base)

    def edit_pull_request(
        self, number: int, *, title: str | None = None, body: str | None = None
    ) -> None:
        with self.switch.call("edit_pull_request"):
            assert body is not None and title is None
            self._write(f"edit {number}")
            self.pulls[number] = replace(self.pulls[number], body=body)

    def close_pull_request(self, number: int) -> None:
        with self.switch.call("close_pull_request"):
            self._write(f"close {number}")
            self.pulls[number] = replace(self.pull_of(number), open=False)

    def mark_ready(self, node_id: str) -> None:
        with self.switch.call("mark_ready"):
            number = int(node_id.removeprefix("node-"))
            self._write(f"ready {number}")
            self.pulls[number] = replace(self.pulls[number], draft=False)

    def rerun_failed_jobs(self, run_id: int) -> None:
        with self.switch.call("rerun_failed_jobs"):
            run = next(run for run in self.runs if run.run_id == run_id)
            if all(check.status == "COMPLETED" for check in self._checks(run)):
                self._write(f"rerun {run_id}")
                run.attempt, run.started = run.attempt + 1, self.now

    def _checks(self, run: _Run) -> list[Check]:
        """The jobs, and a gate that ends with the last of ours and fails with any of ours."""
        checks = [self._check(run, job) for job in run.jobs]
        if any(job.name == "Gate" for job in run.jobs):
            return checks
        ours = [check for check in checks if check.kind is CheckKind.RUN]
        bad = [check for check in ours if check.conclusion not in ("", "SUCCESS", "SKIPPED")]
        seconds = max((job.seconds for job in run.jobs if not job.context), default=0)
        gate = Job("Gate", "FAILURE" if bad else "SUCCESS", seconds=seconds)
        return [*checks, self._check(run, gate)]

    def _check(self, run: _Run, job: Job) -> Check:
        age = (self.now - run.started).total_seconds()
        done = age >= job.seconds
        conclusion = _of(job.conclusion, run.attempt) if done else ""
        if job.context:
            state = conclusion or "PENDING"
            url = f"https://ci.invalid/{job.name}"
            return Check(
                CheckKind.CONTEXT,
                job.name,
                "",
                state,
                url=url,
                started_at=run.started,
                required=job.required,
            )
        number = run.numbers.setdefault((job.name, run.attempt), self._next())
        return Check(
            CheckKind.RUN,
            job.name,
            "COMPLETED" if done else "IN_PROGRESS",
            conclusion,
            workflow=job.workflow,
            url=f"https://host.invalid/runs/{run.run_id}/job/{number}",
            started_at=run.started,
            completed_at=run.started + timedelta(seconds=job.seconds) if done else None,
            job_id=number,
            run_id=run.run_id,
            run_attempt=run.attempt,
        )

    def _write(self, what: str) -> None:
        self.writes.append(what)

    def _next(self) -> int:
        self._last += 1
        return self._last


def _of(value: str | tuple[str, ...], attempt: int) -> str:
    return value if isinstance(value, str) else value[min(attempt, len(value)) - 1]
