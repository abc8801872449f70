"""How REST shows the world: records to GitHub's JSON. No decisions, no changes."""

from __future__ import annotations

import base64
from datetime import datetime

from nightshift.sandbox.call import Call, Json
from nightshift.sandbox.model import (CheckRun, Comment, Issue, Label,
                                      LabelEvent, StatusContext, User,
                                      WorkflowRun)


def node_id(prefix: str, number: int) -> str:
    """A global id: an opaque text that GraphQL takes."""
    return f"{prefix}_{base64.urlsafe_b64encode(str(number).encode()).decode().rstrip('=')}"


def stamp(time: datetime | None) -> str | None:
    """A time as the API writes it: UTC, whole seconds."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ") if time else None


def user(call: Call, account: User) -> Json:
    """A simple user."""
    url = f"{call.api_url}/users/{account.login}"
    page = f"{call.server_url}/{account.login}"
    return {
        "login": account.login,
        "id": account.id,
        "node_id": node_id("U", account.id),
        "avatar_url": f"{page}.png",
        "gravatar_id": "",
        "url": url,
        "html_url": page,
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
        "url": f"{call.repository_url}/labels/{item.name}",
        "name": item.name,
        "color": item.color,
        "default": False,
        "description": item.description or None,
    }


def comment(call: Call, issue: Issue, item: Comment) -> Json:
    """A comment of an issue."""
    url = f"{call.repository_url}/issues/comments/{item.id}"
    return {
        "id": item.id,
        "node_id": node_id("IC", item.id),
        "url": url,
        "html_url": f"{page_of(call, issue)}#issuecomment-{item.id}",
        "issue_url": f"{call.repository_url}/issues/{issue.number}",
        "user": user(call, item.author),
        "created_at": stamp(item.created_at),
        "updated_at": stamp(item.created_at),
        "author_association": item.association,
        "body": item.body,
    }


def page_of(call: Call, issue: Issue) -> str:
    """The page of an issue or pull request."""
    return f"{call.html_url}/{'pull' if issue.pull else 'issues'}/{issue.number}"


def issue(call: Call, item: Issue) -> Json:
    """An issue; a pull request shows as one too, with `pull_request`."""
    url = f"{call.repository_url}/issues/{item.number}"
    data = _common(call, item) | {
        "id": item.id,
        "node_id": node_id("PR" if item.pull else "I", item.id),
        "url": url,
        "repository_url": call.repository_url,
        "labels_url": f"{url}/labels{{/name}}",
        "comments_url": f"{url}/comments",
        "events_url": f"{url}/events",
        "comments": len(item.comments),
        "state_reason": None if item.open else "completed",
    }
    if item.pull:
        pull_url = f"{call.repository_url}/pulls/{item.number}"
        page = page_of(call, item)
        data["draft"] = item.pull.draft
        data["pull_request"] = {
            "url": pull_url,
            "html_url": page,
            "diff_url": f"{page}.diff",
            "patch_url": f"{page}.patch",
            "merged_at": stamp(item.pull.merged_at),
        }
    return data


def _common(call: Call, item: Issue) -> Json:
    """What an issue and a pull request share."""
    return {
        "html_url": page_of(call, item),
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


def timeline(call: Call, issue_: Issue) -> list[Json]:
    """What happened to an issue, oldest first: labels that came and went, and comments."""
    events = [(event.at, event.id, label_event(call, event)) for event in issue_.events]
    comments = [
        (
            one.created_at,
            one.id,
            comment(call, issue_, one) | {"event": "commented", "actor": user(call, one.author)},
        )
        for one in issue_.comments
    ]
    return [view for _, _, view in sorted(events + comments, key=lambda row: row[:2])]


def label_event(call: Call, event: LabelEvent) -> Json:
    """A `labeled` or `unlabeled` event."""
    return {
        "id": event.id,
        "node_id": node_id("LE", event.id),
        "url": f"{call.repository_url}/issues/events/{event.id}",
        "actor": user(call, event.actor),
        "event": event.kind,
        "commit_id": None,
        "commit_url": None,
        "created_at": stamp(event.at),
        "label": {"name": event.label.name, "color": event.label.color},
        "performed_via_github_app": None,
    }


def pull(call: Call, item: Issue) -> Json:
    """A pull request as the list shows it."""
    assert item.pull is not None
    url = f"{call.repository_url}/pulls/{item.number}"
    page = page_of(call, item)
    base_sha = call.repository.git.head(item.pull.base_ref) or item.pull.head_sha
    return _common(call, item) | {
        "id": item.pull.id,
        "node_id": node_id("PR", item.id),
        "url": url,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "issue_url": f"{call.repository_url}/issues/{item.number}",
        "commits_url": f"{url}/commits",
        "review_comments_url": f"{url}/comments",
        "review_comment_url": f"{call.repository_url}/pulls/comments{{/number}}",
        "comments_url": f"{call.repository_url}/issues/{item.number}/comments",
        "statuses_url": f"{call.repository_url}/statuses/{item.pull.head_sha}",
        "merged_at": stamp(item.pull.merged_at),
        "merge_commit_sha": item.pull.merge_commit,
        "requested_reviewers": [],
        "requested_teams": [],
        "head": _branch(call, item.pull.head_ref, item.pull.head_sha),
        "base": _branch(call, item.pull.base_ref, base_sha),
        "_links": {"self": {"href": url}, "html": {"href": page}},
        "auto_merge": None,
        "draft": item.pull.draft,
    }


def _branch(call: Call, name: str, sha: str) -> Json:
    owner = call.repository.owner
    return {
        "label": f"{owner.login}:{name}",
        "ref": name,
        "sha": sha,
        "user": user(call, owner),
        "repo": repository(call),
    }


def whole_pull(call: Call, item: Issue) -> Json:
    """A pull request as the single read shows it, with what the list leaves out."""
    assert item.pull is not None
    return pull(call, item) | {
        "merged": item.pull.merged_at is not None,
        "mergeable": None,
        "rebaseable": None,
        "mergeable_state": "draft" if item.pull.draft else "unknown",
        "merged_by": None,
        "comments": len(item.comments),
        "review_comments": 0,
        "maintainer_can_modify": False,
        "commits": 1,
        "additions": 0,
        "deletions": 0,
        "changed_files": 0,
    }


def repository(call: Call) -> Json:
    """A repository, as far as anybody here asks."""
    item = call.repository
    return {
        "id": item.id,
        "node_id": node_id("R", item.id),
        "name": item.name,
        "full_name": item.full_name,
        "owner": user(call, item.owner),
        "private": True,
        "html_url": call.html_url,
        "description": None,
        "fork": False,
        "url": call.repository_url,
        "clone_url": f"{call.html_url}.git",
        "default_branch": item.default_branch,
        "created_at": stamp(item.created_at),
        "updated_at": stamp(item.created_at),
        "pushed_at": stamp(item.created_at),
    }


def check_run(call: Call, item: CheckRun) -> Json:
    """A check run."""
    return {
        "id": item.id,
        "head_sha": item.sha,
        "node_id": node_id("CR", item.id),
        "external_id": "",
        "url": f"{call.repository_url}/check-runs/{item.id}",
        "html_url": f"{call.html_url}{item.details_path}",
        "details_url": item.details_url or f"{call.html_url}{item.details_path}",
        "status": item.status,
        "conclusion": item.conclusion,
        "started_at": stamp(item.started_at),
        "completed_at": stamp(item.completed_at),
        "output": {
            "title": None,
            "summary": None,
            "text": None,
            "annotations_count": 0,
            "annotations_url": f"{call.repository_url}/check-runs/{item.id}/annotations",
        },
        "name": item.name,
        "check_suite": {"id": item.suite_id},
        "app": None,
        "pull_requests": [],
    }


def status(call: Call, item: StatusContext) -> Json:
    """One context of a combined status. REST knows no `expected`."""
    return {
        "url": f"{call.repository_url}/statuses/{item.sha}",
        "avatar_url": f"{call.server_url}/{item.creator.login}.png",
        "id": item.id,
        "node_id": node_id("SC", item.id),
        "state": "pending" if item.state == "expected" else item.state,
        "description": item.description,
        "target_url": item.target_url,
        "context": item.context,
        "created_at": stamp(item.created_at),
        "updated_at": stamp(item.created_at),
    }


def workflow_run(call: Call, item: WorkflowRun) -> Json:
    """A workflow run, as far as anybody here asks."""
    return {
        "id": item.id,
        "node_id": node_id("WFR", item.id),
        "name": item.workflow,
        "check_suite_id": item.suite_id,
        "head_branch": item.branch,
        "head_sha": item.sha,
        "event": item.event,
        "run_attempt": item.attempt,
        "url": f"{call.repository_url}/actions/runs/{item.id}",
        "html_url": f"{call.html_url}/actions/runs/{item.id}",
        "created_at": stamp(item.created_at),
    }
