"""REST endpoints of pull requests: list, read, open, edit."""

from __future__ import annotations

from werkzeug.wrappers import Response

from nightshift.sandbox.model import Issue, Pull
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
    text,
)
from nightshift.sandbox.rest.issues import BODY_LIMIT

TITLE_LIMIT = 256
TITLE_TOO_LONG = f"title is too long (maximum is {TITLE_LIMIT} characters)"
BODY_TOO_LONG = f"body is too long (maximum is {BODY_LIMIT} characters)"
NO_BASE_CHANGE = "The sandbox cannot change a pull request's base"


def _pull(call: Call, number: int) -> tuple[Issue, Pull]:
    issue = call.repository.issues.get(number)
    if issue is None or issue.pull is None or issue.gone:
        raise not_found()
    call.repository.refresh(issue)
    return issue, issue.pull


def get_pull(call: Call, number: int) -> Response:
    """GET pulls/{n}"""
    return reply(views.whole_pull(call, *_pull(call, number)))


def list_pulls(call: Call) -> Response:
    """GET pulls, by head (`owner:branch`), base and state."""
    found = [pair for pair in _all(call) if _wanted(call, *pair)]
    query = call.request.args
    by_update = query.get("sort") == "updated"
    found.sort(
        key=lambda pair: (pair[0].updated_at if by_update else pair[0].created_at, pair[0].number),
        reverse=query.get("direction", "asc" if "sort" in query else "desc") == "desc",
    )
    page, headers = page_of(found, call.request, f"{call.url}/pulls")
    return reply([views.pull(call, *pair) for pair in page], 200, headers)


def _all(call: Call) -> list[tuple[Issue, Pull]]:
    found = []
    for issue in call.repository.issues.values():
        if issue.pull is not None and not issue.gone:
            call.repository.refresh(issue)
            found.append((issue, issue.pull))
    return found


def _wanted(call: Call, issue: Issue, pull: Pull) -> bool:
    """Whether the query wants it. A `head` without an owner is no filter at all, as on GitHub."""
    query = call.request.args
    head = query.get("head", "")
    if query.get("state", "open") not in ("all", "open" if issue.open else "closed"):
        return False
    if ":" in head and head != f"{call.repository.owner.login}:{pull.head_ref}":
        return False
    return query.get("base") in (None, pull.base_ref)


def open_pull(call: Call) -> Response:
    """POST pulls"""
    data = call.json()
    head = required_text(data, "PullRequest", "head")
    base = required_text(data, "PullRequest", "base")
    required_text(data, "PullRequest", "title")
    head = head.removeprefix(f"{call.repository.owner.login}:")
    draft = data.get("draft", False)
    if not isinstance(draft, bool):
        raise invalid("PullRequest", "draft", "invalid")
    title, body = _title(data), _body(data)
    _check_branches(call, head, base)
    author = call.context.token.user.login
    issue = call.repository.add_pull(
        title or "", body, head=head, base=base, author=author, draft=draft
    )
    view = views.whole_pull(call, *_pull(call, issue.number))
    return reply(view, 201, {"Location": view["url"]})


def _check_branches(call: Call, head: str, base: str) -> None:
    """Both exist, differ, and no pull request joins them already."""
    git = call.repository.git
    head_sha, base_sha = git.head(head), git.head(base)
    if base_sha is None:
        raise invalid("PullRequest", "base", "invalid")
    if head_sha is None:
        raise invalid("PullRequest", "head", "invalid")
    for issue, pull in _all(call):
        if issue.open and (pull.head_ref, pull.base_ref) == (head, base):
            says = f"A pull request already exists for {call.repository.owner.login}:{head}."
            raise invalid("PullRequest", "", "custom", says)
    if not git.commits_between(base_sha, head_sha):
        raise invalid("PullRequest", "", "custom", f"No commits between {base} and {head}")


def _title(data: Json) -> str | None:
    title = text(data, "PullRequest", "title")
    if title is not None and len(title) > TITLE_LIMIT:
        raise invalid("PullRequest", "title", "custom", TITLE_TOO_LONG)
    return title


def _body(data: Json) -> str | None:
    body = text(data, "PullRequest", "body")
    if body is not None and len(body) > BODY_LIMIT:
        raise invalid("PullRequest", "body", "custom", BODY_TOO_LONG)
    return body


def edit_pull(call: Call, number: int) -> Response:
    """PATCH pulls/{n}: title, body, state. `draft` cannot be changed here: GitHub ignores it."""
    issue, pull = _pull(call, number)
    data = call.json()
    title, body, state = _title(data), _body(data), text(data, "PullRequest", "state")
    if state not in (None, "open", "closed"):
        raise invalid("PullRequest", "state", "invalid")
    if "base" in data:
        raise HTTPError(501, NO_BASE_CHANGE)
    if title is not None:
        issue.title = title
    if "body" in data:
        issue.body = body
    _set_state(call, issue, pull, state)
    issue.updated_at = call.context.world.now()
    return reply(views.whole_pull(call, issue, pull))


def _set_state(call: Call, issue: Issue, pull: Pull, state: str | None) -> None:
    if state == "closed" and issue.open:
        call.repository.close(issue)
    if state == "open" and not issue.open:
        if pull.merged_at or call.repository.git.head(pull.head_ref) is None:
            raise invalid("PullRequest", "state", "invalid")
        call.repository.reopen(issue)
