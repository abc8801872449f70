"""GitHub's JSON to our values, REST and GraphQL. No requests, no decisions.

A key that GitHub always sends is taken for granted: `KeyError` and the like become a `HostError` in
one place, `readable`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from nightshift.adapters.github.failures import UNREADABLE
from nightshift.errors import HostError
from nightshift.values import Check, CheckKind, Comment, Issue, LabelRemoval, PullRequest

Json = Mapping[str, Any]

_JOB = re.compile(r"/actions/runs/([0-9]{1,18})/jobs?/([0-9]{1,18})")


@contextmanager
def readable(where: str) -> Iterator[None]:
    """What is read inside has the form that GitHub documents.

    :raises HostError: it has not.
    """
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise HostError(UNREADABLE, where=where) from error


def issue(node: Json, *, more: Iterable[Comment] = ()) -> Issue:
    """An issue or pull request of GraphQL; `more` are the comments of its later pages."""
    author, _ = actor(node["author"])
    return Issue(
        number=int(node["number"]),
        title=str(node["title"] or ""),
        body=str(node["body"] or ""),
        comments=(*comments(node["comments"]), *more),
        labels=tuple(str(label["name"]) for label in node["labels"]["nodes"]),
        author=author,
        open=not node["closed"],
        locked=bool(node["locked"]),
        is_pull_request=node.get("__typename") == "PullRequest",
        label_removals=tuple(_removals(node["timelineItems"]["nodes"])),
        created_at=time(node["createdAt"]),
        url=str(node["url"]),
    )


def comments(connection: Json) -> list[Comment]:
    """A page of comments of GraphQL, which numbers them only in their address."""
    return [_comment(node) for node in connection["nodes"] if node]


def _comment(node: Json) -> Comment:
    author, is_bot = actor(node["author"])
    number = str(node["url"]).rpartition("-")[2]
    return Comment(
        body=str(node["body"] or ""),
        author=author,
        role=str(node["authorAssociation"] or ""),
        is_bot=is_bot,
        id=int(number) if number.isdigit() else 0,
        created_at=time(node["createdAt"]),
    )


def rest_comment(data: Json) -> Comment:
    """A comment of REST."""
    user = data.get("user") or {}
    return Comment(
        body=str(data["body"] or ""),
        author=str(user.get("login", "")),
        role=str(data.get("author_association") or ""),
        is_bot=user.get("type") == "Bot",
        id=int(data["id"]),
        created_at=time(data["created_at"]),
    )


def actor(node: Json | None) -> tuple[str, bool]:
    """(login, whether it is an app); an account that is gone has none.

    GraphQL gives an app's login without the `[bot]` that REST puts behind it; here it has it.
    """
    if not node:
        return "", False
    login, is_bot = str(node["login"]), node["__typename"] == "Bot"
    return (f"{login.removesuffix('[bot]')}[bot]" if is_bot else login), is_bot


def _removals(nodes: Iterable[Json | None]) -> Iterator[LabelRemoval]:
    for node in nodes:
        at = time(node["createdAt"]) if node else None
        if node and node["label"] and at:
            login, is_bot = actor(node["actor"])
            yield LabelRemoval(str(node["label"]["name"]), login, is_bot, at)


def pull_request(data: Json) -> PullRequest:
    """A pull request of REST, from the list or read alone."""
    head, base = data["head"], data["base"]
    merged = bool(data.get("merged") or data.get("merged_at"))
    return PullRequest(
        number=int(data["number"]),
        node_id=str(data["node_id"]),
        url=str(data["html_url"]),
        title=str(data["title"]),
        body=str(data["body"] or ""),
        draft=bool(data.get("draft")),
        open=data["state"] == "open",
        merged=merged,
        head_ref=str(head["ref"]),
        head_sha=str(head["sha"]),
        base_ref=str(base["ref"]),
        author=str((data.get("user") or {}).get("login", "")),
        labels=tuple(str(label["name"]) for label in data["labels"]),
        merge_commit=str(data.get("merge_commit_sha") or "") if merged else "",
        # A deleted fork has no repository any more.
        from_fork=not head["repo"] or head["repo"]["id"] != base["repo"]["id"],
        merged_at=time(data.get("merged_at")),
    )


def standing_pull(node: Json) -> PullRequest:
    """A pull request of GraphQL."""
    author, _ = actor(node["author"])
    landed = node["mergeCommit"] or {}
    return PullRequest(
        number=int(node["number"]),
        node_id=str(node["id"]),
        url=str(node["url"]),
        title=str(node["title"] or ""),
        body=str(node["body"] or ""),
        draft=bool(node["isDraft"]),
        open=not node["closed"],
        merged=bool(node["merged"]),
        head_ref=str(node["headRefName"]),
        head_sha=str(node["headRefOid"]),
        base_ref=str(node["baseRefName"]),
        author=author,
        labels=tuple(str(label["name"]) for label in node["labels"]["nodes"]),
        merge_commit=str(landed.get("oid", "")),
        from_fork=bool(node["isCrossRepository"]),
        merged_at=time(node["mergedAt"]),
    )


def check(node: Json) -> Check:
    """An entry of a rollup, of either kind."""
    if node["__typename"] == "StatusContext":
        return Check(
            kind=CheckKind.CONTEXT,
            name=str(node["context"]),
            status="",
            conclusion=str(node["state"]),
            url=str(node["targetUrl"] or ""),
            started_at=time(node["createdAt"]),
            required=bool(node.get("isRequired")),
        )
    run = node["checkSuite"]["workflowRun"] or {}
    run_id, job_id = _ids(node, run)
    return Check(
        kind=CheckKind.RUN,
        name=str(node["name"]),
        status=str(node["status"]),
        conclusion=str(node["conclusion"] or ""),
        workflow=str(run["workflow"]["name"]) if run else "",
        url=str(node["detailsUrl"] or ""),
        started_at=time(node["startedAt"]),
        completed_at=time(node["completedAt"]),
        job_id=job_id,
        run_id=run_id,
        required=bool(node.get("isRequired")),
    )


def rest_check_run(data: Json) -> Check:
    """A check run of REST, which does not tell its workflow."""
    found = _JOB.search(str(data["details_url"] or ""))
    return Check(
        kind=CheckKind.RUN,
        name=str(data["name"]),
        status=str(data["status"]),
        conclusion=str(data["conclusion"] or ""),
        url=str(data["details_url"] or ""),
        started_at=time(data["started_at"]),
        completed_at=time(data["completed_at"]),
        job_id=int(found[2]) if found else None,
        run_id=int(found[1]) if found else None,
    )


def _ids(node: Json, run: Json) -> tuple[int | None, int | None]:
    """(run, job) behind a check run of Actions: a check run and its job have the same number.

    The address is preferred: GraphQL's numbers are declared with 32 bits, and jobs have more.
    """
    if not run:
        return None, None
    found = _JOB.search(str(node["detailsUrl"] or ""))
    if found:
        return int(found[1]), int(found[2])
    return int(run["databaseId"]), int(node["databaseId"])


def time(text: str | None) -> datetime | None:
    """A time of the API, with its zone; None where there is none."""
    return datetime.fromisoformat(text) if text else None
