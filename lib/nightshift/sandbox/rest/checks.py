"""REST endpoints of checks: check runs, the combined status, workflow runs, job logs."""

from __future__ import annotations

from werkzeug.wrappers import Response

from nightshift.sandbox.forms import node_id
from nightshift.sandbox.model import CheckRun, WorkflowRun
from nightshift.sandbox.paging import page_of
from nightshift.sandbox.rest import check_views, repo_views, views
from nightshift.sandbox.rest.call import Call, HTTPError, not_found, reply
from nightshift.sandbox.rollup import check_runs_of, combined_state, statuses_of

NOTHING_FAILED = "The workflow run containing this job has no failed jobs."


def _sha(call: Call, ref: str) -> str:
    sha = call.repository.git.resolve(ref)
    if sha is None:
        raise HTTPError(422, f"No commit found for SHA: {ref}")
    call.context.ci.advance(call.repository, sha)
    return sha


def list_check_runs(call: Call, ref: str) -> Response:
    """GET commits/{ref}/check-runs"""
    query = call.request.args
    runs = check_runs_of(call.repository, _sha(call, ref), latest=query.get("filter") != "all")
    name, status = query.get("check_name"), query.get("status")
    found = [run for run in runs if name in (None, run.name) and status in (None, run.status)]
    page, headers = page_of(found, call.request, f"{call.url}/commits/{ref}/check-runs")
    data = {
        "total_count": len(found),
        "check_runs": [check_views.check_run(call, run) for run in page],
    }
    return reply(data, 200, headers)


def combined_status(call: Call, ref: str) -> Response:
    """GET commits/{ref}/status: the newest of each context."""
    sha = _sha(call, ref)
    found = statuses_of(call.repository, sha)
    url = f"{call.url}/commits/{sha}"
    page, headers = page_of(found, call.request, f"{url}/status")
    data = {
        "state": combined_state([status.state for status in found]),
        "statuses": [check_views.status(call, status) for status in page],
        "sha": sha,
        "total_count": len(found),
        "repository": repo_views.minimal(call, views.user(call, call.repository.owner)),
        "commit_url": url,
        "url": f"{url}/status",
    }
    return reply(data, 200, headers)


def _run(call: Call, run_id: int) -> WorkflowRun:
    run = call.repository.runs.get(run_id)
    if run is None:
        raise not_found()
    return run


def get_run(call: Call, run_id: int) -> Response:
    """GET actions/runs/{id}"""
    run = _run(call, run_id)
    call.context.ci.advance(call.repository, run.sha)
    return reply(check_views.workflow_run(call, run))


def rerun_failed(call: Call, run_id: int) -> Response:
    """POST actions/runs/{id}/rerun-failed-jobs"""
    run = _run(call, run_id)
    call.context.ci.advance(call.repository, run.sha)
    if not call.context.ci.rerun_failed(call.repository, run):
        raise HTTPError(403, NOTHING_FAILED)
    return reply({}, 201)


def _job(call: Call, job_id: int) -> CheckRun:
    for run in call.repository.check_runs:
        if run.id == job_id and run.run is not None:
            return run
    raise not_found()


def job_log(call: Call, job_id: int) -> Response:
    """GET actions/jobs/{id}/logs: a redirect to a download address on another host."""
    job = _job(call, job_id)
    call.context.ci.advance(call.repository, job.sha)
    if job.status != "completed":
        raise not_found()
    if job.log is None:
        raise HTTPError(410, "Server Error")
    location = (
        f"{call.context.urls.logs}/{call.repository.id}/{job.id}.txt?sig={node_id('S', job.id)}"
    )
    return Response("", 302, {"Location": location}, content_type="text/html; charset=utf-8")
