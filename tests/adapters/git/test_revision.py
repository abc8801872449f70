"""Looking into a revision: real git over `file:` on this machine, with https as the rule."""

from __future__ import annotations

import os
import pwd
import shutil
import tempfile
from pathlib import Path

import pytest

from nightshift.adapters.git.revision import RevisionReader
from nightshift.errors import HostError, UserError
from support.repos import Link, Repo, Submodule

FILES = {
    "pyproject.toml": "[project]\n",
    "src/ext/__init__.py": "x = 1\n",
    "docs/notes.md": "no\n",
    "py/setup.py": "",
    "link.py": Link("src/ext/__init__.py"),
    "module": Submodule("1" * 40),
}


def _repo(path: Path) -> tuple[Repo, str]:
    repo = Repo(path / "remote")
    commit = repo.commit(FILES)
    repo.git("tag", "v1")
    repo.commit({"src/ext/__init__.py": "x = 2\n"})
    return repo, commit


def _reader(**more: int | float) -> RevisionReader:
    return RevisionReader(schemes=("file",), **more)  # type: ignore[arg-type]


def test_python_and_packaging_files_of_any_revision(tmp_path: Path) -> None:
    repo, commit = _repo(tmp_path)
    read = _reader()
    for revision in (commit, "v1"):
        tree = read(f"file://{repo.path}", revision)
        assert sorted(tree.entries()) == ["py/setup.py", "pyproject.toml", "src/ext/__init__.py"]
        assert tree.read("src/ext/__init__.py") == b"x = 1\n"
        assert tree.read("docs/notes.md") is None
    for revision in ("", "dev"):
        assert read(f"file://{repo.path}", revision).read("src/ext/__init__.py") == b"x = 2\n"


def test_a_revision_is_fetched_once(tmp_path: Path) -> None:
    repo, commit = _repo(tmp_path)
    read = _reader()
    first = read(f"file://{repo.path}", commit)
    repo.path.rename(tmp_path / "gone")
    assert read(f"file://{repo.path}", commit) is first


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run git as another user")
def test_as_root_git_runs_as_another_user(tmp_path: Path) -> None:
    """What it could not read as that user, it does not get."""
    repo, commit = _repo(tmp_path)
    read = RevisionReader(schemes=("file",), as_user=pwd.getpwnam("nobody").pw_uid)
    with pytest.raises(HostError, match="could not be fetched"):
        read(f"file://{repo.path}", commit)
    with tempfile.TemporaryDirectory() as name:
        open_to_all = Path(name)
        open_to_all.chmod(0o755)
        shutil.copytree(repo.path / ".git", open_to_all / "x.git")
        for place in (open_to_all / "x.git").rglob("*"):
            os.chown(place, pwd.getpwnam("nobody").pw_uid, -1)
        os.chown(open_to_all / "x.git", pwd.getpwnam("nobody").pw_uid, -1)
        assert read(f"file://{name}/x.git", commit).read("pyproject.toml") == b"[project]\n"


def test_nobodys_configuration_has_a_part_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo, commit = _repo(tmp_path)
    config = tmp_path / "config"
    config.write_text(f'[url "file:///nowhere"]\n\tinsteadOf = file://{repo.path}\n', "utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    assert _reader()(f"file://{repo.path}", commit).read("pyproject.toml") == b"[project]\n"


def test_what_is_not_there_is_the_hosts_fault(tmp_path: Path) -> None:
    repo, _ = _repo(tmp_path)
    with pytest.raises(HostError, match="could not be fetched"):
        _reader()(f"file://{repo.path}", "2" * 40)
    with pytest.raises(HostError, match="could not be fetched"):
        _reader()(f"file://{tmp_path}/none", "v1")


def test_more_than_the_limit_is_not_fetched(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "remote")
    noise = "".join(f"{n * n * 7919 % 104729:x}" for n in range(60_000))
    repo.commit({"pyproject.toml": "", "big.py": noise})
    url = f"file://{repo.path}"
    assert _reader(most=1_000_000)(url, "dev").read("pyproject.toml") == b""
    with pytest.raises(HostError, match="could not be fetched"):
        _reader(most=20_000)(url, "dev")


def test_a_host_that_is_too_slow_is_asked_once(tmp_path: Path) -> None:
    repo, commit = _repo(tmp_path)
    slow = _reader(seconds=0.001)
    with pytest.raises(HostError, match="took longer"):
        slow(f"file://{repo.path}", commit)
    with pytest.raises(HostError, match="did not answer in time before"):
        slow(f"file://{repo.path}", "v1")


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/x.git",
        "ssh://git@example.com/x.git",
        "git@example.com:x.git",
        "file:///tmp/x",
        "/tmp/x",
        "ext::sh -c id",
        "https://user:word@example.com/x.git",
        "https:///x.git",
        "--upload-pack=id",
        "",
    ],
)
def test_only_https_without_a_user_may_be_looked_at(url: str) -> None:
    with pytest.raises(UserError, match="no address that may be looked at"):
        RevisionReader()(url, "main")


@pytest.mark.parametrize("revision", ["--upload-pack=id", "a:b", "+a", "a b", "HEAD~1", "x\n"])
def test_only_names_of_revisions_may_be_asked_for(tmp_path: Path, revision: str) -> None:
    with pytest.raises((UserError, HostError)):
        _reader()(f"file://{tmp_path}", revision)
