"""Checks: the rollup of a commit, the logs of jobs, and running failed jobs again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nightshift.adapters.github import convert, queries
from nightshift.adapters.github.client import PAGE, Client
from nightshift.adapters.github.failures import Transient
from nightshift.adapters.github.issues import next_cursor
from nightshift.adapters.github.logs import read_log
from nightshift.adapters.github.transport import Call
from nightshift.errors import HostError
from nightshift.values import Check, CheckKind, Rollup

if TYPE_CHECKING:
    import httpx2

READ = "checks: read` and `statuses: read"
CHECKS_READ = "checks: read"
ACTIONS_READ, ACTIONS_WRITE = "actions: read", "actions: write"

RUN = "/repos/{owner}/{name}/actions/runs/{run}"
RERUN = f"{RUN}/rerun-failed-jobs"
CHECK_RUNS = "/repos/{owner}/{name}/commits/{sha}/check-runs"
JOB_LOG = "/repos/{owner}/{name}/actions/jobs/{job}/logs"

Page = Mapping[str, Any]

FINE = frozenset({"", "SUCCESS", "NEUTRAL", "SKIPPED"})
RERUNS, RERUN_PAUSE = 3, 3.0

INCOMPLETE = "GitHub's answer leaves checks out."
OTHER_COMMIT = "GitHub answered for another commit."
NOT_SECURE = "the log is offered over a connection that is not secure."


class Checks:
    """Reads of checks, and the one write on them."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._attempts: dict[int, int] = {}

    def rollup(self, sha: str) -> Rollup:
        """All checks of a commit; none where GitHub does not know the commit (yet).

        :raises HostError: an answer is for another commit, or leaves something out.
        """
        return self.whole(sha, [self._later(sha, None)])

    def whole(self, sha: str, first: Sequence[Page | None], number: int | None = None) -> Rollup:
        """All checks of a commit, from the first page of its contexts on.

        :param first: that page, None where the commit has none.
        :param number: the pull request that they are required by, if it is to be told.
        :raises HostError: a page is for another commit, or leaves something out.
        """
        nodes = [node for page in first for node in self._nodes(sha, page, number)]
        with convert.readable("checks"):
            checks = [convert.check(node) for node in nodes]
            return Rollup(sha, tuple(self._with_attempts(checks)))

    def check_runs(self, sha: str, name: str) -> Sequence[Check]:
        """The check runs of one name on a commit, by REST; of each suite the newest."""
        call = Call("GET", CHECK_RUNS, CHECKS_READ, route={"sha": sha}, query={"check_name": name})
        answer = self._client.read(replace(call, query={**call.query, "per_page": PAGE}))
        with convert.readable("check runs"):
            if int(answer["total_count"]) > len(answer["check_runs"]):
                raise HostError(INCOMPLETE, where=sha, transient=True)
            return [convert.rest_check_run(item) for item in answer["check_runs"]]

    def job_log(self, job_id: int) -> str:
        """The log of a job; "" where it has expired."""
        call = self._client.whole(Call("GET", JOB_LOG, ACTIONS_READ, route={"job": job_id}))
        return self._client.attempts(lambda: self._download(call), repeatable=True)

    def rerun_failed_jobs(self, run_id: int) -> None:
        """Run the failed jobs of a workflow run again, once.

        A run that is not at its end is running again already. Where an answer is lost, the number
        of the run's attempt tells whether it was done.
        """
        before = self._run(run_id)
        if _is_running(before):
            return
        call = Call("POST", RERUN, ACTIONS_WRITE, route={"run": run_id})
        for _ in range(RERUNS):
            try:
                self._client.send(call)
                return
            except Transient as failure:
                if not failure.lost:
                    raise
                lost = failure
            self._client.clock.sleep(RERUN_PAUSE)
            now = self._run(run_id)
            if _is_running(now) or now["run_attempt"] > before["run_attempt"]:
                return
        raise lost

    def _nodes(self, sha: str, page: Page | None, number: int | None) -> Iterator[Page]:
        """The entries of a page, and of those after it."""
        cursor: str | None = None
        while page is not None:
            with convert.readable("checks"):
                if not all(page["nodes"]):
                    raise HostError(INCOMPLETE, where=sha, transient=True)
                yield from page["nodes"]
                cursor = next_cursor(page, cursor)
            page = self._later(sha, cursor, number) if cursor else None

    def _later(self, sha: str, cursor: str | None, number: int | None = None) -> Page | None:
        variables = self._client.in_repository(
            sha=sha,
            first=queries.PAGE,
            cursor=cursor,
            number=number,
            required=number is not None,
        )
        data = self._client.graphql(queries.ROLLUP, variables, permission=READ)
        with convert.readable("checks"):
            return page_of(data["repository"]["object"], sha)

    def _with_attempts(self, checks: Iterable[Check]) -> Iterator[Check]:
        """The checks, those that failed with the attempt of their workflow run.

        GraphQL does not tell it. A job belongs to one attempt for ever and is asked for once.
        """
        runs: dict[int, int] = {}
        for check in checks:
            job, run = check.job_id, check.run_id
            if check.kind is CheckKind.CONTEXT or check.conclusion in FINE or not (job and run):
                yield check
                continue
            if job not in self._attempts:
                if run not in runs:
                    runs[run] = int(self._run(run)["run_attempt"])
                self._attempts[job] = runs[run]
            yield replace(check, run_attempt=self._attempts[job])

    def _run(self, run_id: int) -> Mapping[str, Any]:
        return self._client.read(Call("GET", RUN, ACTIONS_READ, route={"run": run_id}))

    def _download(self, call: Call) -> str:
        """The log behind the redirect, which leads to another host: the token stays here."""
        transport = self._client.transport
        address = transport.address(call)
        with transport.stream(call.asked, address, with_token=True) as response:
            if response.next_request is None:
                return self._text(call, response)
            location = str(response.next_request.url)
        if address.startswith("https:") and not location.startswith("https:"):
            raise HostError(NOT_SECURE, where=call.asked.where)
        with transport.stream(call.asked, location, with_token=False) as response:
            return self._text(call, response)

    def _text(self, call: Call, response: httpx2.Response) -> str:
        if response.status_code in (404, 410):
            return ""
        if response.status_code != 200:
            response.read()
            raise self._client.transport.refusal(call.asked, response)
        return read_log(response.iter_bytes())


def page_of(commit: Page | None, sha: str) -> Page | None:
    """A page of a commit's contexts; None where there is no commit, or nothing on it.

    :raises HostError: it is another commit's.
    """
    if not commit or commit["__typename"] != "Commit":
        return None
    if commit["oid"] != sha:
        raise HostError(OTHER_COMMIT, where=sha)
    rollup = commit["statusCheckRollup"]
    return rollup["contexts"] if rollup else None


def _is_running(run: Mapping[str, Any]) -> bool:
    return str(run.get("status", "completed")) != "completed"
