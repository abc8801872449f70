"""The REST face: a table of endpoints, the routing, and GitHub's headers. The deeds are in `rest_*`.

An endpoint that the sandbox does not know answers 501, so that nobody takes it for "not there".
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nightshift.sandbox import rest_checks, rest_issues, rest_pulls, rest_repos
from nightshift.sandbox.call import NOT_INTEGRATION, Call, HTTPError
from nightshift.sandbox.state import Token
from werkzeug.exceptions import MethodNotAllowed, NotFound
from werkzeug.routing import Map, Rule
from werkzeug.wrappers import Request, Response

Handler = Callable[..., Response]
ISSUES, PULLS = ("issues",), ("pull_requests",)
EITHER = ("issues", "pull_requests")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint below a repository: who may call it, and what does it. One of the permissions is enough."""

    method: str
    path: str
    permissions: tuple[str, ...]
    handler: Handler

    @property
    def access(self) -> str:
        """What the permission must allow."""
        return "read" if self.method == "GET" else "write"


ENDPOINTS = (
    Endpoint("GET", "", ("metadata",), rest_repos.get_repository),
    Endpoint("GET", "/contents/<path:path>", ("contents",), rest_repos.get_contents),
    Endpoint("GET", "/git/ref/<path:ref>", ("contents",), rest_repos.get_ref),
    Endpoint("GET", "/labels", EITHER, rest_issues.list_labels),
    Endpoint("GET", "/issues", EITHER, rest_issues.list_issues),
    Endpoint("GET", "/issues/<int:number>", EITHER, rest_issues.get_issue),
    Endpoint("GET", "/issues/<int:number>/comments", EITHER, rest_issues.list_comments),
    Endpoint("POST", "/issues/<int:number>/comments", EITHER, rest_issues.post_comment),
    Endpoint("POST", "/issues/<int:number>/labels", EITHER, rest_issues.add_labels),
    Endpoint("GET", "/issues/<int:number>/timeline", EITHER, rest_issues.list_timeline),
    Endpoint("GET", "/pulls", PULLS, rest_pulls.list_pulls),
    Endpoint("POST", "/pulls", PULLS, rest_pulls.open_pull),
    Endpoint("GET", "/pulls/<int:number>", PULLS, rest_pulls.get_pull),
    Endpoint("PATCH", "/pulls/<int:number>", PULLS, rest_pulls.edit_pull),
    Endpoint("GET", "/commits/<path:ref>/check-runs", ("checks",), rest_checks.list_check_runs),
    Endpoint("GET", "/commits/<path:ref>/status", ("statuses",), rest_checks.combined_status),
    Endpoint("GET", "/actions/runs/<int:run_id>", ("actions",), rest_checks.get_run),
    Endpoint(
        "POST",
        "/actions/runs/<int:run_id>/rerun-failed-jobs",
        ("actions",),
        rest_checks.rerun_failed,
    ),
    Endpoint("GET", "/actions/jobs/<int:job_id>/logs", ("actions",), rest_checks.job_log),
)

_ROUTES = Map(
    [
        Rule(f"{base}{endpoint.path}", methods=[endpoint.method], endpoint=number)
        for number, endpoint in enumerate(ENDPOINTS)
        for base in ("/repos/<owner>/<name>", "/repositories/<int:repository_id>")
    ],
    merge_slashes=False,
    strict_slashes=False,
)


def route(request: Request, path: str) -> tuple[Endpoint, dict[str, Any]]:
    """The endpoint that a path below the API's root means, with its arguments.

    :raises HTTPError: 501, the sandbox has no such endpoint.
    """
    try:
        number, arguments = _ROUTES.bind("").match(path, method=request.method)
    except (NotFound, MethodNotAllowed) as error:
        raise HTTPError(501, f"The sandbox knows no {request.method} {path}") from error
    return ENDPOINTS[number], dict(arguments)


def permit(token: Token, endpoint: Endpoint) -> None:
    """Let a token through.

    :raises HTTPError: 403, it lacks the permission.
    """
    if not any(token.may(permission, endpoint.access) for permission in endpoint.permissions):
        needed = "; ".join(f"{name}={endpoint.access}" for name in endpoint.permissions)
        raise HTTPError(403, NOT_INTEGRATION, X_Accepted_GitHub_Permissions=needed)


def answer(call: Call, endpoint: Endpoint, arguments: dict[str, Any]) -> Response:
    """Do what was asked, under the world's lock."""
    with call.world.lock:
        return endpoint.handler(call, **arguments)


def refusal(error: HTTPError) -> Response:
    """A refusal as a response."""
    return Response(
        json.dumps(error.body),
        error.status,
        error.headers,
        content_type="application/json; charset=utf-8",
    )
