"""How GraphQL shows labels, issues and pull requests: dictionaries by GitHub's field names."""

from __future__ import annotations

from typing import Any

from nightshift.sandbox.context import Context
from nightshift.sandbox.forms import issue_id, node_id, parsed, stamp
from nightshift.sandbox.graphql.checks import commit, ref, rollup
from nightshift.sandbox.graphql.people import actor
from nightshift.sandbox.graphql.values import Field, Info, Json, paged
from nightshift.sandbox.model import Comment, Issue, Label, LabelEvent, Pull
from nightshift.sandbox.paging import connection
from nightshift.sandbox.repository import Repository

EVENTS = {
    "labeled": ("LABELED_EVENT", "LabeledEvent"),
    "unlabeled": ("UNLABELED_EVENT", "UnlabeledEvent"),
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
        "__typename": EVENTS[item.kind][1],
        "id": node_id("LE", item.id),
        "actor": actor(context, item.actor),
        "createdAt": stamp(item.at),
        "label": label(item.label),
    }


def _timeline(context: Context, page: str, item: Issue) -> Field:
    """The timeline, oldest first: label events and comments."""

    def resolve(_info: Info, **arguments: Any) -> Json:
        rows = [(one.at, one.id, EVENTS[one.kind][0], _event(context, one)) for one in item.events]
        rows += [
            (one.created_at, one.id, "ISSUE_COMMENT", _comment(context, page, one))
            for one in item.comments
        ]
        kinds, since = arguments.pop("itemTypes", None), arguments.pop("since", None)
        start = parsed(since) if since else None
        chosen = [
            view
            for at, _, kind, view in sorted(rows, key=lambda row: row[:2])
            if (kinds is None or kind in kinds) and (start is None or at >= start)
        ]
        return connection(chosen, name="timelineItems", **arguments)

    return resolve


def _common(context: Context, repository: Repository, item: Issue) -> Json:
    """What an issue and a pull request share."""
    page = context.urls.issue_page(repository, item)
    return {
        "id": issue_id(item),
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
        "labels": paged("labels", lambda: map(label, item.labels)),
        "comments": paged(
            "comments", lambda: (_comment(context, page, one) for one in item.comments)
        ),
        "timelineItems": _timeline(context, page, item),
    }


def issue(context: Context, repository: Repository, item: Issue) -> Json:
    """An issue."""
    return _common(context, repository, item) | {
        "__typename": "Issue",
        "databaseId": item.id,
        "state": "OPEN" if item.open else "CLOSED",
    }


def state_of(item: Issue, details: Pull) -> str:
    """A pull request's state."""
    if item.open:
        return "OPEN"
    return "MERGED" if details.merged_at else "CLOSED"


def pull(context: Context, repository: Repository, item: Issue, details: Pull) -> Json:
    """A pull request."""
    head, landed = details.head_sha, details.merge_commit
    return _common(context, repository, item) | {
        "__typename": "PullRequest",
        "fullDatabaseId": str(details.id),
        "state": state_of(item, details),
        "isDraft": details.draft,
        "merged": details.merged_at is not None,
        "mergedAt": stamp(details.merged_at),
        "mergeCommit": commit(context, repository, landed) if landed else None,
        "headRef": lambda _info: ref(context, repository, details.head_ref),
        "headRefName": details.head_ref,
        "headRefOid": head,
        "isCrossRepository": False,
        "baseRefName": details.base_ref,
        "baseRefOid": lambda _info: repository.git.head(details.base_ref) or head,
        "commits": paged("commits", lambda: _commits(context, repository, details)),
        "statusCheckRollup": lambda info: rollup(context, repository, head, info),
    }


def _commits(context: Context, repository: Repository, details: Pull) -> list[Json]:
    """The commits of a pull request, oldest first."""
    base = repository.git.head(details.base_ref) or details.head_sha
    shas = repository.git.commits(base, details.head_sha) or [details.head_sha]
    return [
        {
            "__typename": "PullRequestCommit",
            "id": f"PRC_{details.id}_{sha}",
            "commit": commit(context, repository, sha),
        }
        for sha in shas
    ]
