"""REST endpoints of pull requests: list, read, open, edit."""

from __future__ import annotations

from nightshift.sandbox import views
from nightshift.sandbox.call import (Call, HTTPError, Json, invalid, not_found,
                                     reply)
from nightshift.sandbox.model import Issue
from nightshift.sandbox.paging import page_of
from nightshift.sandbox.rest_issues import BODY_LIMIT
from werkzeug.wrappers import Response


def _pull(call: Call, number: int) -> Issue:
    issue = call.repository.issues.get(number)
    if issue is None or issue.pull is None or issue.gone:
        raise not_found()
    call.repository.refresh(issue)
    return issue


def get_pull(call: Call, number: int, **_: object) -> Response:
    """GET pulls/{n}"""
    return reply(views.whole_pull(call, _pull(call, number)))


def list_pulls(call: Call, **_: object) -> Response:
    """GET pulls, by head (`owner:branch`), base and state."""
    query = call.request.args
    state, base, head = query.get("state", "open"), query.get("base"), query.get("head")
    found = []
    for issue in call.repository.issues.values():
        if issue.pull is None:
            continue
        call.repository.refresh(issue)
        label = f"{call.repository.owner.login}:{issue.pull.head_ref}"
        if state in ("all", "open" if issue.open else "closed") and base in (
            None,
            issue.pull.base_ref,
        ):
            if head in (None, label):
                found.append(issue)
    updated = query.get("sort") == "updated"
    found.sort(
        key=lambda one: (one.updated_at if updated else one.created_at, one.number),
        reverse=query.get("direction", "asc" if "sort" in query else "desc") == "desc",
    )
    page, headers = page_of(found, call.request, f"{call.repository_url}/pulls")
    return reply([views.pull(call, issue) for issue in page], 200, headers)


def open_pull(call: Call, **_: object) -> Response:
    """POST pulls"""
    data = call.json()
    head = call.text(data, "PullRequest", "head", required=True) or ""
    base = call.text(data, "PullRequest", "base", required=True) or ""
    title = _title(call, data, required=True) or ""
    body = _body(call, data)
    head = head.removeprefix(f"{call.repository.owner.login}:")
    _check_branches(call, head, base)
    draft = data.get("draft", False)
    if not isinstance(draft, bool):
        raise invalid("PullRequest", "draft", "invalid")
    author = call.token.user.login
    issue = call.repository.add_pull(title, body, head=head, base=base, author=author, draft=draft)
    view = views.whole_pull(call, issue)
    return reply(view, 201, {"Location": view["url"]})


def _check_branches(call: Call, head: str, base: str) -> None:
    """Both exist, differ, and no pull request joins them already."""
    git = call.repository.git
    head_sha, base_sha = git.head(head), git.head(base)
    if base_sha is None:
        raise invalid("PullRequest", "base", "invalid")
    if head_sha is None:
        raise invalid("PullRequest", "head", "invalid")
    for issue in call.repository.issues.values():
        if issue.pull and issue.open and (issue.pull.head_ref, issue.pull.base_ref) == (head, base):
            owner = call.repository.owner.login
            raise invalid(
                "PullRequest", "", "custom", f"A pull request already exists for {owner}:{head}."
            )
    if not git.commits_between(base_sha, head_sha):
        raise invalid("PullRequest", "", "custom", f"No commits between {base} and {head}")


def _title(call: Call, data: Json, *, required: bool = False) -> str | None:
    title = call.text(data, "PullRequest", "title", required=required)
    if title is not None and len(title) > 256:
        raise invalid(
            "PullRequest", "title", "custom", "title is too long (maximum is 256 characters)"
        )
    return title


def _body(call: Call, data: Json) -> str | None:
    body = call.text(data, "PullRequest", "body")
    if body is not None and len(body) > BODY_LIMIT:
        raise invalid(
            "PullRequest",
            "body",
            "custom",
            f"body is too long (maximum is {BODY_LIMIT} characters)",
        )
    return body


def edit_pull(call: Call, number: int, **_: object) -> Response:
    """PATCH pulls/{n}: title, body, state. `draft` cannot be changed here, and GitHub ignores it."""
    issue = _pull(call, number)
    data = call.json()
    title, body, state = (
        _title(call, data),
        _body(call, data),
        call.text(data, "PullRequest", "state"),
    )
    if state not in (None, "open", "closed"):
        raise invalid("PullRequest", "state", "invalid")
    if title is not None:
        issue.title = title
    if "body" in data:
        issue.body = body
    if state == "closed" and issue.open:
        call.repository.close(issue)
    if state == "open" and not issue.open:
        _reopen(call, issue)
    issue.updated_at = call.world.now()
    return reply(views.whole_pull(call, issue))


def _reopen(call: Call, issue: Issue) -> None:
    assert issue.pull is not None
    if issue.pull.merged_at or call.repository.git.head(issue.pull.head_ref) is None:
        raise HTTPError(
            422,
            "Validation Failed",
            errors=[{"resource": "PullRequest", "field": "state", "code": "invalid"}],
        )
    call.repository.reopen(issue)
