"""The bare git repository behind a repository of the sandbox, and what the API asks of it.

Runs git with a configuration of its own, never the user's. It serves nothing: that is `githost`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from nightshift.sandbox import hook

_FULL_ID = re.compile("[0-9a-f]{40}")

# As GitHub's: any commit can be fetched, its own refs cannot be pushed. The hook sees every branch.
SETTINGS = """\
[http]
	receivepack = true
[uploadpack]
	allowAnySHA1InWant = true
	allowFilter = true
[receive]
	hideRefs = refs/pull
	procReceiveRefs = refs/heads
	autogc = false
[gc]
	auto = 0
"""


def git_environment(home: Path) -> dict[str, str]:
    """An environment in which git knows no configuration but the repository's own."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": "*",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_AUTHOR_NAME": "GitHub",
        "GIT_AUTHOR_EMAIL": "noreply@github.com",
        "GIT_COMMITTER_NAME": "GitHub",
        "GIT_COMMITTER_EMAIL": "noreply@github.com",
    }


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """An entry of a tree listing: `kind` is blob, tree or commit; `size` is in bytes."""

    mode: str
    kind: str
    oid: str
    size: int
    path: str


class GitStore:
    """A bare repository on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def create(self, default_branch: str) -> None:
        """Make the repository, with the hook that every push meets and no other."""
        self.path.mkdir(parents=True)
        self.git(
            "init", "--quiet", "--bare", "--template=", f"--initial-branch={default_branch}", "."
        )
        with (self.path / "config").open("a", encoding="utf-8") as file:
            file.write(SETTINGS)
        shim = self.path / "hooks" / "proc-receive"
        shim.parent.mkdir()
        # Isolated, so that the machine's Python settings change nothing.
        shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I "{hook.__file__}"\n', "utf-8")
        shim.chmod(0o755)

    def git(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Run git in the repository.

        :raises subprocess.CalledProcessError: git failed.
        """
        return subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env=git_environment(self.path),
            input=stdin,
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ).stdout

    def heads(self) -> Mapping[str, str]:
        """branch -> commit."""
        lines = self.git(
            "for-each-ref", "--format=%(objectname) %(refname:lstrip=2)", "refs/heads"
        ).decode()
        pairs = (line.split(" ", 1) for line in lines.splitlines())
        return {name: sha for sha, name in pairs}

    def head(self, branch: str) -> str | None:
        """The commit that a branch points at; None where there is no such branch."""
        return self.resolve(f"refs/heads/{branch}")

    def resolve(self, revision: str) -> str | None:
        """The commit of a full ref name, branch, tag or id; None where there is none."""
        for candidate in _candidates(revision):
            found = self._try(
                "rev-parse", "--quiet", "--verify", "--end-of-options", f"{candidate}^{{commit}}"
            )
            if found is not None:
                return found.decode().strip()
        return None

    def _try(self, *arguments: str) -> bytes | None:
        """What git says; None where it fails."""
        try:
            return self.git(*arguments)
        except subprocess.CalledProcessError:
            return None

    def merges(self, base: str, head: str) -> bool:
        """Whether two commits merge without a conflict."""
        return self._try("merge-tree", "--write-tree", base, head) is not None

    def merge(self, base: str, head: str, message: str, *, squash: bool = False) -> str:
        """Merge a commit into a branch; the new commit, which has one parent if squashed.

        :raises ValueError: they conflict.
        """
        tree = self._try("merge-tree", "--write-tree", f"refs/heads/{base}", head)
        tip = self.head(base)
        if tree is None or tip is None:
            raise ValueError(f"{head} does not merge into {base}")
        parents = [tip] if squash else [tip, head]
        options = [part for parent in parents for part in ("-p", parent)]
        made = self.git("commit-tree", tree.decode().strip(), *options, "-m", message)
        self.set_ref(f"refs/heads/{base}", made.decode().strip())
        return made.decode().strip()

    def shortstat(self, base: str, head: str) -> tuple[int, int, int]:
        """Files changed, lines added, lines deleted from the merge base to `head`."""
        rows = (self._try("diff", "--numstat", f"{base}...{head}") or b"").splitlines()
        counts = [[int(part) for part in row.split(b"\t")[:2] if part != b"-"] for row in rows]
        return len(rows), sum(row[0] for row in counts if row), sum(row[1] for row in counts if row)

    def set_ref(self, ref: str, sha: str) -> None:
        """Point a ref at a commit."""
        self.git("update-ref", ref, sha)

    def commits(self, base: str, head: str) -> list[str]:
        """The commits that `head` has and `base` lacks, oldest first."""
        return self.git("rev-list", "--reverse", "--topo-order", head, f"^{base}").decode().split()

    def commits_between(self, base: str, head: str) -> int:
        """How many commits `head` has that `base` lacks."""
        return int(self._try("rev-list", "--count", head, f"^{base}") or 0)

    def listing(self, revision: str, path: str = "", *, recursive: bool = False) -> list[TreeEntry]:
        """The entries of a folder, or all below it; a file's path gives its own entry."""
        options = ["-r"] if recursive else []
        where = [path] if path else []
        out = self.git("ls-tree", "-z", "-l", "--full-tree", *options, revision, "--", *where)
        return [_entry(line) for line in out.decode(errors="surrogateescape").split("\0") if line]

    def blob(self, oid: str) -> bytes:
        """A blob's bytes."""
        return self.git("cat-file", "blob", oid)


def _candidates(revision: str) -> list[str]:
    if revision.startswith("refs/") or _FULL_ID.fullmatch(revision):
        return [revision]
    return [f"refs/heads/{revision}", f"refs/tags/{revision}", revision]


def _entry(line: str) -> TreeEntry:
    facts, path = line.split("\t", 1)
    mode, kind, oid, size = facts.split()
    return TreeEntry(mode, kind, oid, 0 if size == "-" else int(size), path)
