"""What GitHub makes of the checks of a commit: which ones count, in what order, and their sum."""

from __future__ import annotations

from collections.abc import Sequence

from nightshift.sandbox.model import Check, CheckRun, StatusContext, WorkflowRun
from nightshift.sandbox.repository import Repository

BAD = frozenset(
    {"failure", "error", "cancelled", "timed_out", "action_required", "startup_failure", "stale"}
)


def check_runs_of(repository: Repository, sha: str, *, latest: bool = True) -> list[CheckRun]:
    """The check runs of a commit.

    :param latest: of each suite only the newest of each name, as after a re-run; what other suites
        have under the same name stays.
    """
    runs = [run for run in repository.check_runs if run.sha == sha]
    if not latest:
        return runs
    return list({(run.suite_id, run.name): run for run in runs}.values())


def statuses_of(repository: Repository, sha: str) -> list[StatusContext]:
    """The newest status of each context of a commit."""
    found = [status for status in repository.statuses if status.sha == sha]
    return list({status.context: status for status in found}.values())


def contexts_of(repository: Repository, sha: str) -> list[Check]:
    """The rollup of a commit."""
    return [*check_runs_of(repository, sha), *statuses_of(repository, sha)]


def run_conclusion(repository: Repository, run: WorkflowRun) -> tuple[str, str | None]:
    """Status and conclusion of a workflow run, made from its jobs' newest."""
    jobs = [job for job in check_runs_of(repository, run.sha) if job.run is run]
    if any(job.status != "completed" for job in jobs):
        return "in_progress", None
    if any(job.conclusion in BAD for job in jobs):
        return "completed", "failure"
    return "completed", "success"


def combined_state(states: Sequence[str]) -> str:
    """The sum of commit statuses, as REST says it: failure, pending or success."""
    if any(state in BAD for state in states):
        return "failure"
    if not states or any(state != "success" for state in states):
        return "pending"
    return "success"


def rollup_state(checks: Sequence[Check]) -> str:
    """The sum of a rollup, as GraphQL says it."""
    states = {_state(check) for check in checks}
    for state in ("ERROR", "FAILURE", "PENDING", "EXPECTED"):
        if state in states:
            return state
    return "SUCCESS"


def _state(check: Check) -> str:
    if isinstance(check, StatusContext):
        return check.state.upper()
    if check.status != "completed":
        return "PENDING"
    return "FAILURE" if check.conclusion in BAD else "SUCCESS"
