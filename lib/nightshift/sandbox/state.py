"""The world of the sandbox: users, tokens, repositories, and the one lock that guards them.

No HTTP: `rest`, `graphql` and `githost` are faces of this state.
"""

from __future__ import annotations

import itertools
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from nightshift.sandbox.gitstore import GitStore
from nightshift.sandbox.model import User
from nightshift.sandbox.repository import Repository

BOT_LOGIN = "github-actions[bot]"
HOURLY = 5000


class Clock(Protocol):
    """What the sandbox needs of a clock; any test clock with `now` will do."""

    def now(self) -> datetime:
        """The time in UTC, with its zone."""
        ...


class SystemClock:
    """The wall clock."""

    def now(self) -> datetime:
        """The time in UTC, with its zone."""
        return datetime.now(UTC)


@dataclass(slots=True)
class Token:
    """A credential: whose it is, and what it may do.

    :param permissions: "read", "write" or "none" by GitHub's permission names; what is not named is "write".
    :param requests_left: the token expires after so many requests; None: never.
    :param rate_limit: requests an hour.
    :param comments_when_locked: whether it may comment on a locked conversation.
    """

    value: str
    user: User
    permissions: dict[str, str] = field(default_factory=dict)
    requests_left: int | None = None
    rate_limit: int = HOURLY
    rate_used: int = 0
    comments_when_locked: bool = False

    def may(self, permission: str, access: str) -> bool:
        """Whether the token has a permission at "read" or "write"."""
        return self.permissions.get(permission, "write") in (access, "write")

    def spend(self) -> bool:
        """Count a request; False once the token has expired."""
        if self.requests_left is None:
            return True
        self.requests_left -= 1
        return self.requests_left >= 0


class World:
    """Everything that the sandbox remembers. Hold `lock` while reading or changing it."""

    def __init__(self, clock: Clock, folder: Path) -> None:
        self.clock = clock
        self.folder = folder
        self.lock = threading.RLock()
        self.users: dict[str, User] = {}
        self.tokens: dict[str, Token] = {}
        self.repositories: dict[str, Repository] = {}
        self._ids = itertools.count(1001)

    def next_id(self) -> int:
        """A number that no other object has."""
        return next(self._ids)

    def user(self, login: str) -> User:
        """The user with a login, made where there is none. `[bot]` at the end makes it a bot."""
        if login not in self.users:
            self.users[login] = User(login=login, id=self.next_id())
        return self.users[login]

    def add_token(self, value: str, login: str = BOT_LOGIN, **permissions: str) -> Token:
        """A new token of a user; permissions as `issues="read"`, `workflows="none"`, …"""
        token = Token(value=value, user=self.user(login), permissions=dict(permissions))
        self.tokens[value] = token
        return token

    def add_repository(self, full_name: str, *, default_branch: str = "main") -> Repository:
        """A new repository without a branch, label or issue. Its owner's account is made with it."""
        owner, name = full_name.split("/")
        store = GitStore(self.folder / owner / f"{name}.git")
        store.create(default_branch)
        repository = Repository(self, self.user(owner), name, store, default_branch)
        self.repositories[full_name.lower()] = repository
        return repository

    def repository(self, full_name: str) -> Repository | None:
        """A repository by `owner/name`, whatever its case; None where there is none."""
        return self.repositories.get(full_name.lower())

    def now(self) -> datetime:
        """The sandbox's time."""
        return self.clock.now()
