"""The loop's vocabulary: what a mode is, what it decides in one round, and how a run ends.

A mode is two functions, `collect() -> facts` and `decide(facts, now) -> Step`, and a third that
words the report. Everything is read afresh each round; nothing is remembered between rounds but
what git and GitHub hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, TypeVar

from nightshift.effects.applied import Applied, ApplyError
from nightshift.effects.values import Effect
from nightshift.outcome import Outcome

F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class Done:
    """Nothing more to do; `reason` is one line for the log and the summary."""

    outcome: Outcome
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Wait:
    """Look again after some seconds (0: at once, since the effects changed the world).

    :param notice: whether people should see the reason without reading the log.
    """

    seconds: float
    why: str
    notice: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """What one round decided: effects to apply in order, then the end or a wait."""

    effects: tuple[Effect, ...]
    then: Done | Wait


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a run in which nothing changed: what it did, and then waited for.

    :param number: of its first round, from 1.
    :param start, end: seconds since the run began.
    """

    number: int
    why: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended.

    :param began: when it did, None where nobody asked the clock.
    :param passages: how its time went by, in order.
    """

    outcome: Outcome
    reason: str
    applied: tuple[Applied, ...]
    dry_run: bool
    rounds: int
    seconds: float
    began: datetime | None = None
    passages: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What a run tells: the action's outputs, the step summary (Markdown, foreign text escaped),
    and the JSON report, which has `schema_version`."""

    outputs: Mapping[str, str]
    summary: str
    data: Mapping[str, object] = field(default_factory=dict)


def stays_an_error(_error: ApplyError) -> None:
    """What most modes say of a write that was refused: the run has failed."""


@dataclass(frozen=True, slots=True)
class Mode(Generic[F]):
    """One mode, ready to run: its ports and policy are bound already.

    :param cut_short: the end of a run whose writes were refused halfway, where that is a normal
        one; None where it stays an error.
    :param patient: whether trouble of the host that may pass is waited for: each round reads all
        afresh, so that one which failed halfway is simply done again.
    """

    name: str
    collect: Callable[[], F]
    decide: Callable[[F, datetime], Step]
    report: Callable[[F | None, Ending], Report]
    cut_short: Callable[[ApplyError], Done | None] = stays_an_error
    patient: bool = False
