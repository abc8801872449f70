"""The table of REST endpoints: who may call each, and what answers it.

An endpoint that the sandbox does not know answers 501, so that nobody takes it for "not there".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from werkzeug.exceptions import MethodNotAllowed, NotFound
from werkzeug.routing import Map, Rule
from werkzeug.wrappers import Response

from nightshift.sandbox.context import FORBIDDEN, Context
from nightshift.sandbox.rest import checks, issues, pulls, repos
from nightshift.sandbox.rest.call import HTTPError

Handler = Callable[..., Response]
ISSUES, PULLS = ("issues",), ("pull_requests",)
EITHER = ("issues", "pull_requests")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint below a repository, with the permissions of which one is enough."""

    method: str
    path: str
    permissions: tuple[str, ...]
    handler: Handler

    @property
    def access(self) -> str:
        """What the permission must allow."""
        return "read" if self.method == "GET" else "write"


ENDPOINTS = (
    Endpoint("GET", "", ("metadata",), repos.get_repository),
    Endpoint("GET", "/contents/<path:path>", ("contents",), repos.get_contents),
    Endpoint("GET", "/git/ref/<path:ref>", ("contents",), repos.get_ref),
    Endpoint("GET", "/labels", EITHER, issues.list_labels),
    Endpoint("GET", "/issues", EITHER, issues.list_issues),
    Endpoint("GET", "/issues/<int:number>", EITHER, issues.get_issue),
    Endpoint("GET", "/issues/<int:number>/comments", EITHER, issues.list_comments),
    Endpoint("POST", "/issues/<int:number>/comments", EITHER, issues.post_comment),
    Endpoint("POST", "/issues/<int:number>/labels", EITHER, issues.add_labels),
    Endpoint("GET", "/issues/<int:number>/timeline", EITHER, issues.list_timeline),
    Endpoint("GET", "/pulls", PULLS, pulls.list_pulls),
    Endpoint("POST", "/pulls", PULLS, pulls.open_pull),
    Endpoint("GET", "/pulls/<int:number>", PULLS, pulls.get_pull),
    Endpoint("PATCH", "/pulls/<int:number>", PULLS, pulls.edit_pull),
    Endpoint("GET", "/commits/<path:ref>/check-runs", ("checks",), checks.list_check_runs),
    Endpoint("GET", "/commits/<path:ref>/status", ("statuses",), checks.combined_status),
    Endpoint("GET", "/actions/runs/<int:run_id>", ("actions",), checks.get_run),
    Endpoint(
        "POST",
        "/actions/runs/<int:run_id>/rerun-failed-jobs",
        ("actions",),
        checks.rerun_failed,
    ),
    Endpoint("GET", "/actions/jobs/<int:job_id>/logs", ("actions",), checks.job_log),
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


def route(method: str, path: str) -> tuple[Endpoint, dict[str, Any]]:
    """The endpoint that a path below the API's root means, with its arguments.

    :raises HTTPError: 501, the sandbox has no such endpoint.
    """
    try:
        number, arguments = _ROUTES.bind("").match(path, method=method)
    except (NotFound, MethodNotAllowed) as error:
        raise HTTPError(501, f"The sandbox knows no {method} {path}") from error
    return ENDPOINTS[number], dict(arguments)


def permit(context: Context, endpoint: Endpoint) -> None:
    """Let a token through.

    :raises HTTPError: 403, it lacks the permission.
    """
    if not context.may(endpoint.access, *endpoint.permissions):
        needed = "; ".join(f"{name}={endpoint.access}" for name in endpoint.permissions)
        raise HTTPError(403, FORBIDDEN, X_Accepted_GitHub_Permissions=needed)
