"""Conflicts that no text can settle: deletions, renames, types, modes, links, submodules, binary
files.

Decided by history where it speaks, else by the side that wins; each in the ledger. What is left
over are files whose text both sides changed: `by_text` takes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nightshift.merge.resolution import Confidence, Method, Resolution
from nightshift.merge.resolution import Side as Kept
from nightshift.policy.model import Severity, Side
from nightshift.sync.draft import Decision
from nightshift.sync.findings import Finding
from nightshift.sync.history import further_on
from nightshift.sync.sides import LINK, SUBMODULE, Sides, other, paths_of
from nightshift.values import Conflict, Entry

FOLDER_IN_THE_WAY = "file-or-folder"
FILE_DROPPED = (
    "one side has a file here and the other a folder: the folder stays, the file is gone."
)
_RENAMED_APART = "CONFLICT (rename/rename)"


@dataclass(frozen=True, slots=True)
class TextConflict:
    """A file that both sides have, with different content.

    :param names: its path in the result, then the names it had before.
    """

    path: str
    names: tuple[str, ...]
    base: Entry | None
    target: Entry
    source: Entry


@dataclass(frozen=True, slots=True)
class TreeOutcome:
    """What was decided on the tree, and what is left for the merge of texts."""

    decisions: tuple[Decision, ...]
    texts: tuple[TextConflict, ...]


def decide(sides: Sides, decided: frozenset[str]) -> TreeOutcome:
    """Decide every conflict on the tree.

    :param decided: paths that policy has decided already.
    """
    work = _Work(sides, decided)
    results = [*work.renamed_apart(), *work.set_aside()]
    for conflict in sides.merge.conflicts:
        if conflict.path not in work.done:
            results.append(work.conflict(conflict))
    return TreeOutcome(
        tuple(item for item in results if isinstance(item, Decision)),
        tuple(item for item in results if isinstance(item, TextConflict)),
    )


class _Work:
    """One pass over the conflicts; `done` holds the paths that need no further look."""

    def __init__(self, sides: Sides, decided: frozenset[str]) -> None:
        self._sides = sides
        self._base_paths = paths_of(sides.base_tree)
        self.done = set(decided)

    def renamed_apart(self) -> Iterator[Decision | TextConflict]:
        """A file that each side renamed: it takes the winner's name, and both sides' edits."""
        for note in self._sides.merge.notes:
            if not note.kind.startswith(_RENAMED_APART) or len(note.paths) != 3:
                continue
            old, target_name, source_name = note.paths
            target = self._sides.target_tree.get(target_name)
            source = self._sides.source_tree.get(source_name)
            if target is None or source is None or not self.done.isdisjoint(note.paths):
                continue
            self.done.update(note.paths)
            wins = self._sides.wins
            kept, gone = (
                (target_name, source_name) if wins is Side.TARGET else (source_name, target_name)
            )
            why = f"each side renamed {old}"
            yield Decision(gone, None, (_ledger(gone, Method.POLICY, wins, (), why),))
            base = self._sides.base_tree.get(old)
            yield from self._content(TextConflict(kept, (kept, gone, old), base, target, source))

    def set_aside(self) -> Iterator[Decision]:
        """Entries that git could not keep at their path, and put beside it under another name."""
        for conflict in self._sides.merge.conflicts:
            path = self._real_path(conflict.path)
            if path is None or conflict.path in self.done:
                continue
            self.done.add(conflict.path)
            yield Decision(conflict.path, None)
            if path not in self.done:
                self.done.add(path)
                yield self._one_type(path, conflict)

    def _real_path(self, path: str) -> str | None:
        """`path~commit` -> path, for the names that git makes up."""
        for commit in (self._sides.target, self._sides.source):
            real, sign, _ = path.rpartition(f"~{commit}")
            if sign:
                return real
        return None

    def _one_type(self, path: str, conflict: Conflict) -> Decision:
        """A path that is of one type on one side and of another on the other."""
        sides = self._sides
        merged = sides.merged_tree
        if any(name.startswith(f"{path}/") for name in merged):
            ledger = _ledger(path, Method.POLICY, _side_without(sides, path), (), "a folder")
            finding = Finding(FOLDER_IN_THE_WAY, Severity.WARN, path, FILE_DROPPED)
            return Decision(path, None, (ledger,), (finding,))
        entry = sides.tree(sides.wins).get(path) or sides.tree(other(sides.wins)).get(path)
        kept = entry or conflict.source or conflict.target
        return Decision(path, kept, (_ledger(path, Method.POLICY, sides.wins, (), "another type"),))

    def conflict(self, conflict: Conflict) -> Decision | TextConflict:
        """Any other conflict."""
        self.done.add(conflict.path)
        names = self._names(conflict)
        if conflict.target is not None and conflict.source is not None:
            text = TextConflict(
                conflict.path, names, conflict.base, conflict.target, conflict.source
            )
            return next(self._content(text))
        if conflict.target is None and conflict.source is None:
            return Decision(conflict.path, None)
        if conflict.base is not None:
            return self._deleted(conflict, names)
        return self._moved(conflict)

    def _names(self, conflict: Conflict) -> tuple[str, ...]:
        """The path, and where the file was before a side renamed it."""
        base, path = conflict.base, conflict.path
        if base is None or path in self._sides.base_tree:
            return (path,)
        merged = self._sides.merged_tree
        old = [name for name in self._base_paths.get(base.oid, ()) if name not in merged]
        return (path, *old[:1])

    def _deleted(self, conflict: Conflict, names: Sequence[str]) -> Decision:
        """One side deleted what the other changed: the deletion stands. It did in 14 of 14 such
        conflicts that people settled; what needs the file brings it back (`deleted`)."""
        side = Side.TARGET if conflict.target is None else Side.SOURCE
        evidence = self._sides.deletion(side, names)
        why = f"deleted by the {side.value}, changed by the {other(side).value}"
        sure = Confidence.MEDIUM if evidence else Confidence.LOW
        entry = _ledger(conflict.path, Method.HISTORY, side, evidence, why, sure=sure)
        return Decision(conflict.path, None, (entry,))

    def _moved(self, conflict: Conflict) -> Decision:
        """A file of one side in a folder that the other renamed: it goes with the folder, as git
        suggests. Also what is left of other renames: as the side has it, since what git left may
        be a merge with markers inside."""
        side = Side.TARGET if conflict.target is not None else Side.SOURCE
        own = self._sides.tree(side).get(conflict.path)
        change = own or self._sides.merged_tree.get(conflict.path)
        why = "as it was renamed" if own is not None else "moved with its folder"
        ledger = _ledger(conflict.path, Method.HISTORY, side, (), why)
        return Decision(conflict.path, change, (ledger,))

    def _content(self, text: TextConflict) -> Iterator[Decision | TextConflict]:
        """What both sides have: by text, unless there is nothing in it that could be merged."""
        modes = {text.target.mode, text.source.mode}
        if modes & {SUBMODULE, LINK} or text.target.oid == text.source.oid:
            yield whole(self._sides, text)
        else:
            yield text


def whole(sides: Sides, text: TextConflict) -> Decision:
    """One side's entry as it is: the side that is further on, else the one that wins."""
    if text.target.oid == text.source.oid:
        change = Entry(merged_mode(sides, text), text.target.oid)
        ledger = _ledger(text.path, Method.POLICY, sides.wins, (), "mode")
        return Decision(text.path, change, (ledger,))
    found = further_on(sides, text.names, text.target, text.source)
    side, evidence = found or (sides.wins, ())
    entry = text.target if side is Side.TARGET else text.source
    method = Method.LINEAGE if found else Method.POLICY
    sure = Confidence.HIGH if found else Confidence.LOW
    kind = _KINDS.get(entry.mode, "a file that is not merged by line")
    ledger = _ledger(text.path, method, side, evidence, kind, sure=sure)
    return Decision(text.path, entry, (ledger,))


_KINDS: Mapping[str, str] = {SUBMODULE: "submodule", LINK: "symbolic link"}


def merged_mode(sides: Sides, text: TextConflict) -> str:
    """The mode that one side changed; the winner's where both did."""
    base = text.base.mode if text.base is not None else None
    if text.target.mode == base:
        return text.source.mode
    if text.source.mode == base:
        return text.target.mode
    return text.target.mode if sides.wins is Side.TARGET else text.source.mode


def _side_without(sides: Sides, path: str) -> Side:
    """The side that has no file at a path."""
    return Side.TARGET if path not in sides.target_tree else Side.SOURCE


def _ledger(
    path: str,
    method: Method,
    side: Side,
    evidence: tuple[str, ...],
    note: str,
    *,
    sure: Confidence = Confidence.MEDIUM,
) -> Resolution:
    return Resolution(path, None, method, Kept(side.value), evidence, sure, note)
