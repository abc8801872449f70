"""How GraphQL shows a commit and its status-check rollup. Reading a rollup's first page counts as a poll of CI."""

from __future__ import annotations

from typing import Any

from graphql import FieldNode, GraphQLResolveInfo, value_from_ast_untyped
from nightshift.sandbox.call import Json
from nightshift.sandbox.context import Context, refuse
from nightshift.sandbox.model import (Check, CheckRun, StatusContext,
                                      WorkflowRun)
from nightshift.sandbox.paging import connection
from nightshift.sandbox.repository import Repository
from nightshift.sandbox.rollup import contexts_of, rollup_state
from nightshift.sandbox.views import node_id, stamp

ACTIONS = {
    "__typename": "App",
    "id": "A_1",
    "databaseId": 15368,
    "name": "GitHub Actions",
    "slug": "github-actions",
}
REQUIRED_NEEDS = "A pull request ID or pull request number is required."


def commit(context: Context, repository: Repository, sha: str) -> Json:
    """A commit."""
    return {
        "__typename": "Commit",
        "id": f"C_{repository.id}_{sha}",
        "oid": sha,
        "statusCheckRollup": lambda info: rollup(context, repository, sha, info),
    }


def rollup(
    context: Context, repository: Repository, sha: str, info: GraphQLResolveInfo
) -> Json | None:
    """The rollup of a commit; None where it has no check at all.

    :raises GraphQLError: the token may read neither checks nor statuses.
    """
    context.need("checks", "read", "statuses")
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


def _continues(info: GraphQLResolveInfo) -> bool:
    """Whether a query asks for a later page of the contexts: that is still the same poll."""
    fields = [
        node
        for top in info.field_nodes
        if top.selection_set
        for node in top.selection_set.selections
    ]
    for field in fields:
        if isinstance(field, FieldNode) and field.name.value == "contexts":
            for argument in field.arguments or ():
                if argument.name.value == "after":
                    variables = info.variable_values.coerced
                    return value_from_ast_untyped(argument.value, variables) is not None
    return False


def _contexts(context: Context, repository: Repository, checks: list[Check], **page: Any) -> Json:
    whole = connection(checks, name="contexts", **page)
    return whole | {
        "checkRunCount": sum(isinstance(check, CheckRun) for check in checks),
        "statusContextCount": sum(isinstance(check, StatusContext) for check in checks),
        "nodes": [_context(context, repository, check) for check in whole["nodes"]],
    }


def _context(context: Context, repository: Repository, item: Check) -> Json:
    return _run(context, repository, item) if isinstance(item, CheckRun) else _status(context, item)


def _required(item: Check) -> Any:
    def resolve(
        _info: Any, pullRequestId: str | None = None, pullRequestNumber: int | None = None
    ) -> bool:
        if pullRequestId is None and pullRequestNumber is None:
            raise refuse("UNPROCESSABLE", REQUIRED_NEEDS)
        return item.required

    return resolve


def _run(context: Context, repository: Repository, item: CheckRun) -> Json:
    url = f"{context.server_url}/{repository.full_name}{item.details_path}"
    return {
        "__typename": "CheckRun",
        "id": node_id("CR", item.id),
        "databaseId": item.id,
        "name": item.name,
        "status": item.status.upper(),
        "conclusion": item.conclusion.upper() if item.conclusion else None,
        "startedAt": stamp(item.started_at),
        "completedAt": stamp(item.completed_at),
        "detailsUrl": item.details_url or url,
        "url": url,
        "isRequired": _required(item),
        "checkSuite": _suite(context, repository, item),
    }


def _suite(context: Context, repository: Repository, item: CheckRun) -> Json:
    return {
        "__typename": "CheckSuite",
        "id": node_id("CS", item.suite_id),
        "databaseId": item.suite_id,
        "app": ACTIONS if item.run else None,
        "status": item.status.upper(),
        "conclusion": item.conclusion.upper() if item.conclusion else None,
        "createdAt": stamp(item.started_at) or stamp(context.world.now()),
        "workflowRun": _workflow_run(context, repository, item.run) if item.run else None,
    }


def _workflow_run(context: Context, repository: Repository, item: WorkflowRun) -> Json:
    return {
        "__typename": "WorkflowRun",
        "id": node_id("WFR", item.id),
        "databaseId": item.id,
        "event": item.event,
        "runNumber": 1,
        "createdAt": stamp(item.created_at),
        "updatedAt": stamp(item.created_at),
        "url": f"{context.server_url}/{repository.full_name}/actions/runs/{item.id}",
        "workflow": {
            "__typename": "Workflow",
            "id": f"W_{item.workflow}",
            "databaseId": 1,
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
        "creator": {
            "__typename": "Bot" if item.creator.is_bot else "User",
            "id": node_id("U", item.creator.id),
            "databaseId": item.creator.id,
            "login": item.creator.login.removesuffix("[bot]"),
            "url": f"{context.server_url}/{item.creator.login}",
        },
        "isRequired": _required(item),
    }
