"""Which atoms of one side are lost: neither the base nor the other side had them, and the result
has not.

What has moved is no loss, to another file either; what has been edited is none; of what stands
inside something lost, only the outermost is named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from nightshift.sync.audits.preservation.atoms import Atom, Atoms, Kind

WORD = re.compile(r"\w+")
ALIKE = 0.5
"""Share of common words from which a line is taken for an edited form of another."""


@dataclass(frozen=True, slots=True)
class Pool:
    """What the merged tree's changed files hold, wherever it stands: the places that things can
    move to."""

    names: frozenset[tuple[Kind, str]]
    scopes: frozenset[str]

    @classmethod
    def of(cls, files: Sequence[Atoms]) -> Pool:
        """The pool of some files."""
        names = frozenset((atom.kind, atom.name) for file in files for atom in file)
        scopes = {_full(a) for file in files for a in file if a.kind is Kind.DEFINITION}
        return cls(names, frozenset(scopes))


@dataclass(frozen=True, slots=True)
class FileAtoms:
    """One path on both sides, before, and after. An absent file has no atoms."""

    own: Atoms
    base: Atoms
    other: Atoms
    merged: Atoms


def gone(file: FileAtoms) -> dict[Atom, int]:
    """The atoms that one side had added and that its file lacks now, moved or not."""
    fresh = {a: n for a, n in file.own.items() if a not in file.base and a not in file.other}
    return {a: n for a, n in fresh.items() if a not in file.merged}


def losses(file: FileAtoms, missing: Mapping[Atom, int], pool: Pool) -> Iterator[tuple[Atom, int]]:
    """Those of the missing atoms that are lost: not moved, not edited, not inside of another; lines
    last."""
    lost_scopes = {_full(a) for a in missing if a.kind is Kind.DEFINITION}
    here = Pool.of([file.merged])
    changed = _changed_lines(file)
    told: set[str] = set()
    told_lines: set[int] = set()
    for atom, line in sorted(missing.items(), key=lambda i: (i[0].kind is Kind.LINE, i[1])):
        if _inside(atom.scope, lost_scopes) or TESTS[atom.kind](atom, here, pool):
            continue
        if atom.kind is Kind.PARAMETER and _renamed(atom, file):
            continue
        if atom.kind is not Kind.LINE:
            told.add(atom.scope)
            told_lines.add(line)
        elif atom.scope in told or line in told_lines or _edited(atom, changed):
            continue
        yield atom, line


def _full(atom: Atom) -> str:
    return f"{atom.scope}.{atom.name}".lstrip(".")


def _inside(scope: str, lost: set[str]) -> bool:
    parts = scope.split(".")
    return any(".".join(parts[: n + 1]) in lost for n in range(len(parts)))


def _definition_moved(atom: Atom, here: Pool, pool: Pool) -> bool:
    """The same dotted name elsewhere; a name at top level may also have become a method or
    local."""
    full = _full(atom)
    return full in pool.scopes or (not atom.scope and (Kind.DEFINITION, atom.name) in here.names)


def _anywhere(atom: Atom, here: Pool, pool: Pool) -> bool:
    found = (atom.kind, atom.name)
    return found in here.names or found in pool.names


def _scope_is_gone(atom: Atom, here: Pool, _: Pool) -> bool:
    """A parameter of a function that is not there any more is that function's loss."""
    return atom.scope not in here.scopes


def _keyword_kept(atom: Atom, here: Pool, _: Pool) -> bool:
    """A keyword is lost where what it is handed to is still called here."""
    callee = atom.name.partition("(")[0]
    return (atom.kind, atom.name) in here.names or (Kind.CALL, callee) not in here.names


TESTS: Mapping[Kind, Callable[[Atom, Pool, Pool], bool]] = {
    Kind.DEFINITION: _definition_moved,
    Kind.FIELD: _anywhere,
    Kind.PARAMETER: _scope_is_gone,
    Kind.KEYWORD: _keyword_kept,
    Kind.CALL: _anywhere,
    Kind.IMPORT: lambda *_: True,  # a name that is used and not imported is an undefined name
    Kind.SECTION: _anywhere,
    Kind.LINE: _anywhere,
}


def _changed_lines(file: FileAtoms) -> dict[str, list[str]]:
    """The lines that the result has and this side has not, by scope."""
    found: dict[str, list[str]] = {}
    for atom in file.merged:
        if atom.kind is Kind.LINE and atom not in file.own:
            found.setdefault(atom.scope, []).append(atom.name)
    return found


def _renamed(atom: Atom, file: FileAtoms) -> bool:
    """Whether the result's function has a parameter in its place that goes on its name
    (`tp_cp_sp` for `tp_cp`)."""
    return any(
        other.kind is Kind.PARAMETER
        and other.scope == atom.scope
        and other not in file.own
        and (other.name.startswith(f"{atom.name}_") or atom.name.startswith(f"{other.name}_"))
        for other in file.merged
    )


def _edited(atom: Atom, changed: Mapping[str, list[str]]) -> bool:
    """Whether the result has another form of a line: most of its words, or another value for what
    it sets. Which value is right was the merge's decision, and stands in its ledger."""
    key = _key(atom.name)
    for line in changed.get(atom.scope, ()):
        if alike(atom.name, line) >= ALIKE:
            return True
        if key and key == _key(line):
            return True
    return False


def alike(one: str, other: str) -> float:
    """The share of words that two lines have in common."""
    words, others = _words(one), _words(other)
    return len(words & others) / max(len(words | others), 1)


def _words(text: str) -> frozenset[str]:
    return frozenset(WORD.findall(text))


def _key(text: str) -> str:
    """What a line sets: all that stands before its first `=` or `:`, with blanks around it in
    Python, behind it only in other texts; "" where it sets nothing."""
    for sign in (" = ", " : ", ": "):
        before, found, _ = text.partition(sign)
        if found and not before.startswith(COMPOUND):
            return before
    return ""


COMPOUND = ("if ", "elif ", "for ", "while ", "with ", "assert ", "return ")
"""Heads of statements that set nothing though they hold a sign."""
