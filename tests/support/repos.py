"""Real git repositories made of dicts of files: nobody's configuration, no network, fixed dates."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

START = 1_700_000_000
"""The first commit's date, in seconds; each later one is a minute on."""


@dataclass(frozen=True, slots=True)
class Executable:
    """A file with its executable bit set."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link."""

    to: str


@dataclass(frozen=True, slots=True)
class Submodule:
    """A submodule pointer."""

    commit: str


Content = str | bytes | Executable | Link | Submodule | None
"""A path's content; None deletes it."""


def environment(**extra: str) -> dict[str, str]:
    """The environment of a git that nobody has configured."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {
        **kept,
        "HOME": "/nonexistent",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Author",
        "GIT_AUTHOR_EMAIL": "author@example.com",
        "GIT_COMMITTER_NAME": "Committer",
        "GIT_COMMITTER_EMAIL": "committer@example.com",
        **extra,
    }


class Repo:
    """A repository in a folder, with a work tree unless it is bare."""

    def __init__(self, path: Path, *, branch: str = "dev", bare: bool = False) -> None:
        self.path = path
        self._commits = 0
        if not path.exists():
            path.mkdir(parents=True)
            kind = ["--bare"] if bare else []
            self.git("init", "-q", "-b", branch, *kind)
            self.git("config", "gc.auto", "0")

    def git(self, *arguments: str, stdin: bytes = b"", ok: tuple[int, ...] = (0,)) -> str:
        """Standard output of git, without the newline at its end."""
        when = f"{START + 60 * self._commits} +0000"
        done = subprocess.run(
            ["git", "-C", str(self.path), *arguments],
            env=environment(GIT_AUTHOR_DATE=when, GIT_COMMITTER_DATE=when),
            input=stdin,
            capture_output=True,
            check=False,
        )
        assert done.returncode in ok, done.stderr.decode(errors="replace")
        return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")

    def commit(self, files: Mapping[str, Content], message: str = "change") -> str:
        """Commit changes to the branch that is checked out.

        :returns: the commit's id.
        """
        self._commits += 1
        for path, content in sorted(files.items(), key=lambda item: item[1] is not None):
            self._put(path, content)
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def _put(self, path: str, content: Content) -> None:
        file = os.path.join(os.fsencode(self.path), path.encode("utf-8", "surrogateescape"))
        if isinstance(content, Submodule):
            entry = f"160000,{content.commit},{path}"
            self.git("update-index", "--add", "--cacheinfo", entry)
            return
        if os.path.lexists(file):
            os.unlink(file)
            self._drop_empty(os.path.dirname(file))
        if content is not None:
            os.makedirs(os.path.dirname(file), exist_ok=True)
            self._write(file, content)
        self.git("--literal-pathspecs", "add", "-A", "--", path)

    def _drop_empty(self, folder: bytes) -> None:
        while folder != os.fsencode(self.path) and not os.listdir(folder):
            os.rmdir(folder)
            folder = os.path.dirname(folder)

    @staticmethod
    def _write(file: bytes, content: str | bytes | Executable | Link) -> None:
        if isinstance(content, Link):
            os.symlink(content.to, file)
            return
        text = content.text if isinstance(content, Executable) else content
        with open(file, "wb") as handle:
            handle.write(text.encode("utf-8") if isinstance(text, str) else text)
        if isinstance(content, Executable):
            os.chmod(file, 0o755)

    def branch(self, name: str, start: str = "HEAD") -> None:
        """Make a branch and check it out."""
        self.git("switch", "-q", "-c", name, start)

    def switch(self, name: str) -> None:
        """Check a branch out; what submodules there are stay pointers."""
        self.git("switch", "-q", name)

    def merge(self, name: str, files: Mapping[str, Content] | None = None) -> str:
        """Merge a branch; its conflicts are settled by the given files."""
        self._commits += 1
        self.git("merge", "-q", "--no-ff", "--no-commit", name, ok=(0, 1))
        for path, content in (files or {}).items():
            self._put(path, content)
        self.git("commit", "-q", "-m", f"Merge {name}")
        return self.git("rev-parse", "HEAD")

    def read(self, path: str, rev: str = "HEAD") -> bytes:
        """A file's bytes in a commit."""
        command = ["git", "-C", str(self.path), "cat-file", "blob", f"{rev}:{path}"]
        return subprocess.run(command, env=environment(), capture_output=True, check=True).stdout

    def paths(self, rev: str = "HEAD") -> list[str]:
        """All paths of a commit."""
        listing = self.git("ls-tree", "-r", "-z", "--name-only", rev)
        return [path for path in listing.split("\0") if path]

    def mode(self, path: str, rev: str = "HEAD") -> str:
        """A path's mode in a commit, "" where it is not there."""
        return self.git("ls-tree", rev, "--", path).partition(" ")[0]


def diverged(
    path: Path,
    base: Mapping[str, Content],
    target: Mapping[str, Content],
    source: Mapping[str, Content],
) -> Repo:
    """A repository whose branches `dev` (checked out) and `main` each went on from one commit."""
    repo = Repo(path)
    repo.commit(base, "base")
    repo.branch("main")
    repo.commit(source, "source")
    repo.switch("dev")
    repo.commit(target, "target")
    return repo
