"""The losses of a whole merge, side by side. Reads only files where one side had something to
lose."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from nightshift.policy.model import Side
from nightshift.ports import TreeView
from nightshift.sync.audits.preservation.atoms import PYTHON, Atom, Atoms, Kind, atoms
from nightshift.sync.audits.preservation.losses import FileAtoms, Pool, gone, losses
from nightshift.values import Entry

LOST_FILE = "lost-file"


@dataclass(frozen=True, slots=True)
class Place:
    """A line on the side that had a thing, and the line of the result behind which it stood."""

    line: int
    behind: int


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that one side had added and that the merge lost.

    :param atom: what; None where it is the whole file.
    :param others: further things of this kind that are lost in this file.
    :param text: how it reads, where its name is not what people would read.
    :param places: for each thing, its line on the side that had it, and the line of the result
        behind which it stood there.
    """

    side: Side
    path: str
    atom: Atom | None
    others: tuple[Atom, ...] = ()
    text: str = ""
    places: tuple[Place, ...] = ()

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """All things that it is about; none where it is the whole file."""
        return () if self.atom is None else (self.atom, *self.others)

    def without(self, told: Collection[Atom]) -> Iterator[Loss]:
        """The same loss but for things that are told of elsewhere; nothing where that is all of
        it."""
        rest = [atom for atom in self.atoms if atom not in told]
        if self.atom is None or len(rest) == len(self.atoms):
            yield self
        elif rest:
            yield self.only(rest)

    def only(self, things: Sequence[Atom]) -> Loss:
        """The same loss, as far as it is about some of its things."""
        text = self.text if things[0] == self.atom else things[0].name
        known = dict(zip(self.atoms, self.places, strict=True))
        return replace(
            self,
            atom=things[0],
            others=tuple(things[1:]),
            text=text if self.text else "",
            places=tuple(known[thing] for thing in things),
        )

    @property
    def line(self) -> int:
        """The line of the result behind which the first thing stood; 0 for a whole file."""
        return self.places[0].behind if self.places else 0

    @property
    def rule(self) -> str:
        """The rule's name."""
        return self.atom.kind.value if self.atom else LOST_FILE

    @property
    def message(self) -> str:
        """What is lost, in words. Names and texts in it are the repository's."""
        if self.atom is None:
            return f"the {self.side.value}'s file is gone"
        word, things = WORDS[self.atom.kind], len(self.others) + 1
        where = f" (line {self.places[0].line} there)" if self.places else ""
        if self.text:
            more = f" and {things - 1} more" if self.others else ""
            return f"the {self.side.value}'s {word} {self.text!r}{more} is lost{where}"
        named = ", ".join(_full(atom) for atom in (self.atom, *self.others[: NAMED - 1]))
        more = f" and {things - NAMED} more" if things > NAMED else ""
        verb = "are" if self.others else "is"
        return f"the {self.side.value}'s {word} {named}{more} {verb} lost{where}"


NAMED = 6
"""How many lost things of one kind in one file a finding names; the rest are counted."""


def _full(atom: Atom) -> str:
    return f"{atom.scope}: {atom.name}" if atom.scope else atom.name


WORDS = {
    Kind.DEFINITION: "definition",
    Kind.FIELD: "field",
    Kind.PARAMETER: "parameter",
    Kind.KEYWORD: "keyword",
    Kind.CALL: "call",
    Kind.IMPORT: "import",
    Kind.SECTION: "section",
    Kind.LINE: "line",
}


@dataclass(frozen=True, slots=True)
class Merge:
    """The four trees of a merge."""

    base: TreeView
    target: TreeView
    source: TreeView
    merged: TreeView

    def of(self, side: Side) -> TreeView:
        """A side's tree."""
        return self.target if side is Side.TARGET else self.source


class AtomsCache:
    """Atoms by blob id."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Atoms | None] = {}

    def of(self, view: TreeView, entries: Mapping[str, Entry], path: str) -> Atoms | None:
        """The atoms of a path in a tree; none where the tree lacks it."""
        entry = entries.get(path)
        if entry is None:
            return {}
        if not entry.oid:
            return atoms(path, view.read(path))
        key = (entry.oid, path.rpartition(".")[2])
        if key not in self._known:
            self._known[key] = atoms(path, view.read(path))
        return self._known[key]


def find_losses(
    merge: Merge, side: Side, cache: AtomsCache, exempt: Callable[[str], bool]
) -> list[Loss]:
    """What one side had added and the merge lost, but for paths that policy gives to the other
    side."""
    files = dict(_files(merge, side, cache, exempt))
    missing = {path: gone(file) for path, file in files.items()}
    pool = _pool(merge, side, cache, [atom for found in missing.values() for atom in found])
    merged = merge.merged.entries()
    found: list[Loss] = []
    for path, file in files.items():
        if missing[path]:
            data = merge.of(side).read(path) or b""
            lost = list(losses(file, missing[path], pool))
            exists = path in merged
            found += _file_losses(side, path, data, _Places(file) if exists else None, lost)
    return found


def _files(
    merge: Merge, side: Side, cache: AtomsCache, exempt: Callable[[str], bool]
) -> Iterator[tuple[str, FileAtoms]]:
    """The files that a side had changed, and that are not in the result as it had them."""
    other = Side.SOURCE if side is Side.TARGET else Side.TARGET
    views = (merge.of(side), merge.base, merge.of(other), merge.merged)
    trees = [view.entries() for view in views]
    own, base, _, merged = trees
    for path in sorted(own):
        if own[path] in (base.get(path), merged.get(path)) or exempt(path):
            continue
        if not _lines_missing(*(view.read(path) or b"" for view in views)):
            continue
        read = [cache.of(view, tree, path) for view, tree in zip(views, trees, strict=True)]
        file = [one for one in read if one is not None]
        if len(file) == len(read):
            yield path, FileAtoms(*file)


def _lines_missing(own: bytes, *others: bytes) -> bool:
    """Whether a side has a line that no other version of the file has: else there is nothing to
    lose."""
    mine = {line.strip() for line in own.splitlines()}
    for data in others:
        mine.difference_update(line.strip() for line in data.splitlines())
    return bool(mine)


def _pool(merge: Merge, side: Side, cache: AtomsCache, missing: list[Atom]) -> Pool:
    """Where missing things can have moved to: files of the result that the side does not have as
    they are, as far as they hold all words of something that is missing."""
    wanted = {_words(atom) for atom in missing if atom.kind in MOVES}
    own, merged = merge.of(side).entries(), merge.merged.entries()
    files = []
    for path, entry in merged.items():
        if wanted and own.get(path) != entry and path.endswith((*PYTHON, ".md", ".rst")):
            words = frozenset(WORD.findall(merge.merged.read(path) or b""))
            if any(some <= words for some in wanted):
                files.append(cache.of(merge.merged, merged, path) or {})
    return Pool.of(files)


MOVES = frozenset({Kind.DEFINITION, Kind.FIELD, Kind.CALL, Kind.SECTION, Kind.LINE})
"""What may stand in another file instead. Parameters and keywords are their function's."""
WORD = re.compile(rb"\w+")


def _words(atom: Atom) -> frozenset[bytes]:
    return frozenset(WORD.findall(atom.name.encode("utf-8", "surrogateescape")))


def _file_losses(
    side: Side, path: str, data: bytes, places: _Places | None, lost: list[tuple[Atom, int]]
) -> Iterator[Loss]:
    """One loss for each kind of thing in a file; a whole file is one, which has no places."""
    kinds: dict[Kind, list[tuple[Atom, int]]] = {}
    for atom, line in lost:
        kinds.setdefault(atom.kind, []).append((atom, line))
    if places is None:
        yield from [Loss(side, path, None)] if kinds else []
        return
    for kind, found in kinds.items():
        first, line = found[0]
        text = _line(data, line, first) if kind is Kind.LINE else ""
        others = tuple(atom for atom, _ in found[1:])
        where = tuple(Place(number, places.behind(number)) for _, number in found)
        yield Loss(side, path, first, others, text, where)


class _Places:
    """Where in the result things of one side would stand: behind what stood before them there."""

    def __init__(self, file: FileAtoms) -> None:
        kept = [(line, file.merged[atom]) for atom, line in file.own.items() if atom in file.merged]
        self._own = sorted(kept)

    def behind(self, line: int) -> int:
        """The line of the result behind which a line of the side stood, 1 at the top."""
        at = bisect(self._own, (line, 0))
        return self._own[at - 1][1] if at else 1


def _line(data: bytes, number: int, atom: Atom) -> str:
    """How a lost line reads; one that only begins a statement, with the lines behind it."""
    lines = data.decode("utf-8", "replace").splitlines()
    if not 0 < number <= len(lines):
        return atom.name[:LONGEST]
    raw, at = lines[number - 1].strip(), number
    while raw.endswith(OPENED) and at < len(lines):
        raw, at = raw + lines[at].strip(), at + 1
    return raw[:LONGEST]


OPENED = ("(", "[", "{", ",")
LONGEST = 120
"""Characters of a lost line that a finding shows."""
