"""How REST shows people, labels, issues and pull requests: records to GitHub's JSON."""

from __future__ import annotations

from typing import Any

from nightshift.sandbox.forms import issue_id, node_id, stamp
from nightshift.sandbox.model import Comment, Issue, Label, LabelEvent, Pull, User
from nightshift.sandbox.rest.call import Call
from nightshift.sandbox.rest.repo_views import repository

Json = dict[str, Any]


def user(call: Call, account: User) -> Json:
    """A simple user."""
    url = call.context.urls.user_api(account)
    return {
        "login": account.login,
        "id": account.id,
        "node_id": node_id("BOT" if account.is_bot else "U", account.id),
        "avatar_url": f"{call.context.urls.server}/avatars/{account.id}",
        "gravatar_id": "",
        "url": url,
        "html_url": call.context.urls.user_page(account),
        "followers_url": f"{url}/followers",
        "following_url": f"{url}/following{{/other_user}}",
        "gists_url": f"{url}/gists{{/gist_id}}",
        "starred_url": f"{url}/starred{{/owner}}{{/repo}}",
        "subscriptions_url": f"{url}/subscriptions",
        "organizations_url": f"{url}/orgs",
        "repos_url": f"{url}/repos",
        "events_url": f"{url}/events{{/privacy}}",
        "received_events_url": f"{url}/received_events",
        "type": "Bot" if account.is_bot else "User",
        "site_admin": False,
    }


def label(call: Call, item: Label) -> Json:
    """A label."""
    return {
        "id": item.id,
        "node_id": node_id("LA", item.id),
        "url": f"{call.url}/labels/{item.id}",
        "name": item.name,
        "color": item.color,
        "default": False,
        "description": item.description or None,
    }


def comment(call: Call, issue_: Issue, item: Comment) -> Json:
    """A comment of an issue."""
    page = call.context.urls.issue_page(call.repository, issue_)
    return {
        "id": item.id,
        "node_id": node_id("IC", item.id),
        "url": f"{call.url}/issues/comments/{item.id}",
        "html_url": f"{page}#issuecomment-{item.id}",
        "issue_url": f"{call.url}/issues/{issue_.number}",
        "user": user(call, item.author),
        "created_at": stamp(item.created_at),
        "updated_at": stamp(item.created_at),
        "author_association": item.association,
        "body": item.body,
    }


def label_event(call: Call, event: LabelEvent) -> Json:
    """A `labeled` or `unlabeled` event."""
    return {
        "id": event.id,
        "node_id": node_id("LE", event.id),
        "url": f"{call.url}/issues/events/{event.id}",
        "actor": user(call, event.actor),
        "event": event.kind,
        "commit_id": None,
        "commit_url": None,
        "created_at": stamp(event.at),
        "label": {"name": event.label.name, "color": event.label.color},
        "performed_via_github_app": None,
    }


def timeline(call: Call, issue_: Issue) -> list[Json]:
    """What happened to an issue, oldest first: labels that came and went, and comments."""
    rows = [(event.at, event.id, label_event(call, event)) for event in issue_.events]
    for item in issue_.comments:
        view = comment(call, issue_, item) | {"event": "commented"}
        rows.append((item.created_at, item.id, view | {"actor": view["user"]}))
    return [view for _, _, view in sorted(rows, key=lambda row: row[:2])]


def issue(call: Call, item: Issue) -> Json:
    """An issue; a pull request shows as one too, with `pull_request`."""
    url = f"{call.url}/issues/{item.number}"
    data = _common(call, item) | {
        "id": item.id,
        "url": url,
        "repository_url": call.url,
        "labels_url": f"{url}/labels{{/name}}",
        "comments_url": f"{url}/comments",
        "events_url": f"{url}/events",
        "comments": len(item.comments),
        "state_reason": None if item.open else "completed",
    }
    if item.pull:
        data["draft"] = item.pull.draft
        data["pull_request"] = _pages(call, item) | {"merged_at": stamp(item.pull.merged_at)}
    return data


def _common(call: Call, item: Issue) -> Json:
    """What an issue and a pull request share."""
    return {
        "node_id": issue_id(item),
        "html_url": call.context.urls.issue_page(call.repository, item),
        "number": item.number,
        "title": item.title,
        "user": user(call, item.author),
        "labels": [label(call, one) for one in item.labels],
        "state": "open" if item.open else "closed",
        "locked": item.locked,
        "assignee": None,
        "assignees": [],
        "milestone": None,
        "created_at": stamp(item.created_at),
        "updated_at": stamp(item.updated_at),
        "closed_at": stamp(item.closed_at),
        "author_association": item.association,
        "active_lock_reason": None,
        "body": item.body,
    }


def _pages(call: Call, item: Issue) -> Json:
    """The addresses of a pull request's pages."""
    page = call.context.urls.issue_page(call.repository, item)
    return {
        "url": f"{call.url}/pulls/{item.number}",
        "html_url": page,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
    }


def pull(call: Call, item: Issue, details: Pull) -> Json:
    """A pull request as the list shows it."""
    base_sha = call.repository.git.head(details.base_ref) or details.head_sha
    links = _links(call, item, details)
    return (
        _common(call, item)
        | _pages(call, item)
        | {
            "id": details.id,
            "issue_url": links["issue"],
            "commits_url": links["commits"],
            "review_comments_url": links["review_comments"],
            "review_comment_url": links["review_comment"],
            "comments_url": links["comments"],
            "statuses_url": links["statuses"],
            "merged_at": stamp(details.merged_at),
            "merge_commit_sha": details.merge_commit,
            "requested_reviewers": [],
            "requested_teams": [],
            "head": _branch(call, details.head_ref, details.head_sha),
            "base": _branch(call, details.base_ref, base_sha),
            "_links": {name: {"href": url} for name, url in links.items()},
            "auto_merge": None,
            "draft": details.draft,
        }
    )


def _links(call: Call, item: Issue, details: Pull) -> dict[str, str]:
    url = f"{call.url}/pulls/{item.number}"
    return {
        "self": url,
        "html": call.context.urls.issue_page(call.repository, item),
        "issue": f"{call.url}/issues/{item.number}",
        "comments": f"{call.url}/issues/{item.number}/comments",
        "review_comments": f"{url}/comments",
        "review_comment": f"{call.url}/pulls/comments{{/number}}",
        "commits": f"{url}/commits",
        "statuses": f"{call.url}/statuses/{details.head_sha}",
    }


def _branch(call: Call, name: str, sha: str) -> Json:
    owner = user(call, call.repository.owner)
    return {
        "label": f"{owner['login']}:{name}",
        "ref": name,
        "sha": sha,
        "user": owner,
        "repo": repository(call, owner),
    }


def whole_pull(call: Call, item: Issue, details: Pull) -> Json:
    """A pull request as the single read shows it, with what the list leaves out."""
    git, base = call.repository.git, f"refs/heads/{details.base_ref}"
    mergeable = git.merges(base, details.head_sha) if item.open else None
    files, added, deleted = git.shortstat(base, details.head_sha)
    state = "draft" if details.draft else "clean" if mergeable else "dirty"
    return pull(call, item, details) | {
        "merged": details.merged_at is not None,
        "mergeable": mergeable,
        "rebaseable": mergeable,
        "mergeable_state": state if item.open else "unknown",
        "merged_by": None,
        "comments": len(item.comments),
        "review_comments": 0,
        "maintainer_can_modify": False,
        "commits": git.commits_between(base, details.head_sha),
        "additions": added,
        "deletions": deleted,
        "changed_files": files,
    }
