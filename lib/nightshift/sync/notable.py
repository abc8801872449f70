"""What a reviewer should not miss among hundreds of changed files. Compares trees; judges
nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from nightshift.policy.model import Side
from nightshift.sync.candidate import Notable, NotableChange
from nightshift.sync.sides import SUBMODULE, Sides, other
from nightshift.values import Entry

WORKFLOWS = ".github/workflows/"


def changes(target: Mapping[str, Entry], merged: Mapping[str, Entry]) -> tuple[NotableChange, ...]:
    """Workflow files, submodule pointers and modes that differ from the target."""
    found: list[NotableChange] = []
    for path in sorted(target.keys() | merged.keys()):
        before, after = target.get(path), merged.get(path)
        kind = _kind(path, before, after) if before != after else None
        if kind is not None:
            found.append(NotableChange(kind, path, before, after))
    return tuple(found)


def _kind(path: str, before: Entry | None, after: Entry | None) -> Notable | None:
    modes = {entry.mode for entry in (before, after) if entry is not None}
    if path.startswith(WORKFLOWS):
        return Notable.WORKFLOW
    if SUBMODULE in modes:
        return Notable.SUBMODULE
    return Notable.MODE if len(modes) > 1 else None


def wholly(
    paths: Collection[str], merged: Mapping[str, Entry], sides: Sides, side: Side
) -> tuple[str, ...]:
    """Those of some paths that came out as one side has them, and not as the other does."""
    mine, yours = sides.tree(side), sides.tree(other(side))
    return tuple(
        path
        for path in sorted(paths)
        if path in merged and merged[path] == mine.get(path) != yours.get(path)
    )


def git_words(sides: Sides, names: tuple[str, str]) -> tuple[str, ...]:
    """Git's words on its conflicts, with the branches' names for the commit ids."""
    return tuple(
        note.words.replace(sides.target, names[0]).replace(sides.source, names[1])
        for note in sides.merge.notes
        if note.kind.startswith("CONFLICT")
    )
