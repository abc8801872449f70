"""Three-way merge of one section's text: a function body, a statement, a whole file of another
language.

Candidates in order of trust: git's own three-way, against the real common ancestor where history
shows one, in the formatter's style where the target is in it. What still conflicts goes to the
rules of `combine`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from nightshift.merge import combine, imports
from nightshift.merge.combine import Context, Piece, Rule
from nightshift.merge.format import formatted
from nightshift.merge.lineage import Ancestor, ancestor
from nightshift.merge.lines import Hunk, Kind, Lines, diff3, joined
from nightshift.merge.normal import normal, substantial
from nightshift.merge.repeats import doubled
from nightshift.merge.resolution import Confidence, Method, Side
from nightshift.ports import Formatter

Check = Callable[[Lines], bool]

LONGEST = 1_500
"""Lines from which a section is not formatted for the merge: a formatter does some 2,500 a
second."""


@dataclass(frozen=True, slots=True)
class Text:
    """The three texts of a section, and its dotted name ("" where it has none)."""

    base: Lines
    target: Lines
    source: Lines
    name: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A three-way merge with some base, before its conflicts are resolved."""

    hunks: tuple[Hunk, ...]
    method: Method | None = None
    evidence: tuple[str, ...] = ()

    @property
    def conflicts(self) -> int:
        """Conflicting lines."""
        return sum(len(h.target) + len(h.source) for h in self.hunks if h.kind is Kind.CONFLICT)


def merge(
    text: Text,
    context: Context,
    check: Check,
    style: tuple[str, Formatter] | None,
    caution: int = 0,
) -> list[Piece]:
    """The merged section.

    :param check: whether a result is sound by itself (it parses).
    :param style: the path and the formatter, where the language has one.
    :param caution: how many of the attempts to pass over, because their outcome failed a proof.
    """
    sound = _sound(text, context, style, check)
    attempt = next(islice(sound, caution, None), None)
    return attempt if attempt is not None else [_whole(text, context.wins)]


def _sound(
    text: Text, context: Context, style: tuple[str, Formatter] | None, check: Check
) -> Iterator[list[Piece]]:
    """Sound outcomes, the best first; with wider hunks only where nothing else is sound, and at
    last a whole side, which at least agrees with itself."""
    plain = Candidate(tuple(diff3(text.base, text.target, text.source)))
    found = False
    for attempts in (_attempts(text, context, style, plain), _wider(text, context, style, plain)):
        for pieces in () if found else (_once(attempt, text) for attempt in attempts):
            if check(_join(pieces)):
                yield pieces
                found = True
    first, second = _order(text, context)
    yield from (whole(text, side) for side in (first, second) if check(_side(text, side)))


def _order(text: Text, context: Context) -> tuple[Side, Side]:
    """The side that is further on, and the other one."""
    hunk = Hunk(Kind.CONFLICT, text.base, text.target, text.source)
    first = combine.further(hunk) or context.wins
    return first, Side.TARGET if first is Side.SOURCE else Side.SOURCE


def _wider(
    text: Text, context: Context, style: tuple[str, Formatter] | None, plain: Candidate
) -> Iterator[list[Piece]]:
    """Outcomes where neighbouring edits are decided together."""
    joint = replace(plain, hunks=tuple(joined(plain.hunks)))
    yield _pieces(joint, context, combine.RULES, style)
    for side in _order(text, context):
        yield _pieces(joint, replace(context, wins=side), (), style)


def _attempts(
    text: Text, context: Context, style: tuple[str, Formatter] | None, plain: Candidate
) -> Iterator[list[Piece]]:
    """Outcomes hunk by hunk."""
    if not plain.conflicts:
        yield _pieces(plain, context, (), style)
    known = _common(text, context)
    side = _tip(known, text) if known else None
    if side:
        yield [side]
    best = min(_unstyled(text, plain, known), key=_conflicts)
    pieces = _pieces(best, context, combine.RULES, style)
    if any(map(_wants_style, pieces)):
        best = min([best, *_styled(text, plain, known, style)], key=_conflicts)
        pieces = _pieces(best, context, combine.RULES, style)
    yield pieces
    yield _pieces(best, context, combine.SURE, style)


def _wants_style(piece: Piece) -> bool:
    """Whether the formatter may know better: nothing sure was found, or lines come in that the
    target has in its own style."""
    anew = piece.method is Method.FORMATTED and piece.side is Side.SOURCE
    return anew or piece.confidence is Confidence.LOW


def _once(pieces: list[Piece], text: Text) -> list[Piece]:
    """Without what both sides inserted next to one place, where the merge has it twice."""
    if len(pieces) < 2:
        return pieces
    extra = doubled(_join(pieces), text.target, text.source)
    if not extra:
        return pieces
    kept: list[Piece] = []
    at = 0
    for piece in pieces:
        lines = tuple(x for n, x in enumerate(piece.lines, at) if n not in extra)
        at += len(piece.lines)
        kept.append(replace(piece, lines=lines))
    return kept


def _whole(text: Text, side: Side) -> Piece:
    return Piece(_side(text, side), Method.POLICY, side, (), Confidence.LOW, text.name)


def _side(text: Text, side: Side) -> Lines:
    return text.target if side is Side.TARGET else text.source


def whole(text: Text, side: Side) -> list[Piece]:
    """One side's text as it stands."""
    return [_whole(text, side)]


def _join(pieces: Sequence[Piece]) -> Lines:
    return tuple(line for piece in pieces for line in piece.lines)


def _common(text: Text, context: Context) -> Ancestor | None:
    """The real common ancestor of a named section, where it is another one than the base."""
    if not text.name:
        return None
    found = ancestor(context.target.sections(text.name), context.source.sections(text.name))
    if found is None or normal(found.lines) == normal(text.base):
        return None
    return found


def _tip(known: Ancestor, text: Text) -> Piece | None:
    """The side that went on, where the other one's tip is the ancestor itself."""
    if known.target_age == 0:
        side, lines = Side.SOURCE, text.source
    elif known.source_age == 0:
        side, lines = Side.TARGET, text.target
    else:
        return None
    return Piece(lines, Method.LINEAGE, side, known.evidence, Confidence.HIGH, text.name)


def _conflicts(candidate: Candidate) -> int:
    return candidate.conflicts


def _unstyled(text: Text, plain: Candidate, known: Ancestor | None) -> Iterator[Candidate]:
    yield plain
    if known:
        hunks = diff3(known.lines, text.target, text.source)
        yield Candidate(tuple(hunks), Method.LINEAGE, known.evidence)


def _styled(
    text: Text, plain: Candidate, known: Ancestor | None, style: tuple[str, Formatter] | None
) -> Iterator[Candidate]:
    """All sides in the formatter's style, where the target's is in it already."""
    if style is None or max(map(len, (text.base, text.target, text.source))) > LONGEST:
        return
    if not any(_reformatted(hunk) for hunk in plain.hunks):
        return
    path, formatter = style
    target = formatted(path, text.target, formatter)
    if target != text.target:
        return
    base, source = (formatted(path, lines, formatter) for lines in (text.base, text.source))
    yield Candidate(tuple(diff3(base, target, source)), Method.FORMATTED)
    if known:
        base = formatted(path, known.lines, formatter)
        yield Candidate(tuple(diff3(base, target, source)), Method.LINEAGE, known.evidence)


def _reformatted(hunk: Hunk) -> bool:
    """Whether a conflict smells of layout: lines of one text run on in another, though not as
    lines."""
    if hunk.kind is not Kind.CONFLICT:
        return False
    return any(
        _runs_on(one, other)
        for side in (hunk.target, hunk.source)
        for one, other in ((hunk.base, side), (side, hunk.base))
    )


def _runs_on(one: Lines, other: Lines) -> bool:
    running = normal(other)
    return any(
        line not in other and substantial(key := normal((line,)).rstrip(",")) and key in running
        for line in one
    )


def _pieces(
    candidate: Candidate,
    context: Context,
    rules: Sequence[Rule],
    style: tuple[str, Formatter] | None,
) -> list[Piece]:
    """The merged lines of a candidate, its conflicts resolved by rules."""
    pieces: list[Piece] = []
    hunks = candidate.hunks
    for index, hunk in enumerate(hunks):
        if hunk.kind is not Kind.CONFLICT:
            side = {Kind.TARGET: Side.TARGET, Kind.SOURCE: Side.SOURCE}.get(hunk.kind, Side.BOTH)
            method = candidate.method if hunk.kind is not Kind.SAME else None
            pieces.append(Piece(hunk.merged, method, side, candidate.evidence))
            continue
        after = hunks[index + 1].target if index + 1 < len(hunks) else ()
        before = _join(pieces[-4:])
        found = combine.resolve(hunk, replace(context, before=before, after=after), rules)
        pieces += _in_style(hunk, found, style) if style else found
    return pieces


def _in_style(hunk: Hunk, found: list[Piece], style: tuple[str, Formatter]) -> list[Piece]:
    """A conflict among statements that the target only reformatted: the source's edit of them, as
    the formatter would have it.

    :param found: what the rules make of it, where a formatter does not settle it.
    """
    if not (hunk.target and _reformatted(hunk)) or _styled_as(style, hunk.target) != hunk.target:
        return found
    base, source = _styled_as(style, hunk.base), _styled_as(style, hunk.source)
    parts = list(diff3(base, hunk.target, source))
    if all(part.kind is not Kind.CONFLICT for part in parts):
        lines = tuple(line for part in parts for line in part.merged)
        return [Piece(lines, Method.FORMATTED, Side.BOTH, (), Confidence.MEDIUM)]
    if [piece.lines for piece in found] == [hunk.source]:
        return [replace(found[0], lines=source)]
    return found


def _styled_as(style: tuple[str, Formatter], lines: Lines) -> Lines:
    path, formatter = style
    return formatted(path, lines, formatter)


def merge_imports(text: Text, needed: frozenset[str]) -> list[Piece] | None:
    """An import by the names that it binds; None where a side is no plain import."""
    lines = imports.merge(text.base, text.target, text.source, needed)
    if lines is None:
        return None
    return [Piece(lines, Method.STRUCTURE, Side.BOTH, (), Confidence.HIGH, "imports by name")]
