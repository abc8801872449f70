"""The rules that decide one conflicting hunk, from the surest to the last resort.

A rule looks at a hunk and either gives its pieces or passes. Rules know the texts and the lineage
of both sides; they know no file, no project and no policy but which side wins in the end. How
often each rule gives exactly what people landed was measured on real syncs of a large repository.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nightshift.merge import elements
from nightshift.merge.lineage import Line
from nightshift.merge.lines import Hunk, Kind, Lines, align, diff3
from nightshift.merge.normal import normal, same_layout, substantial
from nightshift.merge.resolution import Confidence, Method, Side

CONTEXT = 2
"""Lines around a hunk that must have stood there too before a short hunk counts as recognised."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a rule may know besides the hunk itself.

    :param target: the versions that the target went through; `source` likewise.
    :param before: the merged lines above the hunk; `after` the agreed ones below it.
    """

    target: Line
    source: Line
    wins: Side
    before: Lines = ()
    after: Lines = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines of the result, and how they were decided. `method` is None for what was never in
    question.

    :param owner: the dotted name of the section that they were merged for, where one was.
    """

    lines: Lines
    method: Method | None = None
    side: Side = Side.BOTH
    evidence: tuple[str, ...] = ()
    confidence: Confidence = Confidence.MEDIUM
    note: str = ""
    owner: str = ""


Rule = Callable[[Hunk, Context], "list[Piece] | None"]


def resolve(hunk: Hunk, context: Context, rules: Sequence[Rule]) -> list[Piece]:
    """The first rule's answer that does not pass; the winner's side where all pass."""
    for rule in rules:
        pieces = rule(hunk, context)
        if pieces is not None:
            return pieces
    return [by_policy(hunk, context)]


def by_policy(hunk: Hunk, context: Context) -> Piece:
    """The last resort: the side that wins."""
    lines = hunk.target if context.wins is Side.TARGET else hunk.source
    return Piece(lines, Method.POLICY, context.wins, (), Confidence.LOW)


def _take(
    hunk: Hunk, side: Side, method: Method, evidence: str | None, sure: Confidence
) -> list[Piece]:
    lines = hunk.target if side is Side.TARGET else hunk.source
    return [Piece(lines, method, side, (evidence,) if evidence else (), sure)]


def layout_only(hunk: Hunk, context: Context) -> list[Piece] | None:
    """The sides differ, or one side differs from the base, in layout only."""
    if _same(hunk.target, hunk.source):
        return _take(hunk, _restyler(hunk, context), Method.FORMATTED, None, Confidence.HIGH)
    if _same(hunk.target, hunk.base):
        return _take(hunk, Side.SOURCE, Method.FORMATTED, None, Confidence.HIGH)
    if _same(hunk.source, hunk.base):
        return _take(hunk, Side.TARGET, Method.FORMATTED, None, Confidence.HIGH)
    return None


def _restyler(hunk: Hunk, context: Context) -> Side:
    """Of two sides that wrote the same, the one that touched more of the base's lines, because it
    meant to; else the winner, so that the next merge has nothing to say."""
    base = set(hunk.base)
    target, source = (sum(line in base for line in side) for side in (hunk.target, hunk.source))
    if target == source:
        return context.wins
    return Side.TARGET if target < source else Side.SOURCE


def _same(one: Lines, other: Lines) -> bool:
    return normal(one) == normal(other) and same_layout(one, other)


def lineage(hunk: Hunk, context: Context) -> list[Piece] | None:
    """One side once held what the other has, and went on from there: it is further on."""
    source_knew = _left_behind(context.source, hunk.target, hunk.source, context)
    target_knew = _left_behind(context.target, hunk.source, hunk.target, context)
    if (source_knew is None) == (target_knew is None):
        return None
    if target_knew is not None:
        return _take(hunk, Side.TARGET, Method.LINEAGE, target_knew, Confidence.HIGH)
    return _take(hunk, Side.SOURCE, Method.LINEAGE, source_knew, Confidence.HIGH)


def _left_behind(line: Line, theirs: Lines, own: Lines, context: Context) -> str | None:
    """The commit at which a side held the other one's lines, where its own came after them.

    Own lines that are older than theirs came back by a revert: nobody went on from there.
    """
    theirs, own = _recognisable(theirs, context), _recognisable(own, context)
    age = line.age(theirs)
    if age is None or line.held_before(own, age):
        return None
    return line.once_held(theirs)


def _recognisable(lines: Lines, context: Context) -> Lines:
    """A hunk of several lines is recognised by itself, a short one only with its surroundings."""
    if len(lines) > CONTEXT and substantial(normal(lines)):
        return lines
    return (*context.before[-CONTEXT:], *lines, *context.after[:CONTEXT])


def touching(hunk: Hunk, _: Context) -> list[Piece] | None:
    """Edits of neighbouring lines that do not overlap: both stand."""
    if not hunk.base:
        return None
    ours, theirs = _edits(hunk.base, hunk.target), _edits(hunk.base, hunk.source)
    if _overlap(ours, theirs) or _leans_on_what_went(hunk):
        return None
    merged: list[str] = []
    at = 0
    for start, end, lines in sorted(ours + theirs, key=lambda edit: edit[:2]):
        merged += [*hunk.base[at:start], *lines]
        at = end
    merged += hunk.base[at:]
    return [
        Piece(tuple(merged), Method.LINES, Side.BOTH, (), Confidence.MEDIUM, "neighbouring lines")
    ]


def _leans_on_what_went(hunk: Hunk) -> bool:
    """Whether one side's new lines read what the other side's deletion took the binding of."""
    if hunk.target and hunk.source:
        return False
    base = set(hunk.base)
    bound = set(_BOUND.findall("".join(hunk.base)))
    fresh = "".join(line for line in hunk.target or hunk.source if line not in base)
    return not bound.isdisjoint(_NAME.findall(fresh))


_BOUND = re.compile(r"(?m)^[ \t]*(\w+)(?:, ?\w+){0,9} ?=[^=]")
_NAME = re.compile(r"\w+")

Edit = tuple[int, int, Lines]


def _edits(base: Lines, side: Lines) -> list[Edit]:
    """Replacements base[start:end] → lines that make a side of the base."""
    edits: list[Edit] = []
    at = to = 0
    for i, j in [*align(base, side), (len(base), len(side))]:
        if at < i or to < j:
            edits.append((at, i, side[to:j]))
        at, to = i + 1, j + 1
    return edits


def _overlap(ours: list[Edit], theirs: list[Edit]) -> bool:
    """Whether two sides' edits touch the same base line, or insert at the same place."""
    return any((a < d and c < b) or a == b == c == d for a, b, _ in ours for c, d, _ in theirs)


def insertions(hunk: Hunk, _: Context) -> list[Piece] | None:
    """Both sides inserted different things at one place: the target's, then the source's."""
    if hunk.base or not hunk.target or not hunk.source or _twins(hunk.target, hunk.source):
        return None
    return [Piece(hunk.target + hunk.source, Method.UNION, Side.BOTH, (), Confidence.MEDIUM)]


def _twins(target: Lines, source: Lines) -> bool:
    """Whether two insertions are about the same thing: lines in common, most of their words, or the
    one documentation of their place."""
    if all(normal(lines).startswith('"""') for lines in (target, source)):
        return True
    mine = {normal((line,)) for line in target}
    if any(substantial(key) and key in mine for key in (normal((line,)) for line in source)):
        return True
    ours, theirs = (set(_WORD.findall("".join(lines))) for lines in (target, source))
    return 2 * len(ours & theirs) > min(len(ours), len(theirs))


_WORD = re.compile(r"\w{4,}")


def by_element(hunk: Hunk, _: Context) -> list[Piece] | None:
    """Three-way by parameter, argument and entry of bracketed lists."""
    lines = elements.merge(hunk)
    if lines is None:
        return None
    return [Piece(lines, Method.STRUCTURE, Side.BOTH, (), Confidence.MEDIUM, "by element")]


def contained(hunk: Hunk, _: Context) -> list[Piece] | None:
    """One side's text holds all of the other's lines, in order: the larger one."""
    target = [key for line in hunk.target if (key := normal((line,)))]
    source = [key for line in hunk.source if (key := normal((line,)))]
    shared = len(align(target, source))
    if not target or not source:
        return None
    if shared == len(source):
        return _take(hunk, Side.TARGET, Method.CONTAINED, None, Confidence.MEDIUM)
    if shared == len(target):
        return _take(hunk, Side.SOURCE, Method.CONTAINED, None, Confidence.MEDIUM)
    return None


def woven(hunk: Hunk, context: Context) -> list[Piece] | None:
    """Line by line along what both sides share: what one side has and the other once had was
    removed there on purpose; what the other never had is new and stays. Where both are new, the
    side that holds more of the other."""
    target, source = _statements(hunk.target), _statements(hunk.source)
    pairs = align(target, source)
    if not any(substantial(target[i]) for i, _ in pairs):
        return None
    pieces: list[Piece] = []
    decided = False
    at = to = 0
    for i, j in [*pairs, (len(target), len(source))]:
        ours, theirs = hunk.target[at:i], hunk.source[to:j]
        if ours or theirs:
            region = _further(ours, theirs, context)
            decided = decided or region is not None
            pieces.append(region or _undecided(hunk, ours, theirs, context))
        pieces.append(Piece(hunk.target[i : i + 1]))
        at, to = i + 1, j + 1
    return pieces if decided else None


def _statements(lines: Lines) -> list[str]:
    """Lines up to layout, but for how far each is set in: what runs under a condition is not what
    runs without it."""
    return [" " * (len(line) - len(line.lstrip())) + normal((line,)) for line in lines]


def _undecided(hunk: Hunk, ours: Lines, theirs: Lines, context: Context) -> Piece:
    side = _version(hunk) or context.wins
    lines = ours if side is Side.TARGET else theirs
    return Piece(lines, Method.CONTAINED, side, (), Confidence.LOW, "both sides new")


def _further(ours: Lines, theirs: Lines, context: Context) -> Piece | None:
    """Which side's lines are new, where the sides differ; None where both are."""
    mine = [line for line in ours if _is_new(line, context.source)]
    yours = [line for line in theirs if _is_new(line, context.target)]
    if mine and yours:
        return None
    if mine or (not yours and not theirs and not _known(ours, context.source)):
        return Piece(ours, Method.LINEAGE, Side.TARGET, _seen(theirs, context.target))
    if yours or (not ours and not _known(theirs, context.target)):
        return Piece(theirs, Method.LINEAGE, Side.SOURCE, _seen(ours, context.source))
    if not theirs or not ours:  # the side that lacks these lines once had them
        side, seen = (
            (Side.SOURCE, _seen(ours, context.source))
            if ours
            else (Side.TARGET, _seen(theirs, context.target))
        )
        return Piece((), Method.LINEAGE, side, seen)
    return None


def _is_new(line: str, other: Line) -> bool:
    return substantial(normal((line,))) and other.once_held((line,)) is None


def _known(lines: Lines, other: Line) -> bool:
    return any(substantial(normal((x,))) for x in lines) and not any(
        _is_new(x, other) for x in lines
    )


def _seen(lines: Lines, other: Line) -> tuple[str, ...]:
    commits = [other.once_held((line,)) for line in lines]
    return tuple(sorted({commit for commit in commits if commit}))[:3]


_TOKEN = re.compile(r"\w+|[^\S\n]+|\n|.", re.DOTALL)


def tokens(hunk: Hunk, _: Context) -> list[Piece] | None:
    """Three-way by token, for hunks of a few lines."""
    if not (hunk.base and hunk.target and hunk.source):
        return None
    texts = [tuple(_TOKEN.findall("".join(side))) for side in (hunk.base, hunk.target, hunk.source)]
    if max(map(len, texts)) > 2000:
        return None
    hunks = diff3(*texts)
    if any(part.kind is Kind.CONFLICT for part in hunks):
        return None
    text = "".join(token for part in hunks for token in part.merged)
    lines = tuple(text.splitlines(keepends=True))
    return [Piece(lines, Method.LINES, Side.BOTH, (), Confidence.LOW, "by token")]


def deleted(hunk: Hunk, context: Context) -> list[Piece] | None:
    """One side took the lines out while the other edited among them: the deletion stands."""
    return rewritten(hunk, context) if not (hunk.target and hunk.source) else None


def rewritten(hunk: Hunk, _: Context) -> list[Piece] | None:
    """One side wrote the lines anew (often: moved them elsewhere) while the other only edited among
    them: the new writing stands (so 19 of 24 that people landed)."""
    side = rewriter(hunk)
    return _take(hunk, side, Method.HISTORY, None, Confidence.LOW) if side else None


def rewriter(hunk: Hunk) -> Side | None:
    """The side that kept next to nothing of the base, where the other one kept most of it."""
    target, source = _share(hunk.base, hunk.target), _share(hunk.base, hunk.source)
    if target is None or source is None:
        return None
    if target <= GONE and source >= KEPT:
        return Side.TARGET
    return Side.SOURCE if source <= GONE and target >= KEPT else None


def further(hunk: Hunk) -> Side | None:
    """The side that is further on by the texts alone: it wrote anew, or holds more of the other."""
    return rewriter(hunk) or _larger(hunk)


GONE, KEPT = 0.1, 0.5
"""Shares of the base's lines from which a side has written a hunk anew, or has only edited it."""


def _share(lines: Lines, other: Lines) -> float | None:
    """The share of some lines that another text has too; None where they have no substance."""
    keys = [key for line in lines if substantial(key := normal((line,)))]
    there = {normal((line,)) for line in other}
    return sum(key in there for key in keys) / len(keys) if keys else None


def larger(hunk: Hunk, _: Context) -> list[Piece] | None:
    """The side that holds more of the other one's lines is further on."""
    side = _version(hunk)
    return _take(hunk, side, Method.CONTAINED, None, Confidence.LOW) if side else None


def _version(hunk: Hunk) -> Side | None:
    """The larger of two versions of one text; of texts that have but this and that in common there
    is nothing to say."""
    here, there = _share(hunk.source, hunk.target) or 0.0, _share(hunk.target, hunk.source) or 0.0
    return _larger(hunk) if max(here, there) >= KEPT else None


def _larger(hunk: Hunk) -> Side | None:
    here, there = _share(hunk.source, hunk.target) or 0.0, _share(hunk.target, hunk.source) or 0.0
    if here == there:
        return None
    return Side.TARGET if here > there else Side.SOURCE


SURE: tuple[Rule, ...] = (layout_only, lineage)
RULES: tuple[Rule, ...] = (
    layout_only,
    lineage,
    woven,
    touching,
    deleted,
    by_element,
    contained,
    insertions,
    tokens,
    rewritten,
    larger,
)
