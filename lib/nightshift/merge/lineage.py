"""Which side is further on: what each side's history once held, and the real common ancestor of a
section.

A feature that was squash-merged is, to git, two unrelated changes. But some earlier version of it
on one side equals some version on the other: that pair is the true ancestor of the two tips
(sync.md, phase 1 point 3). Everything here is answered from the versions of one path, up to layout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from nightshift.merge.lines import Lines, split
from nightshift.merge.normal import gist, normal, substantial


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
        self._known: dict[str, int | None] = {}

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The versions that the tip grew from, newest first, without those that were reverted."""
        tip, base = self._ends
        grown = without_detours([base, *reversed(self._fetch()), tip], lambda stage: stage.text)
        return tuple(reversed(grown))

    @cached_property
    def _normal(self) -> tuple[tuple[str, str], ...]:
        return tuple((stage.commit, gist((stage.text,))) for stage in self.stages)

    def once_held(self, lines: Sequence[str]) -> str | None:
        """The newest commit at which this side held a text; "" where only the merge base did.

        None where it never did, or where the text is too short to be recognised.
        """
        age = self.age(lines)
        return None if age is None else self._normal[age][0]

    def age(self, lines: Sequence[str]) -> int | None:
        """How many versions back this side last held a text; None as above."""
        wanted = gist(lines)
        if wanted not in self._known:
            self._known[wanted] = next(self._ages(wanted), None)
        return self._known[wanted]

    def held_before(self, lines: Sequence[str], age: int) -> bool:
        """Whether a text stood here in an even older version: it is no progress over that one."""
        return any(found > age for found in self._ages(gist(lines)))

    def _ages(self, wanted: str) -> Iterator[int]:
        if substantial(wanted):
            yield from (age for age, (_, text) in enumerate(self._normal) if wanted in text)

    def tip_holds(self, lines: Sequence[str]) -> bool:
        """Whether the tip has a text somewhere, up to layout."""
        wanted = normal(lines)
        return substantial(wanted) and wanted in self._normal_tip

    @cached_property
    def _normal_tip(self) -> str:
        return normal((self._ends[0].text,))

    def sections(self, name: str) -> list[tuple[str, Lines]]:
        """The texts that a definition grew through, newest first, each with its commit."""
        found = [
            (stage.commit, lines)
            for stage in self.stages
            if (lines := definition(stage.text, name))
        ]
        return without_detours(found[::-1], lambda version: normal(version[1]))[::-1]


V = TypeVar("V")


def without_detours(versions: Iterable[V], key: Callable[[V], str]) -> list[V]:
    """Versions, oldest first, without what was reverted: a text that comes back undoes all since
    it was left.

    Of equal versions the newest stays.
    """
    grown: list[V] = []
    places: dict[str, int] = {}
    for version in versions:
        text = key(version)
        place = places.get(text)
        if place is not None:
            for undone in grown[place:]:
                del places[key(undone)]
            del grown[place:]
        places[text] = len(grown)
        grown.append(version)
    return grown


def definition(text: str, name: str) -> Lines:
    """The lines of the definition of a dotted name, found by indentation; nothing where it is
    absent.

    Made for old versions in numbers: it reads only what stands around the name, and parses nothing.
    """
    *outer, last = name.split(".")
    start, end = 0, len(text)
    for level, part in enumerate(outer):
        place = _find(text, part, start, end, level)
        if place is None:
            return ()
        start = place[0]
        end = min([end] + [at for word in _TOP if (at := text.find(word, start, end)) >= 0])
    place = _find(text, last, start, end, len(outer))
    if place is None:
        return ()
    line, margin = place
    return split(text[_decorators(text, line, start, margin) : _end(text, line, end, margin)])


_TOP = ("\nclass ", "\ndef ", "\nasync def ")


def _find(text: str, name: str, start: int, end: int, level: int) -> tuple[int, str] | None:
    """The line and margin of the first definition of a name between two places; indented where it
    is a member."""
    for at in _places(text, name, start, end):
        line = text.rfind("\n", 0, at) + 1
        before = text[line:at]
        margin = before[: len(before) - len(before.lstrip())]
        if before.strip() in ("", "async") and bool(margin) == bool(level):
            return line, margin
    return None


def _places(text: str, name: str, start: int, end: int) -> Iterator[int]:
    for word in ("def", "class"):
        head = f"{word} {name}"
        at = text.find(head, start, end)
        while at >= 0:
            if text[at + len(head) : at + len(head) + 1] in ("(", ":", "[", " "):
                yield at
            at = text.find(head, at + 1, end)


def _end(text: str, at: int, end: int, margin: str) -> int:
    """Where the block that starts at a line ends: at the next line of code that is not deeper."""
    line = text.find("\n", at, end) + 1
    last = line or end
    while 0 < line < end:
        stop = text.find("\n", line, end) + 1 or end
        code = text[line:stop].strip()
        if code and not code.startswith(("#", ")", "]", "}")):
            if not text.startswith((margin + " ", margin + "\t"), line):
                break
        if code:
            last = stop
        line = stop
    return last


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

    @property
    def evidence(self) -> tuple[str, ...]:
        """The commits, for the ledger."""
        return tuple(sorted({commit for commit in self.commits if commit}))


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
