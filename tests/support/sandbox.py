"""Fixtures and seeds for tests that need a GitHub: `box`, and repositories from dicts of files.

Import the fixtures into a room's conftest. Real git with a configuration of its own: no user's
settings, no hooks, nothing in HOME.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from nightshift.sandbox import Sandbox
from nightshift.sandbox.repository import Repository
from support.clock import SimulatedClock

REPOSITORY = "acme/rocket"

Files = Mapping[str, str | bytes | None]


@pytest.fixture(name="clock")
def fixture_clock() -> SimulatedClock:
    """The clock of `box`."""
    return SimulatedClock()


@pytest.fixture(name="bare_box")
def fixture_bare_box(clock: SimulatedClock) -> Iterator[Sandbox]:
    """An empty sandbox on a clock that stands still; nobody looks at what is asked of it."""
    with Sandbox(clock=clock) as sandbox:
        yield sandbox
    assert not sandbox.errors


@pytest.fixture(name="box")
def fixture_box(bare_box: Sandbox) -> Iterator[Sandbox]:
    """The same under contract: what it grants and answers must be as GitHub's description says."""
    # Its imports take seconds, and most tests of this room's neighbours do not want them.
    from support.contract import Contract  # pylint: disable=import-outside-toplevel

    contract = Contract()
    bare_box.observers.append(contract)
    yield bare_box
    assert not contract.problems


@pytest.fixture(name="rocket")
def fixture_rocket(bare_box: Sandbox) -> Repository:
    """A repository `acme/rocket` with one commit on main."""
    repository = bare_box.state.add_repository(REPOSITORY)
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

    :param more: additional variables of its environment.
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
    start = repository.git.resolve(parent or f"refs/heads/{branch}")
    stream = [
        f"commit refs/heads/{branch}\ncommitter Ada <ada@example.org> 1772424306 +0000\n".encode(),
        _data(message.encode()),
        f"from {start}\n".encode() if start else b"",
    ]
    for path, content in files.items():
        if content is None:
            stream.append(f"D {_quoted(path)}\n".encode())
        else:
            data = content.encode() if isinstance(content, str) else content
            stream += [f"M 100644 inline {_quoted(path)}\n".encode(), _data(data)]
    run_git(repository.git.path, "fast-import", "--quiet", "--force", stdin=b"".join(stream))
    return repository.git.head(branch) or ""


def _data(content: bytes) -> bytes:
    return b"data %d\n%s\n" % (len(content), content)


def _quoted(path: str) -> str:
    """A path as git quotes it, so that any byte may be in it."""
    plain = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:03o}"
        for byte in os.fsencode(path)
    )
    return f'"{plain}"'


def push(
    box: Sandbox, repository: Repository, sha: str, branch: str, *options: str, token: str = ""
) -> str:
    """Push a commit that the store has to a branch, over HTTP, so that CI hears of it.

    :param token: whose push it is; the sandbox's own where none is given.
    :returns: what git said, with one line for each ref.
    :raises subprocess.CalledProcessError: it was refused.
    """
    url = authed_url(box, repository, token or box.token)
    where = f"{sha}:refs/heads/{branch}"
    return run_git(repository.git.path, "push", "--porcelain", *options, url, where)


def authed_url(box: Sandbox, repository: Repository, token: str) -> str:
    """The address of the remote with credentials in it: for tests only."""
    url = box.remote_url(repository.full_name)
    return url.replace("://", f"://x-access-token:{token}@")
