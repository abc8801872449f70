"""Three-way merge of the order of named things: sections, imports, keys. Knows names only."""

from __future__ import annotations

from collections.abc import Sequence

from nightshift.merge.lines import Kind, diff3

RANKS = {"import": 0, "def": 2, "class": 2}
"""Kinds by what may stand above what: what an import binds may be read right behind it."""


def ordered(base: Sequence[str], target: Sequence[str], source: Sequence[str]) -> list[str]:
    """Every name of either side once, in an order that keeps what each side changed.

    Where both sides put something at one place, the target's comes first (87 % of what people
    landed, against 5 % for the other order).
    """
    has_target, has_source = frozenset(target), frozenset(source)
    order: dict[str, None] = {}
    for hunk in diff3(tuple(base), tuple(target), tuple(source)):
        mine = [key for key in hunk.target if hunk.kind is not Kind.SOURCE or key not in has_source]
        yours = [key for key in hunk.source if hunk.kind is Kind.SOURCE or key not in has_target]
        first, then = (yours, mine) if hunk.kind is Kind.SOURCE else (mine, yours)
        order.update(
            dict.fromkeys(_beside(first, then, hunk.source if then is yours else hunk.target))
        )
    names = list(order)
    for side in (target, source):
        _insert_missing(names, side)
    return names


def _beside(first: Sequence[str], then: Sequence[str], its_side: Sequence[str]) -> list[str]:
    """The second list's names behind all that stood above them, and behind what the first list put
    there."""
    names = list(first)
    theirs = set(its_side)
    for key in then:
        before = set(its_side[: its_side.index(key)])
        at = max((n + 1 for n, name in enumerate(names) if name in before), default=0)
        while at < len(names) and names[at] not in theirs and _rank(names[at]) <= _rank(key):
            at += 1
        names.insert(at, key)
    return names


def _rank(key: str) -> int:
    return RANKS.get(key.partition(":")[0], 1)


def _insert_missing(names: list[str], side: Sequence[str]) -> None:
    known = set(names)
    for index, key in enumerate(side):
        if key not in known:
            names.insert(names.index(side[index - 1]) + 1 if index else 0, key)
            known.add(key)
