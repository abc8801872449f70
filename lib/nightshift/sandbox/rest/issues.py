"""REST endpoints of issues: reads, comments, labels, timeline."""

from __future__ import annotations

from datetime import datetime

from werkzeug.wrappers import Response

from nightshift.sandbox.forms import parsed
from nightshift.sandbox.model import Issue
from nightshift.sandbox.paging import page_of
from nightshift.sandbox.rest import views
from nightshift.sandbox.rest.call import (
    Call,
    HTTPError,
    Json,
    invalid,
    not_found,
    reply,
    required_text,
)

BODY_LIMIT = 65_536
LABEL_LIMIT = 100
LABEL_NAME_LIMIT = 50
BODY_TOO_LONG = f"Body is too long (maximum is {BODY_LIMIT} characters)"
TOO_MANY_LABELS = f"issues may have at most {LABEL_LIMIT} labels"
LOCKED = "Unable to create comment because issue is locked."
DELETED = "This issue was deleted"


def find(call: Call, number: int) -> Issue:
    """The issue with a number, up to date.

    :raises HTTPError: 404 none, 410 deleted, 301 transferred.
    """
    issue = call.repository.issues.get(number)
    if issue is None:
        raise not_found()
    if issue.gone == "deleted":
        raise HTTPError(410, DELETED)
    if issue.gone:
        raise _moved(call, issue.gone)
    call.repository.refresh(issue)
    return issue


def _moved(call: Call, address: str) -> HTTPError:
    full_name, number = address.split("#")
    there = call.context.world.repository(full_name)
    place = f"/repositories/{there.id}" if there else f"/repos/{full_name}"
    url = f"{call.context.urls.api}{place}/issues/{number}"
    error = HTTPError(301, "Moved Permanently", Location=url)
    error.body["url"] = url
    return error


def get_issue(call: Call, number: int) -> Response:
    """GET issues/{n}"""
    return reply(views.issue(call, find(call, number)))


def list_issues(call: Call) -> Response:
    """GET issues: pull requests are among them."""
    query = call.request.args
    wanted = {name.strip().lower() for name in query.get("labels", "").split(",") if name.strip()}
    state = query.get("state", "open")
    since = _since(query.get("since"))
    found = [
        issue
        for issue in call.repository.issues.values()
        if not issue.gone
        and state in ("all", "open" if issue.open else "closed")
        and wanted <= {label.name.lower() for label in issue.labels}
        and (since is None or issue.updated_at >= since)
    ]
    found.sort(
        key=lambda one: _sort_key(one, query.get("sort", "created")),
        reverse=query.get("direction") != "asc",
    )
    page, headers = page_of(found, call.request, f"{call.url}/issues")
    return reply([views.issue(call, issue) for issue in page], 200, headers)


def _since(value: str | None) -> datetime | None:
    try:
        return parsed(value) if value else None
    except ValueError as error:
        raise invalid("Issue", "since", "invalid") from error


def _sort_key(issue: Issue, sort: str) -> tuple[object, int]:
    keys: dict[str, object] = {"updated": issue.updated_at, "comments": len(issue.comments)}
    return keys.get(sort, issue.created_at), issue.number


def list_comments(call: Call, number: int) -> Response:
    """GET issues/{n}/comments, oldest first."""
    issue = find(call, number)
    url = f"{call.url}/issues/{number}/comments"
    page, headers = page_of(issue.comments, call.request, url)
    return reply([views.comment(call, issue, item) for item in page], 200, headers)


def post_comment(call: Call, number: int) -> Response:
    """POST issues/{n}/comments"""
    issue = find(call, number)
    body = required_text(call.json(), "IssueComment", "body")
    if issue.locked and not call.context.token.comments_when_locked:
        raise HTTPError(403, LOCKED)
    if len(body) > BODY_LIMIT:
        raise invalid("IssueComment", "data", "unprocessable", BODY_TOO_LONG)
    comment = call.repository.comment(issue, body, by=call.context.token.user.login)
    call.context.ci.commented(call.repository, issue, body)
    view = views.comment(call, issue, comment)
    return reply(view, 201, {"Location": view["url"]})


def add_labels(call: Call, number: int) -> Response:
    """POST issues/{n}/labels: adds, never removes; what does not exist is made, as GitHub does."""
    issue = find(call, number)
    names = _label_names(call.json())
    unknown = any(name.lower() not in call.repository.labels for name in names)
    if unknown and not call.repository.creates_missing_labels:
        raise invalid("Label", "name", "invalid")
    new = {name.lower() for name in names if not issue.has_label(name)}
    if len(issue.labels) + len(new) > LABEL_LIMIT:
        raise invalid("Issue", "labels", "custom", TOO_MANY_LABELS)
    call.repository.label(issue, names, by=call.context.token.user.login)
    return reply([views.label(call, label) for label in issue.labels])


def _label_names(data: Json) -> list[str]:
    """The names in a request: strings, or objects with a name."""
    labels = data.get("labels")
    if not isinstance(labels, list) or not labels:
        raise invalid("Label", "labels", "missing_field")
    names = [item.get("name") if isinstance(item, dict) else item for item in labels]
    if not all(isinstance(name, str) and 0 < len(name) <= LABEL_NAME_LIMIT for name in names):
        raise invalid("Label", "name", "invalid")
    return [str(name) for name in names]


def list_labels(call: Call) -> Response:
    """GET labels, by name."""
    labels = sorted(call.repository.labels.values(), key=lambda label: label.name.lower())
    page, headers = page_of(labels, call.request, f"{call.url}/labels")
    return reply([views.label(call, label) for label in page], 200, headers)


def list_timeline(call: Call, number: int) -> Response:
    """GET issues/{n}/timeline"""
    events = views.timeline(call, find(call, number))
    page, headers = page_of(events, call.request, f"{call.url}/issues/{number}/timeline")
    return reply(page, 200, headers)
