"""Forms that both faces of the API share: times, global ids, addresses of pages."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from nightshift.sandbox.model import CheckRun, Issue, User
from nightshift.sandbox.repository import Repository


def stamp(time: datetime | None) -> str | None:
    """A time as the API writes it: UTC, whole seconds."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ") if time else None


def parsed(text: str) -> datetime:
    """A time that a client gave.

    :raises ValueError: it is none, or has no zone.
    """
    time = datetime.fromisoformat(text)
    if time.tzinfo is None:
        raise ValueError(f"{text} has no zone")
    return time


def node_id(prefix: str, number: int) -> str:
    """A global id: an opaque text that GraphQL takes."""
    digits = base64.urlsafe_b64encode(str(number).encode()).decode().rstrip("=")
    return f"{prefix}_{digits}"


def issue_id(issue: Issue) -> str:
    """The global id of an issue or pull request."""
    return node_id("PR" if issue.pull else "I", issue.id)


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the sandbox is, without slashes at the end.

    :param api: the REST API's root.
    :param server: the root of pages and git remotes.
    :param logs: the download host.
    """

    api: str
    server: str
    logs: str

    def api_of(self, repository: Repository) -> str:
        """The API's address of a repository."""
        return f"{self.api}/repos/{repository.full_name}"

    def page_of(self, repository: Repository) -> str:
        """A repository's page."""
        return f"{self.server}/{repository.full_name}"

    def issue_page(self, repository: Repository, issue: Issue) -> str:
        """The page of an issue or pull request."""
        kind = "pull" if issue.pull else "issues"
        return f"{self.page_of(repository)}/{kind}/{issue.number}"

    def check_page(self, repository: Repository, check: CheckRun) -> str:
        """The page of a check run; an Actions job's leads to its log."""
        if check.run is None:
            return f"{self.page_of(repository)}/runs/{check.id}"
        return f"{self.page_of(repository)}/actions/runs/{check.run.id}/job/{check.id}"

    def user_api(self, user: User) -> str:
        """The API's address of an account."""
        return f"{self.api}/users/{quote(user.login)}"

    def user_page(self, user: User) -> str:
        """An account's page; an app has its own kind."""
        return f"{self.server}/apps/{user.slug}" if user.is_bot else f"{self.server}/{user.login}"
