"""Three-way merge of a Python file by its sections: presence, order, renames, and each section's
text.

A definition that one side alone has or changed comes out as that side has it; one that both
changed is merged line by line inside it (`leaf`). Nothing is parsed here but through `symbols`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from nightshift.merge.combine import Context, Piece
from nightshift.merge.normal import normal, substantial
from nightshift.merge.order import ordered
from nightshift.merge.resolution import Confidence, Method, Side
from nightshift.merge.symbols import HEAD, TAIL, Section

Leaf = Callable[[Section | None, Section, Section, str], list[Piece]]
"""(base, target, source, dotted name) → the merged text of a section that both sides have."""

Sections = Sequence[Section]
KEPT = ("def", "class", "key")
"""Kinds that the other side's deletion does not take away once they were changed."""

_DEFINED = ("def", "class")

FEW = 3
"""Members from which a class can be said to have been emptied."""

RENAME = 0.6
"""Share of equal lines from which a definition that vanished and one that appeared are the same."""


@dataclass(frozen=True, slots=True)
class Join:
    """How sections are merged: who wins, who merges a section's text, and what the result cannot
    do without.

    :param needed: names whose sections stay although a side deleted them.
    :param emptied: sides that took most definitions out of the file: it lives on elsewhere.
    :param follow_renames: whether a definition's new name is its new name, and not another
        definition.
    :param orphans: keys of sections that go with another one, which the other side took out.
    """

    context: Context
    leaf: Leaf
    needed: frozenset[str] = frozenset()
    emptied: frozenset[Side] = frozenset()
    follow_renames: bool = True
    orphans: frozenset[str] = frozenset()


def merge(
    base: Sections, target: Sections, source: Sections, how: Join, name: str = ""
) -> list[Piece]:
    """The merged sections of a module or class, in order."""
    if how.follow_renames:
        base, target, source = _follow_renames(base, target, source)
    base, source = _paired(base, target), _paired(source, target)
    tables = [{section.key: section for section in side} for side in (base, target, source)]
    how = replace(how, orphans=frozenset(_orphans(*tables)))
    keys = ordered(*(list(table) for table in tables))
    if TAIL in keys:
        keys.remove(TAIL)
        keys.append(TAIL)
    usual = max((_blank(s.lines) for s in (*target, *source) if s.kind in _DEFINED), default=0)
    pieces: list[Piece] = []
    last = ""
    for key in keys:
        origin, ours, theirs = (table.get(key) for table in tables)
        found = _section(origin, ours, theirs, how, name)
        if not (last == HEAD and name):
            found = _spaced(found, last, name, max(_gap(ours, usual), _gap(theirs, usual)))
        pieces += found
        last = key if any(piece.lines for piece in found) else last
    return pieces


Table = dict[str, Section]


def _orphans(base: Table, target: Table, source: Table) -> Iterator[str]:
    """The setters whose property the other side took out: without it they do not even load."""
    for side, away in ((target, source), (source, target)):
        for key, section in side.items():
            name, dot, _ = section.name.partition(".")
            origin = base.get(f"def:{name}")
            if section.kind == "def" and dot and origin is not None and key not in away:
                own = side.get(origin.key)
                if origin.key not in away and own is not None and own.lines == origin.lines:
                    yield key


def _section(
    base: Section | None, target: Section | None, source: Section | None, how: Join, name: str
) -> list[Piece]:
    if target and source:
        return _both(base, target, source, how, name)
    if target:
        return _alone(base, target, Side.TARGET, how, name)
    return _alone(base, source, Side.SOURCE, how, name) if source else []


def _spaced(pieces: list[Piece], last: str, prefix: str, gap: int) -> list[Piece]:
    """Blank lines above a section that came first on its side and does not any more, or the other
    way.

    :param last: the key of the section above; "" where there is none.
    """
    at = next((n for n, piece in enumerate(pieces) if piece.lines), None)
    if at is None:
        return pieces
    first = pieces[at]
    blank = _blank(first.lines)
    if last:
        lines = first.lines if blank else ("\n",) * gap + first.lines
    else:
        lines = first.lines if prefix or blank == len(first.lines) else first.lines[blank:]
    return [*pieces[:at], replace(first, lines=lines), *pieces[at + 1 :]]


def _gap(section: Section | None, usual: int) -> int:
    """The blank lines that belong above a section; `usual` above definitions."""
    if section is None:
        return 0
    return usual if section.kind in _DEFINED else _blank(section.lines)


def _blank(lines: Sequence[str]) -> int:
    """How many blank lines a text begins with."""
    return next((n for n, line in enumerate(lines) if line.strip()), len(lines))


def _both(
    base: Section | None, target: Section, source: Section, how: Join, prefix: str
) -> list[Piece]:
    name = _dotted(prefix, target)
    if target.kind == "import" and (target.binds | source.binds) & how.needed:
        return how.leaf(base, target, source, name)
    if target.lines == source.lines or (base and source.lines == base.lines):
        return [Piece(target.lines)]
    if base and target.lines == base.lines:
        return [Piece(source.lines)]
    if target.members and source.members:
        within = base.members if base else ()
        return merge(
            within, target.members, source.members, _inside(how, base, target, source), name
        )
    return how.leaf(base, target, source, name)


def _inside(how: Join, base: Section | None, target: Section, source: Section) -> Join:
    """How a class's members are merged: one that a side emptied lives on elsewhere too."""
    if base is None or sum(s.kind in _DEFINED for s in base.members) < FEW:
        return how
    away = emptied(base.members, target.members, source.members)
    if len(away) != 1:
        return how
    context = replace(how.context, wins=next(iter(away)))
    return replace(how, context=context, emptied=how.emptied | away)


def _dotted(prefix: str, section: Section) -> str:
    return f"{prefix}.{section.name}" if prefix else section.name


def _alone(
    base: Section | None, section: Section, side: Side, how: Join, prefix: str
) -> list[Piece]:
    """A section that the other side lacks: it never had it, or took it out.

    A deletion stands where the section is as it was in the base, where the whole file was emptied,
    and where the target made it and wins (a release branch does not bring back what main has taken
    out since). Else a section that changed here since stays, so that no side's work is lost.
    """
    away = Side.SOURCE if side is Side.TARGET else Side.TARGET
    other = how.context.source if side is Side.TARGET else how.context.target
    name = _dotted(prefix, section)
    if section.kind == TAIL or section.binds & how.needed:
        note = f"{name}: still needed"
        return [
            Piece(section.lines, Method.REPAIR if base else None, side, (), Confidence.MEDIUM, note)
        ]
    if base and normal(base.lines) == normal(section.lines):
        return []
    note = f"{name}: deleted on the {away}, changed on the {side}"
    if base and (section.kind not in KEPT or _final(section, away, how)):
        return [Piece((), Method.HISTORY, away, (), Confidence.LOW, note)]
    if base:
        return [Piece(section.lines, Method.HISTORY, side, (), Confidence.LOW, note)]
    if other.tip_holds(_without_lead(section)):
        note = f"{name}: stands elsewhere on the {away}"
        return [Piece((), Method.HISTORY, away, (), Confidence.MEDIUM, note)]
    return [Piece(section.lines)]


def _final(section: Section, away: Side, how: Join) -> bool:
    """Whether a side's deletion stands though the other went on with what was deleted."""
    decided = away is Side.TARGET and how.context.wins is Side.TARGET
    return decided or away in how.emptied or section.key in how.orphans


def emptied(base: Sections, target: Sections, source: Sections) -> frozenset[Side]:
    """The sides that took most definitions out of a file or class: they live on elsewhere."""
    sides = ((Side.TARGET, target), (Side.SOURCE, source))
    return frozenset(side for side, there in sides if _emptied(base, there))


def _emptied(base: Sections, side: Sections) -> bool:
    """Whether a side took most of the definitions out."""
    before = {section.key for section in base if section.kind in ("def", "class")}
    after = before & {section.key for section in side}
    return len(after) * 2 < len(before)


def _without_lead(section: Section) -> Sequence[str]:
    return section.lines[_blank(section.lines) :]


def _follow_renames(
    base: Sections, target: Sections, source: Sections
) -> tuple[Sections, Sections, Sections]:
    """The other side's text of a renamed definition under its new name."""
    by_source, by_target = _renames(base, source, target), _renames(base, target, source)
    names = by_target | by_source
    return _rekeyed(base, names), _rekeyed(target, by_source), _rekeyed(source, by_target)


def _paired(side: Sections, model: Sections) -> Sections:
    """Guarded blocks (`try`, `if`) that bind a name in common are the same block."""
    known, there = {s.key for s in side}, {s.key for s in model}
    loose = [s for s in model if s.kind in ("try", "if") and s.key not in known]
    names: dict[str, str] = {}
    for section in side:
        if section.kind in ("try", "if") and section.key not in there:
            match = next(
                (s for s in loose if s.kind == section.kind and s.binds & section.binds), None
            )
            if match:
                loose.remove(match)
                names[section.key] = match.key
    return _rekeyed(side, names)


def _rekeyed(sections: Sections, names: Mapping[str, str]) -> Sections:
    return [replace(section, key=names.get(section.key, section.key)) for section in sections]


def _renames(base: Sections, renamer: Sections, other: Sections) -> dict[str, str]:
    """old key → new key of the definitions that one side renamed and the other still has."""
    kept, others = {s.key for s in renamer}, {s.key for s in other}
    origin = {s.key for s in base}
    gone = [s for s in base if s.kind in ("def", "class") and s.key not in kept and s.key in others]
    fresh = [s for s in renamer if s.kind in ("def", "class") and s.key not in origin | others]
    found: dict[str, str] = {}
    for old in gone:
        scores = sorted(
            ((_likeness(old, new), new.key) for new in fresh if new.kind == old.kind), reverse=True
        )
        tied = len(scores) > 1 and scores[0][0] == scores[1][0]
        if scores and not tied and scores[0][0] >= RENAME and scores[0][1] not in found.values():
            found[old.key] = scores[0][1]
    return found


def _likeness(one: Section, other: Section) -> float:
    """The share of substantial lines that two sections have in common; all of them where the name
    alone is another."""
    if _renamed(one) == _renamed(other):
        return 1.0
    a, b = _keys(one.lines), _keys(other.lines)
    return len(a & b) / max(len(a), len(b)) if len(a) > 2 and len(b) > 2 else 0.0


def _renamed(section: Section) -> str:
    """A section's text with a blank for its name."""
    return re.sub(rf"\b{re.escape(section.name)}\b", " ", "".join(section.lines)).strip()


def _keys(lines: Iterable[str]) -> set[str]:
    return {key for line in lines if substantial(key := normal((line,)))}
