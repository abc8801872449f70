"""The GraphQL face: GitHub's own field names, executed by graphql-core over a subset of its schema.

Errors have GitHub's form: HTTP 200, `errors` with a `type` beside the message. The objects come from `nodes`.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

from graphql import (ExecutionResult, GraphQLError, GraphQLResolveInfo,
                     GraphQLSchema, build_schema, graphql_sync)
from nightshift.sandbox import nodes
from nightshift.sandbox.call import HTTPError, Json, reply
from nightshift.sandbox.context import Context, refuse
from nightshift.sandbox.paging import PageError
from werkzeug.wrappers import Response


@cache
def schema() -> GraphQLSchema:
    """The schema of the sandbox."""
    text = (
        resources.files("nightshift.sandbox").joinpath("schema.graphql").read_text(encoding="utf-8")
    )
    return build_schema(text)


def execute(context: Context, body: bytes) -> Response:
    """Answer a POST to the GraphQL endpoint.

    :raises HTTPError: 400, the request is no JSON object with a query.
    """
    data = _request(body)
    with context.world.lock:
        result = graphql_sync(
            schema(),
            data["query"],
            root_value=_ROOT,
            context_value=context,
            variable_values=data.get("variables"),
            operation_name=data.get("operationName"),
        )
    return reply(_answer(result))


def _request(body: bytes) -> Json:
    try:
        data = json.loads(body)
    except ValueError as error:
        raise HTTPError(400, "Problems parsing JSON") from error
    if not isinstance(data, dict) or not isinstance(data.get("query"), str):
        raise HTTPError(400, "A query attribute must be specified and must be a string.")
    return data


def _answer(result: ExecutionResult) -> Json:
    """`data` is left out where nothing was executed, as GitHub does."""
    answer: Json = {}
    if result.data is not None or not result.errors:
        answer["data"] = result.data
    if result.errors:
        answer["errors"] = [_error(error) for error in result.errors]
        if any(error.path for error in result.errors):
            answer.setdefault("data", None)
    return answer


def _error(error: GraphQLError) -> Json:
    """An error in GitHub's form; what is no refusal of ours is a fault of the sandbox and must show."""
    cause = error.original_error
    if cause is not None and not isinstance(cause, (PageError, GraphQLError)):
        raise cause
    data: Json = dict(error.formatted)
    kind = (error.extensions or {}).get("type") or (
        "ARGUMENT_ERROR" if isinstance(cause, PageError) else None
    )
    if kind:
        data["type"] = kind
    data.pop("extensions", None)
    return data


def _repository(info: GraphQLResolveInfo, owner: str, name: str, **_: Any) -> Json:
    context: Context = info.context
    repository = context.world.repository(f"{owner}/{name}")
    if repository is None:
        raise refuse(
            "NOT_FOUND", f"Could not resolve to a Repository with the name '{owner}/{name}'."
        )
    return nodes.repository(context, repository)


def _node(info: GraphQLResolveInfo, **arguments: Any) -> Json:
    context: Context = info.context
    repository, issue = nodes.find_pull(context, arguments["id"])
    return nodes.pull(context, repository, issue)


def _viewer(info: GraphQLResolveInfo) -> Json:
    context: Context = info.context
    return nodes.actor(context, context.token.user)


def _rate_limit(info: GraphQLResolveInfo, **_: Any) -> Json:
    token = info.context.token
    return {
        "cost": 1,
        "limit": token.rate_limit,
        "nodeCount": 1,
        "remaining": max(token.rate_limit - token.rate_used, 0),
        "resetAt": nodes.stamp(info.context.world.now()),
        "used": token.rate_used,
    }


def _set_draft(draft: bool) -> Any:
    """The mutation that turns a draft into a pull request ready for review, or back."""

    def resolve(info: GraphQLResolveInfo, **arguments: Any) -> Json:
        context: Context = info.context
        context.need("pull_requests", "write")
        wanted = arguments["input"]
        repository, issue = nodes.find_pull(context, wanted["pullRequestId"])
        assert issue.pull is not None
        if not issue.open:
            raise refuse("UNPROCESSABLE", "Pull request is closed")
        if issue.pull.draft != draft:
            issue.pull.draft, issue.updated_at = draft, context.world.now()
        return {
            "clientMutationId": wanted.get("clientMutationId"),
            "pullRequest": nodes.pull(context, repository, issue),
        }

    return resolve


_ROOT = {
    "repository": _repository,
    "node": _node,
    "viewer": _viewer,
    "rateLimit": _rate_limit,
    "markPullRequestReadyForReview": _set_draft(False),
    "convertPullRequestToDraft": _set_draft(True),
}
