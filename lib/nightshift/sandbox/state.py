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
from nightshift.sandbox.limits import RateLimit, WriteLimit
from nightshift.sandbox.model import User
from nightshift.sandbox.repository import Repository

BOT_LOGIN = "github-actions[bot]"


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

    :param permissions: "read", "write" or "none" by GitHub's names; what is not named is "write".
    :param requests_left: the token expires after so many requests; None: never.
    :param expires_at: or at this moment; None: never.
    :param comments_when_locked: whether it may comment on a locked conversation.
    :param starts_workflows: whether its pushes start CI; those of an action's default token do not.
    """

    value: str
    user: User
    permissions: dict[str, str] = field(default_factory=dict)
    requests_left: int | None = None
    expires_at: datetime | None = None
    comments_when_locked: bool = False
    starts_workflows: bool = True
    rate: RateLimit = field(default_factory=RateLimit)

    def may(self, permission: str, access: str) -> bool:
        """Whether the token has a permission at "read" or "write"."""
        return self.permissions.get(permission, "write") in (access, "write")

    def spend(self, now: datetime) -> bool:
        """Count a request; False once the token has expired."""
        if self.expires_at is not None and now >= self.expires_at:
            return False
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
        self.writes = WriteLimit()
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
        """A new repository without a branch, label or issue; its owner is made with it."""
        owner, name = full_name.split("/")
        store = GitStore(self.folder / owner / f"{name}.git")
        store.create(default_branch)
        repository = Repository(self, self.user(owner), name, store, default_branch)
        self.repositories[full_name.lower()] = repository
        return repository

    def repository(self, full_name: str) -> Repository | None:
        """A repository by `owner/name`, whatever its case; None where there is none."""
        return self.repositories.get(full_name.lower())

    def by_id(self, number: object) -> Repository | None:
        """A repository by its id."""
        return next((one for one in self.repositories.values() if one.id == number), None)

    def now(self) -> datetime:
        """The sandbox's time."""
        return self.clock.now()
