"""Which side is further on: what each side's history once held, and the real common ancestor of a section.

A feature that was squash-merged is, to git, two unrelated changes. But some earlier version of it on one
side equals some version on the other: that pair is the true ancestor of the two tips (sync.md, phase 1
point 3). Everything here is answered from the versions of one path, up to layout.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from nightshift.merge.lines import Lines, split
from nightshift.merge.normal import normal, substantial


@dataclass(frozen=True, slots=True)
class Stage:
    """One version of a path: the commit that made it ("" for the merge base) and its text."""

    commit: str
    text: str


class Line:
    """The versions that one side of one path went through: its tip first, the merge base last.

    :param fetch: gives the versions in between; called at most once, and only when asked something.
    """

    def __init__(self, base: str, tip: str, fetch: Callable[[], Sequence[Stage]]) -> None:
        self._ends = (Stage("", tip), Stage("", base))
        self._fetch = fetch

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """Distinct versions, newest first. The tip carries the commit that made it, where it is known."""
        tip, base = self._ends
        found: dict[str, Stage] = {}
        for stage in (*self._fetch(), tip, base):
            found.setdefault(stage.text, stage)
        found.pop(base.text, None)
        first = found.pop(tip.text, tip)
        return (first, *found.values(), base)

    @cached_property
    def _normal(self) -> tuple[tuple[str, str], ...]:
        return tuple((stage.commit, normal((stage.text,))) for stage in self.stages)

    def once_held(self, lines: Sequence[str]) -> str | None:
        """The newest commit at which this side held a text; "" where only the merge base did.

        None where it never did, or where the text is too short to be recognised.
        """
        wanted = normal(lines)
        if not substantial(wanted):
            return None
        return next((commit for commit, text in self._normal if wanted in text), None)

    def tip_holds(self, lines: Sequence[str]) -> bool:
        """Whether the tip has a text somewhere, up to layout."""
        wanted = normal(lines)
        return substantial(wanted) and wanted in self._normal_tip

    @cached_property
    def _normal_tip(self) -> str:
        return normal((self._ends[0].text,))

    def sections(self, name: str, depth: int) -> list[tuple[str, Lines]]:
        """The distinct texts that a definition had, newest first, each with its commit."""
        found: dict[str, tuple[str, Lines]] = {}
        for stage in self.stages:
            lines = definition(stage.text, name, depth)
            if lines:
                found.setdefault(normal(lines), (stage.commit, lines))
        return list(found.values())


def definition(text: str, name: str, depth: int) -> Lines:
    """The lines of the definition of a dotted name, found by indentation; nothing where it is absent.

    Made for old versions in numbers: it reads only what stands around the name, and parses nothing.
    """
    start, end = 0, len(text)
    for level, part in enumerate(name.split(".")):
        span = _find(text, part, start, end, level + depth)
        if span is None:
            return ()
        start, end = span
    return split(text[start:end])


def _find(text: str, name: str, start: int, end: int, level: int) -> tuple[int, int] | None:
    indent = r"[ \t]+" if level else ""
    head = re.compile(rf"^({indent})(?:async +def|def|class) +{re.escape(name)}\b", re.MULTILINE)
    found = head.search(text, start, end)
    if found is None:
        return None
    stop = re.compile(rf"^(?!{found[1]}[ \t]|[ \t]*(?:\#.*)?$|[ \t]*[)\]}}])", re.MULTILINE)
    after = stop.search(text, text.find("\n", found.start()) + 1 or end, end)
    begin = _decorators(text, found.start(), start, found[1])
    return begin, after.start() if after else end


def _decorators(text: str, at: int, least: int, indent: str) -> int:
    """The start of the one-line decorators above a definition."""
    while at > least:
        line = text.rfind("\n", 0, at - 1) + 1
        if line < least or not text.startswith(indent + "@", line):
            break
        at = line
    return at


@dataclass(frozen=True, slots=True)
class Ancestor:
    """The latest version of a section that both sides once had.

    :param commits: where the target had it, and where the source did; "" stands for the merge base.
    """

    lines: Lines
    commits: tuple[str, str]
    target_age: int
    source_age: int


def ancestor(
    target: Sequence[tuple[str, Lines]], source: Sequence[tuple[str, Lines]]
) -> Ancestor | None:
    """The latest pair of versions of a section, one on each side, that are equal up to layout."""
    there = {
        normal(lines): (age, commit) for age, (commit, lines) in reversed(list(enumerate(source)))
    }
    best: Ancestor | None = None
    for age, (commit, lines) in enumerate(target):
        match = there.get(normal(lines))
        if match and (best is None or age + match[0] < best.target_age + best.source_age):
            best = Ancestor(lines, (commit, match[1]), age, match[0])
    return best
