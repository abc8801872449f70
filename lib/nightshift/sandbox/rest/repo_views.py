"""How REST shows a repository, with the addresses that GitHub lists in every view of one."""

from __future__ import annotations

from typing import Any

from nightshift.sandbox.forms import node_id, stamp
from nightshift.sandbox.repository import Repository
from nightshift.sandbox.rest.call import Call

Json = dict[str, Any]

ADDRESSES = {
    "archive_url": "/{archive_format}{/ref}",
    "assignees_url": "/assignees{/user}",
    "blobs_url": "/git/blobs{/sha}",
    "branches_url": "/branches{/branch}",
    "collaborators_url": "/collaborators{/collaborator}",
    "comments_url": "/comments{/number}",
    "commits_url": "/commits{/sha}",
    "compare_url": "/compare/{base}...{head}",
    "contents_url": "/contents/{+path}",
    "contributors_url": "/contributors",
    "deployments_url": "/deployments",
    "downloads_url": "/downloads",
    "events_url": "/events",
    "forks_url": "/forks",
    "git_commits_url": "/git/commits{/sha}",
    "git_refs_url": "/git/refs{/sha}",
    "git_tags_url": "/git/tags{/sha}",
    "hooks_url": "/hooks",
    "issue_comment_url": "/issues/comments{/number}",
    "issue_events_url": "/issues/events{/number}",
    "issues_url": "/issues{/number}",
    "keys_url": "/keys{/key_id}",
    "labels_url": "/labels{/name}",
    "languages_url": "/languages",
    "merges_url": "/merges",
    "milestones_url": "/milestones{/number}",
    "notifications_url": "/notifications{?since,all,participating}",
    "pulls_url": "/pulls{/number}",
    "releases_url": "/releases{/id}",
    "stargazers_url": "/stargazers",
    "statuses_url": "/statuses/{sha}",
    "subscribers_url": "/subscribers",
    "subscription_url": "/subscription",
    "tags_url": "/tags",
    "teams_url": "/teams",
    "trees_url": "/git/trees{/sha}",
}


def minimal(call: Call, owner: Json) -> Json:
    """A repository by its names and addresses."""
    item = call.repository
    return {
        "id": item.id,
        "node_id": node_id("R", item.id),
        "name": item.name,
        "full_name": item.full_name,
        "owner": owner,
        "private": True,
        "html_url": call.context.urls.page_of(item),
        "description": None,
        "fork": False,
        "url": call.url,
        **{name: f"{call.url}{tail}" for name, tail in ADDRESSES.items()},
    }


def repository(call: Call, owner: Json) -> Json:
    """A repository as pull requests and the repository's own read show it."""
    item = call.repository
    open_issues = sum(issue.open and not issue.gone for issue in item.issues.values())
    return (
        minimal(call, owner)
        | _remotes(call, item)
        | _features()
        | _counts(open_issues)
        | {
            "homepage": None,
            "language": None,
            "license": None,
            "topics": [],
            "visibility": "private",
            "default_branch": item.default_branch,
            "created_at": stamp(item.created_at),
            "updated_at": stamp(item.created_at),
            "pushed_at": stamp(item.created_at),
        }
    )


def _remotes(call: Call, item: Repository) -> Json:
    page = call.context.urls.page_of(item)
    host = call.context.urls.server.split("://", 1)[1]
    return {
        "clone_url": f"{page}.git",
        "git_url": f"git://{host}/{item.full_name}.git",
        "ssh_url": f"git@{host.split(':', 1)[0]}:{item.full_name}.git",
        "svn_url": page,
        "mirror_url": None,
    }


def _features() -> Json:
    """What the repository has: issues and pull requests, nothing else that GitHub knows."""
    absent = ("projects", "wiki", "pages", "downloads", "discussions")
    states = {"archived": False, "disabled": False, "is_template": False, "has_issues": True}
    return {f"has_{name}": False for name in absent} | states | {"allow_forking": True}


def _counts(open_issues: int) -> Json:
    nothing = ("forks", "forks_count", "stargazers_count", "watchers", "watchers_count", "size")
    more = {"subscribers_count": 0, "network_count": 0}
    counted = {"open_issues": open_issues, "open_issues_count": open_issues}
    return dict.fromkeys(nothing, 0) | more | counted
