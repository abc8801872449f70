"""Whatever the user, the system or the repository configures: the merge comes out the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from nightshift.adapters.git.repository import GitRepository
from support.repos import Repo, diverged

BODY = "".join(f"line {n}\n" for n in range(9))


@pytest.fixture(name="repo")
def fixture_repo(tmp_path: Path) -> Repo:
    """One conflict, one rename."""
    return diverged(
        tmp_path / "r",
        {"a.txt": BODY, "old.txt": BODY + "old\n"},
        {"a.txt": BODY.replace("line 4", "target"), "old.txt": BODY + "old\nmore\n"},
        {"a.txt": BODY.replace("line 4", "source"), "old.txt": None, "new.txt": BODY + "old\n"},
    )


def merged(repo: Repo) -> tuple[str, int]:
    """The tree that git makes, and the number of conflicts."""
    with GitRepository.of_checkout(repo.path) as git:
        merge = git.merge_tree(git.resolve("dev"), git.resolve("main"))
        return merge.tree, len(merge.conflicts)


def test_configuration_of_the_user_and_the_repository(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = merged(repo)
    assert plain[1] == 1
    attributes = tmp_path / "attributes"
    attributes.write_text("* merge=union\n", encoding="utf-8")
    config = tmp_path / "config"
    config.write_text(
        f"[core]\nattributesFile = {attributes}\n[merge]\nrenames = false\nconflictStyle = diff3\n"
        "[diff]\nrenames = false\n[rerere]\nenabled = true\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    repo.git("config", "merge.renames", "false")
    repo.git("config", "merge.conflictStyle", "diff3")
    (repo.path / ".git/info").mkdir(exist_ok=True)
    (repo.path / ".git/info/attributes").write_text("* merge=union\n", encoding="utf-8")
    assert merged(repo) == plain


def test_variables_of_the_caller(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = merged(repo)
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path / "objects"))
    assert merged(repo) == plain


def test_replaced_objects_are_seen_as_they_are(repo: Repo) -> None:
    plain = merged(repo)
    repo.git("replace", "main", "dev")
    assert merged(repo) == plain


def test_a_repository_of_another_user(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    monkeypatch.setattr("nightshift.adapters.git.environment.scrub", lambda _: None)
    assert merged(repo)[1] == 1
