"""A token over real HTTP: it opens the remote, and shows nowhere but in the one request."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from git.cmd import Git as GitProcess

from nightshift.adapters.git.remote import Remote
from nightshift.adapters.git.repository import GitRepository
from nightshift.errors import HostError
from nightshift.sandbox import Sandbox
from nightshift.sandbox.repository import Repository
from nightshift.values import Identity
from support.sandbox import REPOSITORY, commit, fixture_bare_box, fixture_clock, fixture_rocket

__all__ = ["fixture_bare_box", "fixture_clock", "fixture_rocket"]

WORKFLOW = ".github/workflows/ci.yml"


@pytest.fixture(name="git")
def fixture_git(bare_box: Sandbox, rocket: Repository) -> Iterator[GitRepository]:
    """The port over the sandbox's remote, with its token."""
    commit(rocket, "dev", {"t": "1\n"}, parent="main")
    commit(rocket, "main", {"s": "1\n"})
    remote = Remote(bare_box.remote_url(REPOSITORY), bare_box.token)
    with GitRepository.of_remote(remote) as git:
        yield git


def test_fetches_and_pushes(rocket: Repository, git: GitRepository) -> None:
    ends = git.resolve("dev"), git.resolve("main")
    assert ends == (rocket.git.head("dev"), rocket.git.head("main"))
    assert set(git.tree(git.merge_tree(*ends).tree).entries()) == {"README.md", "t", "s"}
    git.push(ends[0], "sync/x", expect=None)
    assert rocket.git.head("sync/x") == git.remote_head("sync/x") == ends[0]


def test_the_token_is_in_no_command_line_log_or_file(
    bare_box: Sandbox,
    git: GitRepository,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    commands: list[str] = []
    execute = GitProcess.execute

    def spied(self: GitProcess, command: list[str], *args: object, **options: object) -> object:
        commands.append(" ".join(command))
        return execute(self, command, *args, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(GitProcess, "execute", spied)
    git.push(git.resolve("dev"), "sync/x", expect=None)
    assert any(line.startswith("git push") for line in commands)
    assert bare_box.token not in "\n".join(commands) + caplog.text
    assert bare_box.token not in "".join(os.environ.values())
    folder = git._clone.folder  # pylint: disable=protected-access
    files = [path for path in Path(folder).rglob("*") if path.is_file()]
    assert not [path for path in files if bare_box.token.encode() in path.read_bytes()]


@pytest.mark.usefixtures("rocket")
@pytest.mark.parametrize("token", ["wrong-token", ""])
def test_a_token_that_does_not_open_the_remote(bare_box: Sandbox, token: str) -> None:
    with GitRepository.of_remote(Remote(bare_box.remote_url(REPOSITORY), token)) as git:
        with pytest.raises(HostError) as caught:
            git.resolve("main")
    assert caught.value.reason == "auth" and not caught.value.transient
    assert "wrong-token" not in str(caught.value)


def test_a_repository_that_the_token_does_not_show(bare_box: Sandbox) -> None:
    with GitRepository.of_remote(
        Remote(bare_box.remote_url("acme/nowhere"), bare_box.token)
    ) as git:
        with pytest.raises(HostError) as caught:
            git.remote_head("main")
    assert caught.value.reason == "missing"


def test_a_host_that_nobody_listens_on() -> None:
    with GitRepository.of_remote(Remote("http://127.0.0.1:9/acme/rocket.git", "token")) as git:
        with pytest.raises(HostError) as caught:
            git.remote_head("main")
    assert caught.value.reason == "network" and caught.value.transient


def test_workflow_files_without_the_permission(bare_box: Sandbox, git: GitRepository) -> None:
    bare_box.state.tokens[bare_box.token].permissions.update(workflows="none")
    base = git.resolve("main")
    tree = git.write_tree(base, {WORKFLOW: ("100644", b"on: push\n")})
    at = git.commit(base).committed_at
    flow = git.commit_tree(tree, [base], "flow", Identity("N", "n@example.org"), at)
    with pytest.raises(HostError) as caught:
        git.push(flow, "sync/flow", expect=None)
    assert caught.value.reason == "workflow"


def test_a_token_that_may_only_read(bare_box: Sandbox, git: GitRepository) -> None:
    commit_id = git.resolve("dev")
    bare_box.state.tokens[bare_box.token].permissions.update(contents="read")
    with pytest.raises(HostError) as caught:
        git.push(commit_id, "sync/x", expect=None)
    assert caught.value.reason == "auth"


def test_a_branch_that_is_protected(rocket: Repository, git: GitRepository) -> None:
    rocket.protected.add("main")
    with pytest.raises(HostError) as caught:
        git.push(git.resolve("dev"), "main", expect=rocket.git.head("main"))
    assert caught.value.reason == "protected"
