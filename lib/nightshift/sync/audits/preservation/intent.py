"""Whether a loss was meant: the other side had the thing once and took it out, or took out what it
stood in.

The commit that did so is the evidence. Reads the other side's history of the file, and only where
it can say something.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from nightshift.merge.cascade import Past
from nightshift.sync.audits.preservation.atoms import Atom, Atoms, Kind, atoms
from nightshift.sync.audits.preservation.losses import ALIKE, FileAtoms, alike

MOST = 40
"""Versions of a file that are looked through, newest first."""
KEPT = MOST
"""Versions that are kept parsed: those of the file in hand."""


def removed_by(path: str, atom: Atom, past: Sequence[Past], file: FileAtoms) -> str | None:
    """The commit of the other side that removed a thing, or what it stood in, or the line that it
    is an edited form of; None where it never had any of them.

    :param past: the other side's versions of the file since the merge base, newest first.
    :param file: the file's atoms at the merge base and on both sides.
    """
    base, other = file.base, file.other
    scope = _scope(atom)
    if scope is not None and scope in base and scope not in other:
        return _remover(path, scope, past, at_base=True)
    for old in _edited_from(atom, base, file.own):
        if old not in other:
            return _remover(path, old, past, at_base=True)
    if not any(_may_hold(version.data, atom) for version in past[:MOST]):
        return None
    return _remover(path, atom, past, at_base=False)


def _edited_from(atom: Atom, base: Atoms, own: Atoms) -> Iterator[Atom]:
    """The lines at the merge base that a side's line is an edited form of, the likest first."""
    if atom.kind is not Kind.LINE:
        return
    found = {
        old: alike(old.name, atom.name)
        for old in base
        if old.kind is Kind.LINE and old.scope == atom.scope and old not in own
    }
    yield from sorted((o for o in found if found[o] >= ALIKE), key=lambda o: (-found[o], o.name))


def _scope(atom: Atom) -> Atom | None:
    """The definition that a thing stands in, as an atom of its own."""
    if not atom.scope or atom.kind is Kind.SECTION:
        return None
    outer, _, name = atom.scope.rpartition(".")
    return Atom(Kind.DEFINITION, outer, name)


@lru_cache(maxsize=KEPT)
def _held(path: str, data: bytes) -> Atoms | None:
    """The atoms of a version: each thing that a file has lost is looked for in all of them."""
    return atoms(path, data)


def _may_hold(data: bytes, atom: Atom) -> bool:
    words = [w for w in atom.name.replace("(", " ").replace("=", " ").split() if w.isidentifier()]
    return all(word.encode() in data for word in words)


def _remover(path: str, atom: Atom, past: Sequence[Past], *, at_base: bool) -> str | None:
    """The first commit after the last one that had the thing."""
    removed: str | None = None
    for version in past[:MOST]:
        held = _held(path, version.data) if _may_hold(version.data, atom) else {}
        if held is not None and atom in held:
            return removed
        removed = version.commit
    return removed if at_base else None
