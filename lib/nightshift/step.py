"""The loop's vocabulary: what a mode is, what it decides in one round, and how a run ends.

A mode is two functions, `collect() -> facts` and `decide(facts, now) -> Step`, and a third that words
the report. Everything is read afresh each round; nothing is remembered between rounds but what git and
GitHub hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Generic, TypeVar

from nightshift.effects.values import Effect
from nightshift.errors import NightshiftError
from nightshift.outcome import Outcome

F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class Done:
    """Nothing more to do; `reason` is one line for the log and the summary."""

    outcome: Outcome
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Wait:
    """Look again after some seconds (0: at once, since the effects changed the world)."""

    seconds: float
    why: str


@dataclass(frozen=True, slots=True)
class Step:
    """What one round decided: effects to apply in order, then the end or a wait."""

    effects: tuple[Effect, ...]
    then: Done | Wait


class Result(StrEnum):
    """What became of an effect."""

    DONE = "done"
    UNCHANGED = "unchanged"
    SKIPPED = "skipped"
    PLANNED = "planned"


@dataclass(frozen=True, slots=True)
class Applied:
    """An effect with what became of it. `detail` is ours, never foreign text; `url` points at the result."""

    effect: Effect
    result: Result
    detail: str = ""
    url: str = ""


class ApplyError(NightshiftError):
    """A write was refused or failed. Carries what was written before it, so that it can be reported.

    Its owner and exit code are those of the error that it stands for.
    """

    def __init__(self, cause: NightshiftError, applied: tuple[Applied, ...]) -> None:
        super().__init__(cause.what, where=cause.where, mend=cause.mend)
        self.cause = cause
        self.applied = applied
        self.exit_code = cause.exit_code
        self.owner = cause.owner


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended."""

    outcome: Outcome
    reason: str
    applied: tuple[Applied, ...]
    dry_run: bool
    rounds: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Report:
    """What a run tells: the action's outputs, the step summary (Markdown, foreign text escaped), and the
    JSON report, which has `schema_version`."""

    outputs: Mapping[str, str]
    summary: str
    data: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mode(Generic[F]):
    """One mode, ready to run: its ports and policy are bound already."""

    name: str
    collect: Callable[[], F]
    decide: Callable[[F, datetime], Step]
    report: Callable[[F | None, Ending], Report]
