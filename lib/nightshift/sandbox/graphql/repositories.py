"""How GraphQL shows a repository: what can be asked of it, and who may ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nightshift.sandbox.context import Context
from nightshift.sandbox.forms import issue_id, node_id
from nightshift.sandbox.graphql.checks import commit, ref
from nightshift.sandbox.graphql.issues import issue, label, pull, state_of
from nightshift.sandbox.graphql.values import Field, Info, Json, need, paged, refuse
from nightshift.sandbox.model import Issue, Pull
from nightshift.sandbox.paging import connection
from nightshift.sandbox.repository import Repository

# What is looked for by number: GitHub's word for it, and the permissions of which one is enough.
KINDS = {
    "issue": ("an Issue", ("issues",)),
    "pullRequest": ("a PullRequest", ("pull_requests",)),
    "issueOrPullRequest": ("an issue or pull request", ("issues", "pull_requests")),
}
ORDERS: dict[str, Callable[[Issue], Any]] = {
    "CREATED_AT": lambda item: item.created_at,
    "UPDATED_AT": lambda item: item.updated_at,
    "COMMENTS": lambda item: len(item.comments),
}


def repository(context: Context, item: Repository) -> Json:
    """A repository."""
    return {
        "__typename": "Repository",
        "id": node_id("R", item.id),
        "databaseId": item.id,
        "name": item.name,
        "nameWithOwner": item.full_name,
        "isPrivate": True,
        "url": context.urls.page_of(item),
        "defaultBranchRef": lambda _info: ref(context, item, item.default_branch),
        "ref": lambda _info, **wanted: ref(context, item, wanted["qualifiedName"]),
        "object": lambda _info, **wanted: _object(context, item, **wanted),
        "label": lambda _info, name: _label(item, name),
        "labels": paged("labels", lambda: map(label, item.labels.values())),
        "issues": lambda _info, **wanted: _issues(context, item, **wanted),
        "pullRequests": lambda _info, **wanted: _pulls(context, item, **wanted),
        **{kind: _by_number(context, item, kind) for kind in KINDS},
    }


def find_pull(context: Context, wanted: str) -> tuple[Repository, Issue, Pull]:
    """The pull request with a global id.

    :raises GraphQLError: there is none.
    """
    for repository_ in context.world.repositories.values():
        for item in repository_.issues.values():
            if item.pull and issue_id(item) == wanted:
                repository_.refresh(item)
                return repository_, item, item.pull
    raise refuse("NOT_FOUND", f"Could not resolve to a node with the global id of '{wanted}'")


def _by_number(context: Context, item: Repository, kind: str) -> Field:
    words, permissions = KINDS[kind]

    def resolve(_info: Info, number: int) -> Json:
        need(context, "read", *permissions)
        found = item.issues.get(number)
        if found and not found.gone:
            if found.pull and kind != "issue":
                item.refresh(found)
                return pull(context, item, found, found.pull)
            if not found.pull and kind != "pullRequest":
                return issue(context, item, found)
        raise refuse("NOT_FOUND", f"Could not resolve to {words} with the number of {number}.")

    return resolve


def _label(item: Repository, name: str) -> Json | None:
    found = item.labels.get(name.lower())
    return label(found) if found else None


def _object(context: Context, item: Repository, **wanted: str | None) -> Json | None:
    need(context, "read", "contents")
    sha = item.git.resolve(wanted.get("oid") or wanted.get("expression") or "")
    return commit(context, item, sha) if sha else None


def _issues(context: Context, item: Repository, **wanted: Any) -> Json:
    need(context, "read", "issues")
    labels, states = wanted.pop("labels", None), wanted.pop("states", None)
    found = [
        one
        for one in item.issues.values()
        if one.pull is None
        and not one.gone
        and _labelled(one, labels)
        and (states is None or ("OPEN" if one.open else "CLOSED") in states)
    ]
    found = _ordered(found, wanted.pop("orderBy", None))
    whole = connection(found, name="issues", **wanted)
    return whole | {"nodes": [issue(context, item, one) for one in whole["nodes"]]}


def _pulls(context: Context, item: Repository, **wanted: Any) -> Json:
    need(context, "read", "pull_requests")
    labels, states = wanted.pop("labels", None), wanted.pop("states", None)
    head, base = wanted.pop("headRefName", None), wanted.pop("baseRefName", None)
    found = []
    for one in item.issues.values():
        if one.pull is None or one.gone or not _labelled(one, labels):
            continue
        item.refresh(one)
        fits = head in (None, one.pull.head_ref) and base in (None, one.pull.base_ref)
        if fits and (states is None or state_of(one, one.pull) in states):
            found.append(one)
    found = _ordered(found, wanted.pop("orderBy", None))
    whole = connection(found, name="pullRequests", **wanted)
    nodes = [pull(context, item, one, one.pull) for one in whole["nodes"]]
    return whole | {"nodes": nodes}


def _labelled(item: Issue, names: Sequence[str] | None) -> bool:
    """Any of the labels is enough in GraphQL; REST wants them all."""
    return names is None or any(item.has_label(name) for name in names)


def _ordered(items: Sequence[Issue], order: Json | None) -> list[Issue]:
    field, direction = (order["field"], order["direction"]) if order else ("CREATED_AT", "ASC")
    key = ORDERS[field]
    return sorted(items, key=lambda one: (key(one), one.number), reverse=direction == "DESC")
