"""Checks: the rollup of a commit, the logs of jobs, and running failed jobs again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nightshift.adapters.github import convert, queries
from nightshift.adapters.github.client import Client
from nightshift.adapters.github.failures import Transient
from nightshift.adapters.github.issues import next_cursor
from nightshift.adapters.github.logs import read_log
from nightshift.adapters.github.transport import Call
from nightshift.errors import HostError
from nightshift.values import Check, CheckKind, Rollup

if TYPE_CHECKING:
    import httpx2

READ = "checks: read` and `statuses: read"
ACTIONS_READ, ACTIONS_WRITE = "actions: read", "actions: write"

RUN = "/repos/{owner}/{name}/actions/runs/{run}"
RERUN = f"{RUN}/rerun-failed-jobs"
JOB_LOG = "/repos/{owner}/{name}/actions/jobs/{job}/logs"

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
        nodes = list(self._contexts(sha))
        with convert.readable("checks"):
            checks = [convert.check(node) for node in nodes]
            return Rollup(sha, tuple(self._with_attempts(checks)))

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

    def _contexts(self, sha: str) -> Iterator[Mapping[str, Any]]:
        """The entries of all pages."""
        cursor: str | None = None
        while True:
            variables = self._client.in_repository(sha=sha, first=queries.PAGE, cursor=cursor)
            data = self._client.graphql(queries.ROLLUP, variables, permission=READ)
            with convert.readable("checks"):
                page = _page(data["repository"]["object"], sha)
                if page is None:
                    return
                if not all(page["nodes"]):
                    raise HostError(INCOMPLETE, where=sha, transient=True)
                yield from page["nodes"]
                cursor = next_cursor(page, cursor)
            if cursor is None:
                return

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


def _page(commit: Mapping[str, Any] | None, sha: str) -> Mapping[str, Any] | None:
    """A page of a commit's contexts; None where there is no commit, or nothing on it."""
    if not commit or commit["__typename"] != "Commit":
        return None
    if commit["oid"] != sha:
        raise HostError(OTHER_COMMIT, where=sha)
    rollup = commit["statusCheckRollup"]
    return rollup["contexts"] if rollup else None


def _is_running(run: Mapping[str, Any]) -> bool:
    return str(run.get("status", "completed")) != "completed"
