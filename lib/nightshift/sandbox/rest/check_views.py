"""How REST shows checks: check runs, statuses, workflow runs."""

from __future__ import annotations

from typing import Any

from nightshift.sandbox.forms import node_id, stamp
from nightshift.sandbox.model import CheckRun, StatusContext, WorkflowRun
from nightshift.sandbox.rest.call import Call
from nightshift.sandbox.rest.repo_views import minimal
from nightshift.sandbox.rest.views import user
from nightshift.sandbox.rollup import run_conclusion

Json = dict[str, Any]


def check_run(call: Call, item: CheckRun) -> Json:
    """A check run."""
    url = f"{call.url}/check-runs/{item.id}"
    page = call.context.urls.check_page(call.repository, item)
    return {
        "id": item.id,
        "head_sha": item.sha,
        "node_id": node_id("CR", item.id),
        "external_id": "",
        "url": url,
        "html_url": page,
        "details_url": item.details_url or page,
        "status": item.status,
        "conclusion": item.conclusion,
        "started_at": stamp(item.started_at),
        "completed_at": stamp(item.completed_at),
        "output": {
            "title": None,
            "summary": None,
            "text": None,
            "annotations_count": 0,
            "annotations_url": f"{url}/annotations",
        },
        "name": item.name,
        "check_suite": {"id": item.suite_id},
        "app": None,
        "pull_requests": [],
    }


def status(call: Call, item: StatusContext) -> Json:
    """One context of a combined status. REST knows no `expected`."""
    return {
        "url": f"{call.url}/statuses/{item.sha}",
        "avatar_url": f"{call.context.urls.server}/avatars/{item.creator.id}",
        "id": item.id,
        "node_id": node_id("SC", item.id),
        "state": "pending" if item.state == "expected" else item.state,
        "description": item.description,
        "target_url": item.target_url or None,
        "context": item.context,
        "created_at": stamp(item.created_at),
        "updated_at": stamp(item.created_at),
    }


def workflow_run(call: Call, item: WorkflowRun) -> Json:
    """A workflow run. `run_attempt` is 1 until failed jobs are run again."""
    url = f"{call.url}/actions/runs/{item.id}"
    state, conclusion = run_conclusion(call.repository, item)
    owner = user(call, call.repository.owner)
    return {
        "id": item.id,
        "name": item.workflow,
        "node_id": node_id("WFR", item.id),
        "check_suite_id": item.suite_id,
        "check_suite_node_id": node_id("CS", item.suite_id),
        "head_branch": item.branch,
        "head_sha": item.sha,
        "path": f".github/workflows/{item.workflow}.yml",
        "display_title": item.workflow,
        "run_number": item.number,
        "run_attempt": item.attempt,
        "event": item.event,
        "status": state,
        "conclusion": conclusion,
        "workflow_id": item.workflow_id,
        "url": url,
        "html_url": f"{call.context.urls.page_of(call.repository)}/actions/runs/{item.id}",
        "pull_requests": [],
        "created_at": stamp(item.created_at),
        "updated_at": stamp(item.created_at),
        "run_started_at": stamp(item.created_at),
        "jobs_url": f"{url}/jobs",
        "logs_url": f"{url}/logs",
        "check_suite_url": f"{call.url}/check-suites/{item.suite_id}",
        "artifacts_url": f"{url}/artifacts",
        "cancel_url": f"{url}/cancel",
        "rerun_url": f"{url}/rerun",
        "workflow_url": f"{call.url}/actions/workflows/{item.workflow_id}",
        "head_commit": None,
        "repository": minimal(call, owner),
        "head_repository": minimal(call, owner),
    }
