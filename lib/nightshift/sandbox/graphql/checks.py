"""How GraphQL shows a commit and its status-check rollup.

Reading a rollup counts as a poll of CI; reading its further pages does not, so that they fit.
"""

from __future__ import annotations

from typing import Any

from graphql import FieldNode, value_from_ast_untyped

from nightshift.sandbox.context import Context
from nightshift.sandbox.forms import node_id, stamp
from nightshift.sandbox.graphql.people import actor
from nightshift.sandbox.graphql.values import Field, Info, Json, need, refuse
from nightshift.sandbox.model import Check, CheckRun, StatusContext, WorkflowRun
from nightshift.sandbox.paging import connection
from nightshift.sandbox.repository import Repository
from nightshift.sandbox.rollup import contexts_of, rollup_state

ACTIONS = {
    "__typename": "App",
    "id": node_id("A", 15368),
    "databaseId": 15368,
    "name": "GitHub Actions",
    "slug": "github-actions",
}
REQUIRED_OF_WHAT = "A pull request ID or pull request number is required."


def commit(context: Context, repository: Repository, sha: str) -> Json:
    """A commit."""
    return {
        "__typename": "Commit",
        "id": f"C_{repository.id}_{sha}",
        "oid": sha,
        "statusCheckRollup": lambda info: rollup(context, repository, sha, info),
    }


def ref(context: Context, item: Repository, name: str) -> Json | None:
    """A ref, by its whole name or as a branch; None where there is none.

    :raises GraphQLError: the token may not read contents.
    """
    need(context, "read", "contents")
    full = name if name.startswith("refs/") else f"refs/heads/{name}"
    sha = item.git.resolve(full)
    if sha is None:
        return None
    prefix = "/".join(full.split("/")[:2]) + "/"
    return {
        "__typename": "Ref",
        "id": f"REF_{item.id}_{full}",
        "name": full.removeprefix(prefix),
        "prefix": prefix,
        "target": commit(context, item, sha),
    }


def rollup(context: Context, repository: Repository, sha: str, info: Info) -> Json | None:
    """The rollup of a commit; None where it has no check at all.

    :raises GraphQLError: the token may read neither checks nor statuses.
    """
    need(context, "read", "checks", "statuses")
    if not _continues(info):
        context.ci.read(repository, sha)
    checks = contexts_of(repository, sha)
    if not checks:
        return None
    return {
        "__typename": "StatusCheckRollup",
        "id": f"SCR_{repository.id}_{sha}",
        "state": rollup_state(checks),
        "commit": lambda _info: commit(context, repository, sha),
        "contexts": lambda _info, **page: _contexts(context, repository, checks, **page),
    }


def _continues(info: Info) -> bool:
    """Whether a query asks for a later page of the contexts."""
    fields = [
        node
        for top in info.field_nodes
        if top.selection_set
        for node in top.selection_set.selections
    ]
    arguments = [
        argument
        for field in fields
        if isinstance(field, FieldNode) and field.name.value == "contexts"
        for argument in field.arguments or ()
        if argument.name.value == "after"
    ]
    variables = info.variable_values.coerced
    return any(value_from_ast_untyped(one.value, variables) is not None for one in arguments)


def _contexts(context: Context, repository: Repository, checks: list[Check], **page: Any) -> Json:
    whole = connection(checks, name="contexts", **page)
    return whole | {
        "checkRunCount": sum(isinstance(check, CheckRun) for check in checks),
        "statusContextCount": sum(isinstance(check, StatusContext) for check in checks),
        "nodes": [_check(context, repository, check) for check in whole["nodes"]],
    }


def _check(context: Context, repository: Repository, item: Check) -> Json:
    if isinstance(item, CheckRun):
        return _run(context, repository, item)
    return _status(context, item)


def _required(item: Check) -> Field:
    def resolve(_info: Info, **pull_request: Any) -> bool:
        if all(value is None for value in pull_request.values()):
            raise refuse("UNPROCESSABLE", REQUIRED_OF_WHAT)
        return item.required

    return resolve


def _run(context: Context, repository: Repository, item: CheckRun) -> Json:
    page = context.urls.check_page(repository, item)
    return {
        "__typename": "CheckRun",
        "id": node_id("CR", item.id),
        "databaseId": item.id,
        "name": item.name,
        "startedAt": stamp(item.started_at),
        "completedAt": stamp(item.completed_at),
        "detailsUrl": item.details_url or page,
        "url": page,
        "isRequired": _required(item),
        "checkSuite": _suite(context, repository, item),
        **_progress(item),
    }


def _progress(item: CheckRun) -> Json:
    conclusion = item.conclusion.upper() if item.conclusion else None
    return {"status": item.status.upper(), "conclusion": conclusion}


def _suite(context: Context, repository: Repository, item: CheckRun) -> Json:
    return {
        "__typename": "CheckSuite",
        "id": node_id("CS", item.suite_id),
        "databaseId": item.suite_id,
        "app": ACTIONS if item.run else None,
        "createdAt": stamp(item.created_at),
        "workflowRun": _workflow_run(context, repository, item.run) if item.run else None,
        **_progress(item),
    }


def _workflow_run(context: Context, repository: Repository, item: WorkflowRun) -> Json:
    return {
        "__typename": "WorkflowRun",
        "id": node_id("WFR", item.id),
        "databaseId": item.id,
        "event": item.event,
        "runNumber": item.number,
        "createdAt": stamp(item.created_at),
        "updatedAt": stamp(item.created_at),
        "url": f"{context.urls.page_of(repository)}/actions/runs/{item.id}",
        "workflow": {
            "__typename": "Workflow",
            "id": node_id("W", item.workflow_id),
            "databaseId": item.workflow_id,
            "name": item.workflow,
        },
    }


def _status(context: Context, item: StatusContext) -> Json:
    return {
        "__typename": "StatusContext",
        "id": node_id("SC", item.id),
        "context": item.context,
        "state": item.state.upper(),
        "description": item.description,
        "targetUrl": item.target_url or None,
        "createdAt": stamp(item.created_at),
        "creator": actor(context, item.creator),
        "isRequired": _required(item),
    }
