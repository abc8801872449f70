"""How a run's time went by, as a Mermaid chart that GitHub renders. Wording only.

Names of checks come in with the reasons of rounds: only letters, digits and a few marks of a text
reach the chart, so that none of it is read as syntax.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

import re2

from nightshift.report.markdown import fence
from nightshift.step import Passage

MAX_ROWS = 60
MAX_LABEL = 70
SHORTEST = 1
"""Seconds; a bar of none is not drawn."""
MORE = "{count} more stretches"

_OTHER = re2.compile(r"[^A-Za-z0-9 .,/()_-]+")
_HEAD = (
    "gantt",
    "    dateFormat X",
    "    axisFormat %H:%M",
)


def chart(began: datetime | None, merge: Mapping[str, float], passages: Sequence[Passage]) -> str:
    """The chart in its fence; "" where there is nothing to draw.

    :param began: when the rounds began; without it there is no time to draw on.
    :param merge: the steps before them, with their seconds.
    """
    rows = [*_merge(merge), *_rounds(passages)]
    if began is None or not rows:
        return ""
    origin = int(began.timestamp())
    lines = [*_HEAD]
    for section, label, start, end in rows:
        heading = f"    section {section}"
        if heading not in lines:
            lines.append(heading)
        last = max(int(end), int(start) + SHORTEST)
        lines.append(f"    {label} :{origin + int(start)}, {origin + last}")
    return fence("\n".join(lines), "mermaid")


Row = tuple[str, str, float, float]


def _merge(steps: Mapping[str, float]) -> Iterator[Row]:
    """The steps that took so long that they can be seen, one after the other, up to the start. A
    part of a step (`audit: losses`) is in the whole already."""
    whole = {name: seconds for name, seconds in steps.items() if ":" not in name}
    at = -sum(whole.values())
    for name, seconds in whole.items():
        if seconds >= SHORTEST:
            yield "Merge", named(f"merge {name}"), at, at + seconds
        at += seconds


def _rounds(passages: Sequence[Passage]) -> Iterator[Row]:
    for one in passages[:MAX_ROWS]:
        yield "Rounds", named(f"{one.number} {one.why}"), one.start, one.end
    rest = passages[MAX_ROWS:]
    if rest:
        yield "Rounds", MORE.format(count=len(rest)), rest[0].start, rest[-1].end


def named(text: str) -> str:
    """A text as the name of a bar: what could be syntax is a blank. Its first word is ours, since
    some words (`click`, `section`) mean something at the start of a line."""
    plain = " ".join(_OTHER.sub(" ", text).split())
    return plain[:MAX_LABEL].rstrip()
