"""The merge of a Python file: by sections, proved, and mended until the proof holds.

A merge that leaves a name undefined that neither side left undefined is tried again: what binds
the name is brought back, and the sections that read it are merged more cautiously. The best
attempt wins.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from nightshift.merge import imports, leaf, names, sections, verify
from nightshift.merge.combine import Context, Piece
from nightshift.merge.lines import Lines
from nightshift.merge.symbols import Section, outline, parse
from nightshift.merge.verify import Faults
from nightshift.ports import Formatter

ROUNDS = 16
Outline = tuple[Section, ...]


@dataclass(slots=True)
class PythonMerge:
    """One file's sides, and what the attempts so far have taught.

    :param needed: names whose sections must stay.
    :param caution: owner → how many of its section's attempts failed the proof.
    """

    path: str
    sides: tuple[Outline, Outline, Outline]
    texts: tuple[str, str]
    context: Context
    formatter: Formatter | None
    needed: frozenset[str] = frozenset()
    follow_renames: bool = True
    caution: dict[str, int] = field(default_factory=dict)
    done: dict[tuple[str, int], list[Piece]] = field(default_factory=dict)

    def run(self) -> list[Piece]:
        """The first attempt without a fault, else the one with the fewest."""
        tried: list[tuple[tuple[int, ...], list[Piece]]] = []
        while len(tried) < ROUNDS:
            pieces = self.attempt()
            faults = verify.faults(_text(pieces), *self.texts)
            tried.append((faults.weight, pieces))
            if not faults or not self.learn(faults, pieces):
                break
        return min(tried, key=lambda attempt: attempt[0])[1]

    def attempt(self) -> list[Piece]:
        """The merge with what is known so far."""
        base, target, source = self.sides
        away = sections.emptied(base, target, source)
        if len(away) == 1:  # the file lives on elsewhere, and what it still holds is that side's
            self.context = replace(self.context, wins=next(iter(away)))
        how = sections.Join(self.context, self.leaf, self.needed, away, self.follow_renames)
        return sections.merge(base, target, source, how)

    def learn(self, faults: Faults, pieces: Sequence[Piece]) -> bool:
        """Draw the lessons from a failed proof; whether there were any."""
        bound = frozenset(
            name for side in self.sides[1:] for section in side for name in section.binds
        )
        fresh = (faults.undefined & bound) - self.needed
        if fresh:
            self.needed |= fresh
            return True
        if self.follow_renames and faults.undefined & bound:
            self.follow_renames = False  # somebody still calls it by its old name
            return True
        if faults.unparsable:
            owners = {piece.owner for piece in pieces if piece.owner}
        else:
            owners = _readers(pieces, faults.undefined)
        for owner in owners:
            self.caution[owner] = self.caution.get(owner, 0) + 1
        self.needed = frozenset()  # what the discarded text needed, the next one may not
        return bool(owners)

    def leaf(
        self, base: Section | None, target: Section, source: Section, name: str
    ) -> list[Piece]:
        """The merge of one section that both sides have."""
        text = leaf.Text(base.lines if base else (), target.lines, source.lines)
        if target.kind == "import":
            pieces = leaf.merge_imports(text, self.needed)
            if pieces is not None:
                return pieces
        owner = f"{target.kind} {name}"
        key = owner, self.caution.get(owner, 0)
        if key not in self.done:
            named = replace(text, name=name) if target.kind in ("def", "class") else text
            style = (self.path, self.formatter) if self.formatter else None
            merged = leaf.merge(named, self.context, _sound(target), style, key[1])
            self.done[key] = [replace(piece, owner=owner) for piece in merged]
        return self.done[key]


def merge(
    path: str,
    sides: tuple[Lines, Lines, Lines],
    context: Context,
    formatter: Formatter | None,
    absent: frozenset[str] = frozenset(),
) -> list[Piece] | None:
    """The merged file; None where a side does not parse, or the result does not.

    :param absent: names that no import may bring in, because the merged tree has them nowhere.
    """
    base, target, source = (outline(side) for side in sides)
    if base is None or target is None or source is None:
        return None
    texts = "".join(sides[1]), "".join(sides[2])
    for banned in (absent, frozenset[str]()) if absent else (absent,):
        outlines = _without(base, banned), _without(target, banned), _without(source, banned)
        pieces = PythonMerge(path, outlines, texts, context, formatter).run()
        if names.undefined(_text(pieces)).isdisjoint(name.split(".")[0] for name in banned):
            break
    pieces = _without_unread(pieces, outlines[1], outlines[2])
    return pieces if parse(_text(pieces)) is not None else None


def _without_unread(pieces: list[Piece], target: Outline, source: Outline) -> list[Piece]:
    """The merged file without the imports of one side whose only readers the other side took out.

    What neither side read stays: others may import it from here.
    """
    ours, theirs = _imported(target), _imported(source)
    if ours == theirs:
        return pieces
    words = Counter(_WORD.findall(_text(pieces)))
    unread = frozenset(
        name
        for own, side in ((ours - theirs, target), (theirs - ours, source))
        for name in own
        if words[name] == 1 and _is_read(name, side)
    )
    if not unread:
        return pieces
    return [replace(piece, lines=imports.without(piece.lines, unread)) for piece in pieces]


_WORD = re.compile(r"\w+")


def _imported(side: Outline) -> frozenset[str]:
    return frozenset(name for s in side if s.kind == "import" for name in s.binds)


def _is_read(name: str, side: Outline) -> bool:
    return any(name in _WORD.findall("".join(s.lines)) for s in side if name not in s.binds)


def _without(sections_: Outline, banned: frozenset[str]) -> Outline:
    """Sections whose imports do not bring in some names."""
    kept = (
        (
            replace(s, lines=imports.without(s.lines, banned), binds=s.binds - banned)
            if s.kind == "import" and s.binds & banned
            else s
        )
        for s in sections_
        if not (s.kind == "import" and s.name.strip() in banned)
    )
    return tuple(section for section in kept if section.lines)


def _text(pieces: Sequence[Piece]) -> str:
    return "".join(line for piece in pieces for line in piece.lines)


def _readers(pieces: Sequence[Piece], undefined: frozenset[str]) -> set[str]:
    """The owners of the pieces that read an undefined name."""
    places = {line for name in undefined for line in names.lines_of(_text(pieces), name)}
    owners: set[str] = set()
    at = 1
    for piece in pieces:
        end = at + len(piece.lines)
        if piece.owner and any(at <= line < end for line in places):
            owners.add(piece.owner)
        at = end
    return owners


def _sound(model: Section) -> Callable[[Lines], bool]:
    """Whether lines parse, at the depth of a section that they are to replace."""
    first = next((line for line in model.lines if line.strip()), "")
    margin = first[: len(first) - len(first.lstrip())]
    shell = "if True:\n" if margin else ""
    body = f"{margin}    pass\n" if model.key == "head" and model.name else ""
    return lambda lines: parse(shell + "".join(lines) + body) is not None
