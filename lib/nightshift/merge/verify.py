"""The proof that a merged Python file has to pass, and what stands against it where it does not.

A merge may not break what neither side had broken: parse, undefined names, lost and doubled
definitions, conflict markers (sync.md, phase 1 point 3 and 12). Reads texts; mends nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nightshift.merge import names

_MARKS = ("<<<<<<< ", ">>>>>>> ")


@dataclass(frozen=True, slots=True)
class Faults:
    """What a merged text has wrong that neither side has."""

    unparsable: bool = False
    undefined: frozenset[str] = frozenset()
    doubled: frozenset[str] = frozenset()
    markers: bool = False

    def __bool__(self) -> bool:
        return bool(self.unparsable or self.undefined or self.doubled or self.markers)

    @property
    def weight(self) -> tuple[int, int, int, int]:
        """For comparing: worse faults first."""
        return (self.unparsable, self.markers, len(self.doubled), len(self.undefined))


def faults(merged: str, target: str | None, source: str | None) -> Faults:
    """The new faults of a merged Python file."""
    sides = [side for side in (target, source) if side is not None]
    if not names.compiles(merged):
        broken = any(map(names.compiles, sides))
        return Faults(unparsable=broken, markers=_marked(merged, sides))
    undefined = _new(names.undefined, merged, sides)
    doubled = _new(names.doubled, merged, sides)
    return Faults(False, undefined, doubled, _marked(merged, sides))


def _new(of: Callable[[str], frozenset[str]], merged: str, sides: list[str]) -> frozenset[str]:
    found = of(merged)
    return found.difference(*map(of, sides)) if found else found


def _marked(merged: str, sides: list[str]) -> bool:
    """Whether the text has conflict markers that no side has."""

    def lines(text: str) -> set[str]:
        return {line for line in text.split("\n") if line.startswith(_MARKS)}

    return bool(lines(merged).difference(*map(lines, sides)))
