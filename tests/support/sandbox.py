"""Fixtures and seeds for tests that need a GitHub: `box`, and repositories made from dictionaries of files.

Real git with a configuration of its own: no user's settings, no hooks, nothing in HOME.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from nightshift.sandbox import Sandbox
from nightshift.sandbox.repository import Repository

REPOSITORY = "acme/rocket"
WHEN = datetime(2026, 3, 2, 4, 5, 6, tzinfo=UTC)

Files = Mapping[str, str | bytes | None]


class FakeClock:
    """A clock that moves only when it is told to, or when somebody sleeps on it."""

    def __init__(self, start: datetime = WHEN) -> None:
        self._start = start
        self._seconds = 0.0

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._seconds)

    def monotonic(self) -> float:
        return self._seconds

    def sleep(self, seconds: float) -> None:
        self._seconds += seconds


@pytest.fixture
def clock() -> FakeClock:
    """The clock of `box`."""
    return FakeClock()


@pytest.fixture
def box(clock: FakeClock) -> Iterator[Sandbox]:
    """An empty sandbox on a clock that stands still."""
    with Sandbox(clock=clock) as sandbox:
        yield sandbox


@pytest.fixture
def rocket(box: Sandbox) -> Repository:
    """A repository `acme/rocket` with one commit on main."""
    repository = box.state.add_repository(REPOSITORY)
    commit(repository, "main", {"README.md": "# rocket\n"})
    return repository


def git_env(**more: str) -> dict[str, str]:
    """An environment for git that knows no user's configuration and no terminal."""
    identity = {
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (
            ("NAME", "Ada"),
            ("EMAIL", "ada@example.org"),
            ("DATE", "2026-03-02T04:05:06Z"),
        )
    }
    return {
        "PATH": os.environ["PATH"],
        "HOME": os.devnull,
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        **identity,
        **more,
    }


def run_git(folder: Path, *arguments: str, stdin: bytes = b"", **more: str) -> str:
    """Run git in a folder; its output without the last newline.

    :raises subprocess.CalledProcessError: git failed; its words are in `stderr`.
    """
    done = subprocess.run(
        ["git", "-c", "core.hooksPath=/dev/null", *arguments],
        cwd=folder,
        env=git_env(**more),
        input=stdin,
        check=True,
        capture_output=True,
    )
    return done.stdout.decode(errors="surrogateescape").rstrip("\n")


def commit(
    repository: Repository,
    branch: str,
    files: Files,
    *,
    parent: str | None = None,
    message: str = "change",
) -> str:
    """Put a commit on a branch, straight in the store; no push, so no CI. Its id.

    :param files: path -> new content; None deletes. What is not named stays as the parent has it.
    :param parent: a branch or commit to start from; the branch itself where none is given.
    """
    folder = repository.git.path
    start = repository.git.resolve(parent or f"refs/heads/{branch}")
    index = {"GIT_INDEX_FILE": str(folder / f"seed-{os.getpid()}.index")}
    run_git(folder, "read-tree", start or "--empty", **index)
    for path, content in files.items():
        if content is None:
            run_git(folder, "update-index", "--force-remove", "--", path, **index)
            continue
        data = content.encode() if isinstance(content, str) else content
        blob = run_git(folder, "hash-object", "-w", "--stdin", stdin=data)
        run_git(folder, "update-index", "--add", "--cacheinfo", f"100644,{blob},{path}", **index)
    tree = run_git(folder, "write-tree", **index)
    parents = ["-p", start] if start else []
    sha = run_git(folder, "commit-tree", tree, *parents, "-m", message)
    run_git(folder, "update-ref", f"refs/heads/{branch}", sha)
    return sha


def push(
    box: Sandbox,
    repository: Repository,
    sha: str,
    branch: str,
    *options: str,
    token: str | None = None,
) -> str:
    """Push a commit that the store has to a branch, over HTTP: CI hears of it. What git said.

    :raises subprocess.CalledProcessError: it was refused.
    """
    return run_git(
        repository.git.path,
        "push",
        *options,
        authed_url(box, repository, token),
        f"{sha}:refs/heads/{branch}",
    )


def authed_url(box: Sandbox, repository: Repository, token: str | None = None) -> str:
    """The address of the remote with credentials in it; for tests only."""
    credentials = f"x-access-token:{token or box.token}"
    return box.remote_url(repository.full_name).replace("://", f"://{credentials}@")
