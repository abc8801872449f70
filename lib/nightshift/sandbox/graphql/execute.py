"""Executes GraphQL: GitHub's own field names, by graphql-core, over a subset of its schema.

Errors have GitHub's form: HTTP 200, `errors` with a `type` beside the message.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

from graphql import ExecutionResult, GraphQLError, GraphQLSchema, build_schema, graphql_sync

from nightshift.sandbox.context import Context
from nightshift.sandbox.forms import stamp
from nightshift.sandbox.graphql.issues import pull
from nightshift.sandbox.graphql.people import actor
from nightshift.sandbox.graphql.repositories import find_pull, repository
from nightshift.sandbox.graphql.values import Field, Info, Json, need, refuse
from nightshift.sandbox.paging import PageError

CLOSED = "Pull request is closed"


@cache
def schema() -> GraphQLSchema:
    """The schema of the sandbox."""
    file = resources.files("nightshift.sandbox.graphql") / "schema.graphql"
    return build_schema(file.read_text(encoding="utf-8"))


def execute(context: Context, request: Json) -> Json:
    """Answer a request, which has a `query` at least; whoever calls holds the world's lock."""
    result = graphql_sync(
        schema(),
        request["query"],
        root_value=_ROOT,
        context_value=context,
        variable_values=request.get("variables"),
        operation_name=request.get("operationName"),
    )
    return _answer(result)


def _answer(result: ExecutionResult) -> Json:
    """`data` is left out where nothing was executed, as GitHub does."""
    errors = [_error(error) for error in result.errors or ()]
    answer: Json = {"errors": errors} if errors else {}
    if result.data is not None or any("path" in error for error in errors):
        answer["data"] = result.data
    return answer


def _error(error: GraphQLError) -> Json:
    """An error in GitHub's form; what is no refusal of ours is a defect here, and must show."""
    cause = error.original_error
    if cause is not None and not isinstance(cause, (PageError, GraphQLError)):
        raise cause
    data = {key: value for key, value in error.formatted.items() if key != "extensions"}
    kind = (error.extensions or {}).get("type")
    if isinstance(cause, PageError):
        kind = "ARGUMENT_ERROR"
    return data | ({"type": kind} if kind else {})


def _repository(info: Info, owner: str, name: str, **_: Any) -> Json:
    found = info.context.world.repository(f"{owner}/{name}")
    if found is None:
        says = f"Could not resolve to a Repository with the name '{owner}/{name}'."
        raise refuse("NOT_FOUND", says)
    return repository(info.context, found)


def _node(info: Info, **arguments: str) -> Json:
    return pull(info.context, *find_pull(info.context, arguments["id"]))


def _viewer(info: Info) -> Json:
    return actor(info.context, info.context.token.user)


def _rate_limit(info: Info, **_: Any) -> Json:
    rate = info.context.token.rate
    return {
        "cost": 1,
        "limit": rate.limit,
        "nodeCount": 0,
        "remaining": rate.remaining,
        "resetAt": stamp(rate.resets_at),
        "used": rate.used,
    }


def _set_draft(draft: bool) -> Field:
    """The mutation that turns a draft into a pull request ready for review, or back."""

    def resolve(info: Info, **arguments: Json) -> Json:
        context, wanted = info.context, arguments["input"]
        need(context, "write", "pull_requests")
        where, issue, details = find_pull(context, wanted["pullRequestId"])
        if not issue.open:
            raise refuse("UNPROCESSABLE", CLOSED)
        if details.draft != draft:
            details.draft, issue.updated_at = draft, context.world.now()
        return {
            "clientMutationId": wanted.get("clientMutationId"),
            "pullRequest": pull(context, where, issue, details),
        }

    return resolve


_ROOT: dict[str, Field] = {
    "repository": _repository,
    "node": _node,
    "viewer": _viewer,
    "rateLimit": _rate_limit,
    "markPullRequestReadyForReview": _set_draft(False),
    "convertPullRequestToDraft": _set_draft(True),
}
