"""How GraphQL shows the world: dictionaries by GitHub's field names; what takes arguments or work is a function.

graphql-core calls such a function with the query's info and the field's arguments, only when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from nightshift.sandbox.call import Json
from nightshift.sandbox.context import Context, refuse
from nightshift.sandbox.model import Comment, Issue, Label, LabelEvent, User
from nightshift.sandbox.nodes_checks import commit, rollup
from nightshift.sandbox.paging import connection
from nightshift.sandbox.repository import Repository
from nightshift.sandbox.views import node_id, stamp

EVENT_TYPES = {
    "labeled": ("LABELED_EVENT", "LabeledEvent"),
    "unlabeled": ("UNLABELED_EVENT", "UnlabeledEvent"),
}


def actor(context: Context, account: User) -> Json:
    """An account. GraphQL shows an app's login without `[bot]`, unlike REST."""
    return {
        "__typename": "Bot" if account.is_bot else "User",
        "id": node_id("BOT" if account.is_bot else "U", account.id),
        "databaseId": account.id,
        "login": account.login.removesuffix("[bot]"),
        "url": f"{context.server_url}/{account.login}",
    }


def label(item: Label) -> Json:
    """A label."""
    return {
        "__typename": "Label",
        "id": node_id("LA", item.id),
        "name": item.name,
        "color": item.color,
        "description": item.description or None,
    }


def _paged(name: str, items: Callable[[], Iterable[Json]]) -> Callable[..., Json]:
    """A connection field without filters."""

    def resolve(_info: Any, **page: Any) -> Json:
        return connection(list(items()), name=name, **page)

    return resolve


def _comment(context: Context, page: str, item: Comment) -> Json:
    return {
        "__typename": "IssueComment",
        "id": node_id("IC", item.id),
        "databaseId": item.id,
        "author": actor(context, item.author),
        "authorAssociation": item.association,
        "body": item.body,
        "createdAt": stamp(item.created_at),
        "updatedAt": stamp(item.created_at),
        "url": f"{page}#issuecomment-{item.id}",
    }


def _event(context: Context, item: LabelEvent) -> Json:
    return {
        "__typename": EVENT_TYPES[item.kind][1],
        "id": node_id("LE", item.id),
        "actor": actor(context, item.actor),
        "createdAt": stamp(item.at),
        "label": label(item.label),
    }


def _timeline(context: Context, page: str, item: Issue) -> Callable[..., Json]:
    def resolve(_info: Any, itemTypes: Any = None, since: str | None = None, **paging: Any) -> Json:
        rows = [
            (one.at, one.id, EVENT_TYPES[one.kind][0], _event(context, one)) for one in item.events
        ]
        rows += [
            (one.created_at, one.id, "ISSUE_COMMENT", _comment(context, page, one))
            for one in item.comments
        ]
        start = datetime.fromisoformat(since) if since else None
        chosen = [
            row
            for row in sorted(rows, key=lambda row: row[:2])
            if (itemTypes is None or row[2] in itemTypes) and (start is None or row[0] >= start)
        ]
        return connection([row[3] for row in chosen], name="timelineItems", **paging)

    return resolve


def _common(context: Context, repository_: Repository, item: Issue) -> Json:
    """What an issue and a pull request share."""
    page = f"{context.server_url}/{repository_.full_name}/{'pull' if item.pull else 'issues'}/{item.number}"
    return {
        "id": node_id("PR" if item.pull else "I", item.id),
        "number": item.number,
        "title": item.title,
        "body": item.body or "",
        "author": actor(context, item.author),
        "authorAssociation": item.association,
        "closed": not item.open,
        "closedAt": stamp(item.closed_at),
        "locked": item.locked,
        "createdAt": stamp(item.created_at),
        "updatedAt": stamp(item.updated_at),
        "url": page,
        "labels": _paged("labels", lambda: map(label, item.labels)),
        "comments": _paged(
            "comments", lambda: (_comment(context, page, one) for one in item.comments)
        ),
        "timelineItems": _timeline(context, page, item),
    }


def issue(context: Context, repository_: Repository, item: Issue) -> Json:
    """An issue."""
    return _common(context, repository_, item) | {
        "__typename": "Issue",
        "databaseId": item.id,
        "state": "OPEN" if item.open else "CLOSED",
    }


def pull(context: Context, repository_: Repository, item: Issue) -> Json:
    """A pull request."""
    repository_.refresh(item)
    assert item.pull is not None
    details = item.pull
    head = details.head_sha
    ended = "MERGED" if details.merged_at else "CLOSED"
    last = {
        "__typename": "PullRequestCommit",
        "id": f"PRC_{head}",
        "commit": commit(context, repository_, head),
    }
    return _common(context, repository_, item) | {
        "__typename": "PullRequest",
        "fullDatabaseId": str(details.id),
        "state": "OPEN" if item.open else ended,
        "isDraft": details.draft,
        "merged": details.merged_at is not None,
        "mergedAt": stamp(details.merged_at),
        "mergeCommit": (
            commit(context, repository_, details.merge_commit) if details.merge_commit else None
        ),
        "headRefName": details.head_ref,
        "headRefOid": head,
        "baseRefName": details.base_ref,
        "baseRefOid": lambda _info: repository_.git.head(details.base_ref) or head,
        "commits": _paged("commits", lambda: [last]),
        "statusCheckRollup": lambda info: rollup(context, repository_, head, info),
    }


def find_pull(context: Context, wanted: str) -> tuple[Repository, Issue]:
    """The pull request with a global id.

    :raises GraphQLError: there is none.
    """
    for repository_ in context.world.repositories.values():
        for item in repository_.issues.values():
            if item.pull and node_id("PR", item.id) == wanted:
                return repository_, item
    raise refuse("NOT_FOUND", f"Could not resolve to a node with the global id of '{wanted}'")


def _find(context: Context, repository_: Repository, number: int, kind: str) -> Json:
    """An issue or pull request by number; `kind` is how GitHub names what it looked for."""
    item = repository_.issues.get(number)
    fits = (
        item
        and not item.gone
        and (kind == "issue or pull request" or bool(item.pull) == (kind == "PullRequest"))
    )
    if item is None or not fits:
        article = "an" if kind[0].lower() == "i" else "a"
        raise refuse(
            "NOT_FOUND", f"Could not resolve to {article} {kind} with the number of {number}."
        )
    return pull(context, repository_, item) if item.pull else issue(context, repository_, item)


def _ordered(items: Sequence[Issue], order: Json | None) -> list[Issue]:
    fields: dict[str, Callable[[Issue], Any]] = {
        "CREATED_AT": lambda one: one.created_at,
        "UPDATED_AT": lambda one: one.updated_at,
        "COMMENTS": lambda one: len(one.comments),
    }
    order = order or {"field": "CREATED_AT", "direction": "ASC"}
    key = fields[order["field"]]
    return sorted(
        items, key=lambda one: (key(one), one.number), reverse=order["direction"] == "DESC"
    )


def _labelled(item: Issue, names: Sequence[str] | None) -> bool:
    """Any of the labels is enough in GraphQL; REST wants them all."""
    return names is None or any(item.has_label(name) for name in names)


def repository(context: Context, item: Repository) -> Json:
    """A repository."""

    def issues(
        _info: Any, labels: Any = None, states: Any = None, orderBy: Any = None, **page: Any
    ) -> Json:
        context.need("issues")
        found = [
            one
            for one in item.issues.values()
            if one.pull is None
            and not one.gone
            and _labelled(one, labels)
            and (states is None or ("OPEN" if one.open else "CLOSED") in states)
        ]
        whole = connection(_ordered(found, orderBy), name="issues", **page)
        return whole | {"nodes": [issue(context, item, one) for one in whole["nodes"]]}

    def pulls(_info: Any, **arguments: Any) -> Json:
        context.need("pull_requests")
        return _pulls(context, item, **arguments)

    def by_number(kind: str, *permissions: str) -> Callable[..., Json]:
        def resolve(_info: Any, number: int) -> Json:
            context.need(permissions[0], "read", *permissions[1:])
            return _find(context, item, number, kind)

        return resolve

    def obj(_info: Any, oid: str | None = None, expression: str | None = None) -> Json | None:
        context.need("contents")
        sha = item.git.resolve(oid or expression or "")
        return commit(context, item, sha) if sha else None

    def ref(_info: Any, qualifiedName: str) -> Json | None:
        return _ref(context, item, qualifiedName)

    return {
        "__typename": "Repository",
        "id": node_id("R", item.id),
        "databaseId": item.id,
        "name": item.name,
        "nameWithOwner": item.full_name,
        "isPrivate": True,
        "url": f"{context.server_url}/{item.full_name}",
        "defaultBranchRef": lambda _info: _ref(context, item, f"refs/heads/{item.default_branch}"),
        "ref": ref,
        "object": obj,
        "label": lambda _info, name: (
            label(item.labels[name.lower()]) if name.lower() in item.labels else None
        ),
        "labels": _paged("labels", lambda: map(label, item.labels.values())),
        "issues": issues,
        "issue": by_number("Issue", "issues"),
        "pullRequest": by_number("PullRequest", "pull_requests"),
        "issueOrPullRequest": by_number("issue or pull request", "issues", "pull_requests"),
        "pullRequests": pulls,
    }


def _ref(context: Context, item: Repository, name: str) -> Json | None:
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


def _pulls(
    context: Context,
    item: Repository,
    *,
    states: Any = None,
    labels: Any = None,
    headRefName: str | None = None,
    baseRefName: str | None = None,
    orderBy: Any = None,
    **page: Any,
) -> Json:
    found = []
    for one in item.issues.values():
        if one.pull is None or one.gone or not _labelled(one, labels):
            continue
        item.refresh(one)
        state = "OPEN" if one.open else "MERGED" if one.pull.merged_at else "CLOSED"
        names = headRefName in (None, one.pull.head_ref) and baseRefName in (
            None,
            one.pull.base_ref,
        )
        if names and (states is None or state in states):
            found.append(one)
    whole = connection(_ordered(found, orderBy), name="pullRequests", **page)
    return whole | {"nodes": [pull(context, item, one) for one in whole["nodes"]]}
