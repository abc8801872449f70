"""The same lines put in twice, one below the other: both sides inserted them, each at its own side
of a line that they share, and no line of the merge is in conflict.

Lines in, lines out. Blank lines say nothing, but how far a line is set in does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nightshift.merge.lines import Lines
from nightshift.merge.normal import normal, substantial

LONGEST = 40
"""Lines of a block from which it is not looked for twice."""


def doubled(merged: Lines, target: Lines, source: Lines) -> frozenset[int]:
    """The places of the lines that stand a second time right below themselves, where they stand so
    on neither side; with the blank lines above them."""
    keys, at = _keys(merged)
    found: set[int] = set()
    sides: list[Sequence[str]] = []
    for start, size in _blocks(keys):
        sides = sides or [_keys(side)[0] for side in (target, source)]
        block = keys[start : start + size]
        if not any(_holds(side, block + block) for side in sides):
            found.update(range(at[start + size - 1] + 1, at[start + 2 * size - 1] + 1))
    return frozenset(found)


def _keys(lines: Lines) -> tuple[list[str], list[int]]:
    """The lines that say something, up to layout, and where they stand."""
    at = [n for n, line in enumerate(lines) if line.strip()]
    return [lines[n].rstrip() for n in at], at


def _blocks(keys: Sequence[str]) -> Iterator[tuple[int, int]]:
    """(start, size) of the blocks of two lines and more that follow upon themselves."""
    for size in range(2, min(LONGEST, len(keys) // 2) + 1):
        run = 0
        for n in range(len(keys) - size):
            run = run + 1 if keys[n] == keys[n + size] else 0
            start = n - size + 1
            if run == size and substantial(normal(keys[start : n + 1])):
                yield start, size
                run = 0


def _holds(keys: Sequence[str], wanted: Sequence[str]) -> bool:
    size = len(wanted)
    return any(
        keys[n] == wanted[0] and list(keys[n : n + size]) == wanted
        for n in range(len(keys) - size + 1)
    )
