"""Three-way merge of sequences of lines: where two texts agree, and the hunks where three do not.

Nothing here knows a language, a policy or a history. Alignment is patience diff (anchors on lines
that are unique on both sides, recursively; after Bram Cohen), with a bounded longest-match search
in the small gaps that have no unique line, so that the cost stays linear in the length of long
files.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum

GAP_LIMIT = 40_000
"""A gap is searched for repeated lines only while (lines here) x (lines there) stays under this."""

Lines = tuple[str, ...]


class Kind(Enum):
    """What a hunk of a three-way merge is."""

    SAME = 1  # all three agree, or both sides made the same change
    TARGET = 2  # only the target changed
    SOURCE = 3  # only the source changed
    CONFLICT = 4


@dataclass(frozen=True, slots=True)
class Hunk:
    """A stretch of a three-way merge with the lines that each of the three texts has there."""

    kind: Kind
    base: Lines
    target: Lines
    source: Lines

    @property
    def merged(self) -> Lines:
        """The lines of a hunk that is no conflict."""
        return self.source if self.kind is Kind.SOURCE else self.target


def joined(hunks: Sequence[Hunk], near: int = 3) -> list[Hunk]:
    """The hunks of a merge, changes of both sides made one conflict where they are near: what a
    side did below a line may make no sense without what it did above it.

    :param near: lines in which all agree that may stand between the two.
    """
    found: list[Hunk] = []
    for hunk in hunks:
        if hunk.kind is Kind.SAME or not found:
            found.append(hunk)
        elif found[-1].kind is not Kind.SAME:
            found.append(_one([found.pop(), hunk]))
        elif len(found) > 1 and len(found[-1].target) <= near and _of_both(found[-2], hunk):
            between, before = found.pop(), found.pop()
            found.append(_one([before, between, hunk]))
        else:
            found.append(hunk)
    return found


def _of_both(one: Hunk, other: Hunk) -> bool:
    return one.kind is not other.kind or one.kind is Kind.CONFLICT


def _one(hunks: Sequence[Hunk]) -> Hunk:
    kinds = {hunk.kind for hunk in hunks}
    kind = kinds.pop() if len(kinds) == 1 else Kind.CONFLICT
    sides = ((h.base, h.target, h.source) for h in hunks)
    base, target, source = (tuple(x for part in parts for x in part) for parts in zip(*sides))
    return Hunk(kind, base, target, source)


def split(text: str) -> Lines:
    """Lines with their ends; only newline ends a line, so that joining them gives the text back."""
    parts = text.split("\n")
    lines = [part + "\n" for part in parts[:-1]]
    return tuple(lines + [parts[-1]]) if parts[-1] else tuple(lines)


def align(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of indices of equal lines, increasing on both sides."""
    pairs: list[tuple[int, int]] = []
    gaps = [(0, len(one), 0, len(other))]
    while gaps:
        gap = gaps.pop()
        found, smaller = _anchor(one, other, gap)
        pairs += found
        gaps += smaller
    return sorted(pairs)


Gap = tuple[int, int, int, int]
Pairs = list[tuple[int, int]]


def _anchor(one: Sequence[str], other: Sequence[str], gap: Gap) -> tuple[Pairs, list[Gap]]:
    """The matches that a gap shows at once, and the smaller gaps between them."""
    a, a_end, b, b_end = gap
    pairs: Pairs = []
    while a < a_end and b < b_end and one[a] == other[b]:
        pairs.append((a, b))
        a, b = a + 1, b + 1
    while a < a_end and b < b_end and one[a_end - 1] == other[b_end - 1]:
        a_end, b_end = a_end - 1, b_end - 1
        pairs.append((a_end, b_end))
    if a == a_end or b == b_end:
        return pairs, []
    unique = _unique(one, other, (a, a_end, b, b_end))
    if not unique:
        return pairs + _repeated(one, other, (a, a_end, b, b_end)), []
    edges = [(a - 1, b - 1), *unique, (a_end, b_end)]
    inner = [
        (p + 1, r, q + 1, s) for (p, q), (r, s) in zip(edges, edges[1:]) if p + 1 < r and q + 1 < s
    ]
    return pairs + unique, inner


def _unique(one: Sequence[str], other: Sequence[str], gap: Gap) -> Pairs:
    """The longest increasing run of lines that occur once on either side of a gap."""
    a, a_end, b, b_end = gap
    here, there = Counter(one[a:a_end]), Counter(other[b:b_end])
    place = {line: j for j, line in enumerate(other[b:b_end], b) if there[line] == 1}
    pairs = [
        (i, place[line])
        for i, line in enumerate(one[a:a_end], a)
        if here[line] == 1 and line in place
    ]
    return _increasing(pairs)


def _increasing(pairs: Pairs) -> Pairs:
    """The longest subsequence whose second members increase (patience sorting)."""
    tops: list[int] = []
    piles: list[int] = []
    before: list[int] = []
    for index, (_, j) in enumerate(pairs):
        pile = bisect_left(tops, j)
        if pile == len(tops):
            tops.append(j)
            piles.append(index)
        else:
            tops[pile] = j
            piles[pile] = index
        before.append(piles[pile - 1] if pile else -1)
    run: Pairs = []
    index = piles[-1] if piles else -1
    while index >= 0:
        run.append(pairs[index])
        index = before[index]
    return run[::-1]


def _repeated(one: Sequence[str], other: Sequence[str], gap: Gap) -> Pairs:
    """Matches among lines that repeat, in gaps that are small enough to search."""
    a, a_end, b, b_end = gap
    if (a_end - a) * (b_end - b) > GAP_LIMIT:
        return []
    matcher = SequenceMatcher(None, one[a:a_end], other[b:b_end], autojunk=False)
    return [
        (a + block.a + k, b + block.b + k)
        for block in matcher.get_matching_blocks()
        for k in range(block.size)
    ]


def diff3(base: Lines, target: Lines, source: Lines) -> list[Hunk]:
    """The hunks of a three-way merge, in order; their base, target and source lines add up to the
    inputs."""
    hunks = []
    for (b, b_end), (t, t_end), (s, s_end), stable in _stretches(base, target, source):
        ours, theirs, origin = target[t:t_end], source[s:s_end], base[b:b_end]
        if ours or theirs or origin:
            hunks.append(Hunk(_kind(origin, ours, theirs, stable), origin, ours, theirs))
    return hunks


def _kind(base: Lines, target: Lines, source: Lines, stable: bool) -> Kind:
    if stable or target == source:
        return Kind.SAME
    if target == base:
        return Kind.SOURCE
    return Kind.TARGET if source == base else Kind.CONFLICT


Range = tuple[int, int]


def _stretches(
    base: Lines, target: Lines, source: Lines
) -> Iterator[tuple[Range, Range, Range, bool]]:
    """Ranges of the three texts: in turn those where all agree, and those in between."""
    ours, theirs = dict(align(base, target)), dict(align(base, source))
    b = t = s = 0
    stable_from = 0
    for i in range(len(base) + 1):
        j, k = ours.get(i), theirs.get(i)
        anchored = i < len(base) and j is not None and k is not None
        if anchored and (i, j, k) == (b, t, s):
            b, t, s = b + 1, t + 1, s + 1
            continue
        if b > stable_from:
            size = b - stable_from
            yield (b - size, b), (t - size, t), (s - size, s), True
            stable_from = b
        if anchored and j is not None and k is not None:
            yield (b, i), (t, j), (s, k), False
            b, t, s, stable_from = i + 1, j + 1, k + 1, i
    yield (b, len(base)), (t, len(target)), (s, len(source)), False
