"""What git merges by itself, and what it says of differences: the parsers of its listings.

Decides nothing. Labels in what git left of a conflict are the two commit ids.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nightshift.adapters.git.command import Command, to_text
from nightshift.values import Conflict, Entry, MergeNote, TreeMerge

_QUIET = b"Auto-merging"
_CONFLICT = 1


def merge_tree(command: Command, target: str, source: str) -> TreeMerge:
    """`git merge-tree --write-tree`, whose exit code 1 means conflicts."""
    arguments = ("merge-tree", "--write-tree", "-z", "--messages", target, source)
    output = command.run(*arguments, ok=(0, _CONFLICT))
    tree, *rest = output.out.split(b"\0")
    end = rest.index(b"") if b"" in rest else len(rest)
    return TreeMerge(
        tree=tree.decode("ascii"),
        conflicts=_conflicts(rest[:end]),
        notes=tuple(_notes(rest[end + 1 :])),
    )


def _conflicts(lines: Sequence[bytes]) -> tuple[Conflict, ...]:
    stages: dict[str, dict[str, Entry]] = {}
    for line in lines:
        facts, path = line.split(b"\t", 1)
        mode, oid, stage = facts.decode("ascii").split(" ")
        stages.setdefault(to_text(path), {})[stage] = Entry(mode, oid)
    return tuple(
        Conflict(path, found.get("1"), found.get("2"), found.get("3"))
        for path, found in sorted(stages.items())
    )


def _notes(fields: Sequence[bytes]) -> Iterator[MergeNote]:
    """Each is: number of paths, the paths, its kind, its words."""
    at = 0
    while at < len(fields) and fields[at].strip().isdigit():
        start, at = at + 1, at + 1 + int(fields[at])
        kind, words = fields[at], fields[at + 1]
        if kind != _QUIET:
            paths = tuple(to_text(path) for path in fields[start:at])
            yield MergeNote(to_text(kind), paths, to_text(words).strip())
        at += 2


def numstat(command: Command, one: str, other: str) -> list[tuple[int, int, str]]:
    """(added, deleted, path) for each text file that differs from the merge base to `other`; a
    renamed file counts under its new name, with what was edited in it."""
    listing = command.run("diff", "--numstat", "-z", "-M", f"{one}...{other}").out
    fields = iter(listing.split(b"\0")[:-1])
    found: list[tuple[int, int, str]] = []
    for line in fields:
        added, deleted, path = line.split(b"\t", 2)
        if not path:
            next(fields)
            path = next(fields)
        if added.isdigit():
            found.append((int(added), int(deleted), to_text(path)))
    return found


def remerge_diff(command: Command, commit: str, limit: int) -> str | None:
    """`git show --remerge-diff`, at most `limit` characters; None where git knows no such
    option."""
    output = command.run(
        "show", "--remerge-diff", "--format=", "--no-color", commit, ok=(0, 128, 129)
    )
    if output.status:
        return None
    text = output.out[: 4 * limit].decode("utf-8", "replace")
    return text if len(text) <= limit else text[:limit].rpartition("\n")[0] + "\n"
