"""Reads of history: commits and the versions that paths had, each in one walk for all paths.

Parses what `git log` prints between NUL bytes; a path may hold any other byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache

from nightshift.adapters.git.command import Command, to_text
from nightshift.values import Commit, Version

# `%x00` between the facts, one more at the end of each commit; `%x1f` between trailers.
_FORMAT = (
    "--format=tformat:%H%x00%P%x00%T%x00%an%x00%ct%x00%s%x00%ae%x00%cn%x00%ce"
    "%x00%(trailers:only,unfold,separator=%x1f)"
)
_FACTS = 10


@dataclass(slots=True)
class Walk:
    """What happened to each path between two points, newest first."""

    versions: dict[str, list[Version]] = field(default_factory=dict)
    deletions: dict[str, str] = field(default_factory=dict)


class History:
    """Questions about what lies behind a commit."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self.walk = lru_cache(maxsize=8)(self._walk)

    def commits(self, since: Sequence[str], until: str, *, limit: int = 0) -> list[Commit]:
        """The commits reachable from `until` and from none of `since`, newest first."""
        count = [f"--max-count={limit}"] if limit else []
        arguments = ["log", "-z", "--date-order", "--encoding=UTF-8", _FORMAT, *count, "--stdin"]
        fields = self._command.run(*arguments, stdin=_range(since, until)).out.split(b"\0")[:-1]
        return [_commit(fields[at : at + _FACTS]) for at in range(0, len(fields), _FACTS)]

    def versions(
        self, paths: Sequence[str], since: Sequence[str], until: str
    ) -> Mapping[str, Sequence[Version]]:
        """For each path, its versions, newest first."""
        walk = self.walk(tuple(since), until)
        return {path: tuple(walk.versions.get(path, ())) for path in paths}

    def deletions(
        self, paths: Sequence[str], since: Sequence[str], until: str
    ) -> Mapping[str, str]:
        """For each path that was deleted, the newest commit that did."""
        walk = self.walk(tuple(since), until)
        return {path: walk.deletions[path] for path in paths if path in walk.deletions}

    def _walk(self, since: tuple[str, ...], until: str) -> Walk:
        """One walk. Merges count where their result differs from every parent (`-c`): what a merge
        took over as it was has been seen on the side that it came from."""
        arguments = ["log", "-z", "-c", "--raw", "--no-abbrev", "--no-renames", "--date-order"]
        listing = self._command.run(
            *arguments, "--format=tformat:%H", "--stdin", stdin=_range(since, until)
        ).out
        walk = Walk()
        for commit, oid, path in _changes(listing):
            if oid.strip("0"):
                walk.versions.setdefault(path, []).append(Version(commit, oid, path))
            else:
                walk.deletions.setdefault(path, commit)
        return walk


def _range(since: Sequence[str], until: str) -> bytes:
    return "".join(f"{rev}\n" for rev in (until, *(f"^{one}" for one in since))).encode()


def _changes(listing: bytes) -> Iterator[tuple[str, str, str]]:
    """(commit, new blob, path) for each raw line: `:modes ids status NUL path NUL`, one colon for
    each parent."""
    commit = ""
    tokens = iter(listing.split(b"\0"))
    for token in tokens:
        token = token.lstrip(b"\n")
        if not token.startswith(b":"):
            commit = token.decode("ascii") or commit
            continue
        words = token.split(b" ")
        yield commit, words[-2].decode("ascii"), to_text(next(tokens, b""))


def _commit(fields: Sequence[bytes]) -> Commit:
    sha, parents, tree, author, seconds, subject, email, committer, committed_by, ends = fields
    return Commit(
        sha=sha.decode("ascii").strip(),
        parents=tuple(parents.decode("ascii").split()),
        tree=tree.decode("ascii"),
        author=author.decode("utf-8", "replace"),
        committed_at=datetime.fromtimestamp(int(seconds), UTC),
        subject=subject.decode("utf-8", "replace"),
        author_email=email.decode("utf-8", "replace"),
        committer=committer.decode("utf-8", "replace"),
        committer_email=committed_by.decode("utf-8", "replace"),
        trailers=tuple(line for line in ends.decode("utf-8", "replace").split("\x1f") if line),
    )
