"""Fetches and pushes against a real remote on disk, with real refusals by its hooks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nightshift.adapters.git import remote as remotes
from nightshift.adapters.git.command import Output
from nightshift.adapters.git.remote import Remote, refusal
from nightshift.adapters.git.repository import GitRepository
from nightshift.errors import HostError, UserError
from support.repos import Repo

BRANCH = "sync/2026-01-02"


@pytest.fixture(name="origin")
def fixture_origin(tmp_path: Path) -> Repo:
    """A bare remote with the branches dev and main."""
    work = Repo(tmp_path / "work")
    work.commit({"a": "0\n"})
    work.branch("main")
    work.commit({"s": "1\n"})
    work.switch("dev")
    work.commit({"t": "1\n"})
    origin = Repo(tmp_path / "origin.git", bare=True)
    work.git("push", "-q", str(origin.path), "dev", "main")
    return origin


@pytest.fixture(name="git")
def fixture_git(origin: Repo) -> Iterator[GitRepository]:
    """The port over the remote, with no checkout to borrow from."""
    with GitRepository.of_remote(Remote(f"file://{origin.path}")) as git:
        yield git


def hook(origin: Repo, script: str) -> None:
    """A hook of the remote that sees each push."""
    file = origin.path / "hooks" / "pre-receive"
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)


class TestNames:
    """What a name means on a remote."""

    def test_branches_tags_and_commits_of_the_remote(
        self, origin: Repo, git: GitRepository
    ) -> None:
        dev, main = origin.git("rev-parse", "dev"), origin.git("rev-parse", "main")
        origin.git("tag", "v1", main)
        assert [git.resolve(ref) for ref in ("dev", "main", "v1", dev)] == [dev, main, main, dev]
        assert not git.merge_tree(dev, main).conflicts

    def test_a_branch_is_read_afresh(self, origin: Repo, git: GitRepository) -> None:
        assert git.resolve("dev") == origin.git("rev-parse", "dev")
        origin.git("update-ref", "refs/heads/dev", "main")
        assert git.resolve("dev") == origin.git("rev-parse", "main")
        assert git.remote_head("dev") == origin.git("rev-parse", "main")

    def test_what_does_not_exist(self, git: GitRepository) -> None:
        assert git.remote_head("nowhere") is None
        with pytest.raises(UserError, match="there is no branch"):
            git.resolve("nowhere")
        with pytest.raises(UserError, match="there is no branch"):
            git.resolve("a" * 40)

    def test_a_checkout_is_borrowed_from(self, origin: Repo, tmp_path: Path) -> None:
        checkout = Repo(tmp_path / "checkout")
        checkout.git("fetch", "-q", "--depth=1", f"file://{origin.path}", "dev")
        checkout.git("reset", "-q", "--hard", "FETCH_HEAD")
        remote = Remote(f"file://{origin.path}")
        with GitRepository.of_remote(remote, borrow=checkout.path) as git:
            ends = git.resolve("dev"), git.resolve("main")
            assert list(git.merge_bases(*ends)) == [origin.git("merge-base", "dev", "main")]

    def test_a_filtered_checkout_is_not_borrowed_from(self, origin: Repo, tmp_path: Path) -> None:
        checkout = Repo(tmp_path / "checkout")
        origin.git("config", "uploadpack.allowFilter", "true")
        checkout.git("remote", "add", "origin", f"file://{origin.path}")
        checkout.git("fetch", "-q", "--filter=blob:none", "origin", "dev")
        remote = Remote(f"file://{origin.path}")
        with GitRepository.of_remote(remote, borrow=checkout.path) as git:
            assert git.tree(git.resolve("dev")).read("t") == b"1\n"

    @pytest.mark.parametrize(
        "url",
        ["--upload-pack=touch x", "ext::sh -c x", "https://user:secret@example.com/r.git", ""],
    )
    def test_an_address_that_is_none(self, url: str) -> None:
        with GitRepository.of_remote(Remote(url)) as git, pytest.raises(UserError) as caught:
            git.remote_head("dev")
        assert "secret" not in str(caught.value)

    def test_a_remote_that_is_not_there(self, tmp_path: Path) -> None:
        with GitRepository.of_remote(Remote(str(tmp_path / "nowhere.git"))) as git:
            with pytest.raises(HostError) as caught:
                git.remote_head("dev")
        assert caught.value.reason == "missing"


class TestPush:
    """One branch, one expectation."""

    def test_a_new_branch_then_the_same_branch(self, origin: Repo, git: GitRepository) -> None:
        dev, main = git.resolve("dev"), git.resolve("main")
        git.push(dev, BRANCH, expect=None)
        assert origin.git("rev-parse", BRANCH) == dev
        git.push(main, BRANCH, expect=dev)
        assert origin.git("rev-parse", BRANCH) == main

    def test_a_branch_that_has_moved_is_not_overwritten(
        self, origin: Repo, git: GitRepository
    ) -> None:
        dev, main = git.resolve("dev"), git.resolve("main")
        git.push(dev, BRANCH, expect=None)
        origin.git("update-ref", f"refs/heads/{BRANCH}", main)
        with pytest.raises(HostError) as caught:
            git.push(dev, BRANCH, expect=dev)
        assert caught.value.reason == "stale" and not caught.value.transient
        assert origin.git("rev-parse", BRANCH) == main

    def test_a_branch_that_must_not_exist_yet(self, origin: Repo, git: GitRepository) -> None:
        dev, main = git.resolve("dev"), git.resolve("main")
        origin.git("update-ref", f"refs/heads/{BRANCH}", main)
        with pytest.raises(HostError) as caught:
            git.push(dev, BRANCH, expect=None)
        assert caught.value.reason == "stale"

    def test_a_rule_of_the_repository(self, origin: Repo, git: GitRepository) -> None:
        hook(origin, "echo 'error: GH006: Protected branch update failed' >&2; exit 1")
        with pytest.raises(HostError) as caught:
            git.push(git.resolve("dev"), BRANCH, expect=None)
        assert caught.value.reason == "protected" and "GH006" in caught.value.what

    def test_a_permission_for_workflow_files(self, origin: Repo, git: GitRepository) -> None:
        words = "refusing to allow a GitHub App to create or update workflow without permission"
        hook(origin, f"echo '{words}' >&2; exit 1")
        with pytest.raises(HostError) as caught:
            git.push(git.resolve("dev"), BRANCH, expect=None)
        assert caught.value.reason == "workflow" and "workflows: write" in caught.value.mend

    def test_only_one_branch_is_pushed(self, origin: Repo, git: GitRepository) -> None:
        before = origin.git("for-each-ref")
        git.push(git.resolve("dev"), BRANCH, expect=None)
        after = set(origin.git("for-each-ref").splitlines()) - set(before.splitlines())
        assert len(after) == 1 and after.pop().endswith(f"refs/heads/{BRANCH}")

    @pytest.mark.parametrize("branch", ["--all", "main:dev", ""])
    def test_a_branch_that_is_none(self, git: GitRepository, branch: str) -> None:
        with pytest.raises(UserError):
            git.push(git.resolve("dev"), branch, expect=None)

    def test_a_plus_is_part_of_a_name_and_forces_nothing(
        self, origin: Repo, git: GitRepository
    ) -> None:
        git.push(git.resolve("main"), "+dev", expect=None)
        assert origin.git("rev-parse", "refs/heads/+dev") == origin.git("rev-parse", "main")
        assert origin.git("rev-parse", "dev") != origin.git("rev-parse", "main")

    def test_hooks_of_the_users_do_not_run(self, origin: Repo, tmp_path: Path) -> None:
        checkout = Repo(tmp_path / "checkout")
        checkout.commit({"x": "1\n"})
        marker = tmp_path / "ran"
        pre_push = checkout.path / ".git/hooks/pre-push"
        pre_push.parent.mkdir(exist_ok=True)
        pre_push.write_text(f"#!/bin/sh\ntouch '{marker}'\n", encoding="utf-8")
        pre_push.chmod(0o755)
        remote = Remote(f"file://{origin.path}")
        with GitRepository.of_remote(remote, borrow=checkout.path) as git:
            git.push(git.resolve("dev"), BRANCH, expect=None)
        assert not marker.exists()


WORDS = {
    "fatal: could not read Username for 'https://x': terminal prompts disabled": ("auth", False),
    "fatal: unable to access 'https://x/': The requested URL returned error: 403": ("auth", False),
    "remote: Permission to o/r.git denied to bot.": ("auth", False),
    "remote: You have exceeded a secondary rate limit.\nfatal: returned error: 403": (
        "network",
        True,
    ),
    "error: RPC failed; HTTP 403 curl 22 The requested URL returned error: 403": ("network", True),
    "fatal: unable to access 'https://x/': The requested URL returned error: 429": (
        "network",
        True,
    ),
    "fatal: unable to access 'https://x/': Could not resolve host: x": ("network", True),
    "error: RPC failed; curl 56 Recv failure: Connection reset by peer": ("network", True),
    "fatal: unable to access 'https://x/': The requested URL returned error: 502": (
        "network",
        True,
    ),
    "remote: Repository not found.": ("missing", False),
    " ! [remote rejected] a -> b (protected branch hook declined)": ("protected", False),
    " ! [rejected] a -> b (stale info)": ("stale", False),
    "something that nobody has seen": ("refused", False),
}


@pytest.mark.parametrize("words", WORDS)
def test_refusals_are_told_apart(words: str) -> None:
    error = refusal("push", Output(1, b"", words), where="dev")
    assert (error.reason, error.transient) == WORDS[words]
    assert error.where == "dev" and words.strip() in error.what


def unreachable(slept: list[float], remote: Path) -> Remote:
    """A remote that is not there before somebody has waited for it twice."""

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 2:
            remote.with_suffix(".away").rename(remote)

    return Remote(f"file://{remote}", sleep=sleep)


def test_a_read_is_repeated_where_the_network_failed(
    origin: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A file that is away is no network trouble; what matters here is the repetition.
    causes = tuple(
        replace(one, transient=True) if one.reason == "missing" else one for one in remotes.CAUSES
    )
    monkeypatch.setattr(remotes, "CAUSES", causes)
    head, slept = origin.git("rev-parse", "dev"), list[float]()
    origin.path.rename(origin.path.with_suffix(".away"))
    with GitRepository.of_remote(unreachable(slept, origin.path)) as git:
        assert git.remote_head("dev") == head
    assert slept == list(remotes.PAUSES[:2])


def test_a_read_that_is_refused_is_not_repeated(tmp_path: Path) -> None:
    slept: list[float] = []
    remote = Remote(f"file://{tmp_path}/nowhere.git", sleep=slept.append)
    with GitRepository.of_remote(remote) as git, pytest.raises(HostError):
        git.remote_head("dev")
    assert not slept
