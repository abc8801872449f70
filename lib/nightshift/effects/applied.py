"""What became of effects: the writer's account, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from nightshift.effects.values import Effect
from nightshift.errors import NightshiftError


class Result(StrEnum):
    """What became of an effect."""

    DONE = "done"
    UNCHANGED = "unchanged"
    SKIPPED = "skipped"
    PLANNED = "planned"


@dataclass(frozen=True, slots=True)
class Applied:
    """An effect with what became of it. `detail` is ours, never foreign text; `url` points at the
    result."""

    effect: Effect
    result: Result
    detail: str = ""
    url: str = ""


class ApplyError(NightshiftError):
    """A write was refused or failed. Carries what was written before it, so that it can be
    reported.

    Its owner and exit code are those of the error that it stands for.
    """

    def __init__(self, cause: NightshiftError, applied: tuple[Applied, ...]) -> None:
        super().__init__(cause.what, where=cause.where, mend=cause.mend)
        self.cause = cause
        self.applied = applied
        self.exit_code = cause.exit_code
        self.owner = cause.owner
