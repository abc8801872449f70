"""A person's own work tree: what is read of it, and the one way to move it."""

from __future__ import annotations

from pathlib import Path

import pytest

from nightshift.adapters.git.checkout import Checkout
from nightshift.adapters.git.repository import GitRepository
from nightshift.errors import UserError
from nightshift.values import Identity
from support.repos import Repo, Submodule, diverged


@pytest.fixture(name="repo")
def fixture_repo(tmp_path: Path) -> Repo:
    """A repository on dev, with main beside it."""
    return diverged(tmp_path / "r", {"a": "0\n"}, {"t": "1\n"}, {"s": "1\n"})


def test_head_and_branches(repo: Repo) -> None:
    checkout = Checkout(repo.path)
    assert checkout.head_branch() == "dev"
    assert checkout.has_branch("main") and not checkout.has_branch("origin/main")
    repo.git("switch", "-q", "--detach")
    assert checkout.head_branch() is None


def test_an_untracked_file_is_no_change_and_a_tracked_one_is(repo: Repo) -> None:
    checkout = Checkout(repo.path)
    (repo.path / "untracked").write_text("x", encoding="utf-8")
    assert checkout.changes() == ""
    (repo.path / "a").write_text("edited\n", encoding="utf-8")
    assert "a" in checkout.changes()


def test_a_staged_change_and_an_unfinished_merge_are_changes(repo: Repo) -> None:
    checkout = Checkout(repo.path)
    repo.git("merge", "--no-commit", "--no-ff", "-q", "main")
    assert "unfinished merge" in checkout.changes()


def test_a_submodule_that_is_not_checked_out_is_no_change(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "sub")
    repo.commit({"a": "1\n", "module": Submodule("1" * 40)})
    (repo.path / "module").mkdir()
    assert Checkout(repo.path).changes() == ""


def test_advance_moves_the_branch_and_the_work_tree(repo: Repo) -> None:
    commit = repo.git("commit-tree", "-p", "HEAD", "-m", "next", "HEAD^{tree}")
    Checkout(repo.path).advance(commit)
    assert repo.git("rev-parse", "dev") == commit and repo.git("status", "--porcelain") == ""


def test_objects_are_taken_without_a_ref(repo: Repo) -> None:
    checkout = Checkout(repo.path)
    with GitRepository.of_checkout(repo.path) as git:
        ends = git.resolve("dev"), git.resolve("main")
        tree = git.write_tree(ends[0], {"new": ("100644", b"new\n")})
        at = git.commit(ends[0]).committed_at
        commit = git.commit_tree(tree, ends, "merge", Identity("N", "n@example.com"), at)
        checkout.take(git.pack(commit, ends))
    assert repo.read("new", commit) == b"new\n"
    assert repo.git("rev-parse", "dev") == ends[0]


def test_an_untracked_file_in_the_way_is_kept(repo: Repo) -> None:
    main = repo.git("rev-parse", "main")
    commit = repo.git("commit-tree", "-p", "HEAD", "-p", main, "-m", "merge", f"{main}^{{tree}}")
    (repo.path / "s").write_text("mine\n", encoding="utf-8")
    before = repo.git("rev-parse", "HEAD")
    with pytest.raises(UserError, match="could not follow"):
        Checkout(repo.path).advance(commit)
    assert (repo.path / "s").read_text(encoding="utf-8") == "mine\n"
    assert repo.git("rev-parse", "HEAD") == before


def test_no_hook_runs(repo: Repo, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    folder = repo.path / ".git/hooks"
    folder.mkdir(exist_ok=True)
    for name in ("post-merge", "post-checkout", "reference-transaction"):
        (folder / name).write_text(f"#!/bin/sh\ntouch '{marker}'\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    commit = repo.git("commit-tree", "-p", "HEAD", "-m", "next", "HEAD^{tree}")
    marker.unlink(missing_ok=True)
    Checkout(repo.path).advance(commit)
    assert not marker.exists()


def test_no_work_tree(tmp_path: Path) -> None:
    bare = Repo(tmp_path / "bare.git", bare=True)
    with pytest.raises(UserError, match="no work tree"):
        Checkout(bare.path).require_work_tree()
    with pytest.raises(UserError, match="no git repository"):
        Checkout(tmp_path).require_work_tree()
