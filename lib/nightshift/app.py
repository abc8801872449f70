"""The loop that both modes run in: collect → decide → apply, until Done or the deadline; then
report.

Always reports, whatever happened on the way. Knows no mode, no GitHub, no git: a mode and the one
writer are handed in.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from nightshift.effects.applied import Applied, ApplyError
from nightshift.effects.values import Effect, describe
from nightshift.errors import DEFECT_HINT, Defect, HostError, NightshiftError
from nightshift.outcome import Outcome, exit_code
from nightshift.ports import Clock, Runner
from nightshift.step import Done, Ending, Mode, Passage, Report, Step, Wait

F = TypeVar("F")

Apply = Callable[[Sequence[Effect]], tuple[Applied, ...]]
"""Writes effects in order and says what became of each; an error carries what was written before
it."""

HEARTBEAT_SECONDS = 600.0
MAX_ROUNDS_AT_ONCE = 50
MAX_PASSAGES = 200
"""Stretches of a run that are remembered for the report; what comes later is its end alone."""
ROUND = "round {number}: {why}"
TROUBLES = (30.0, 60.0, 120.0, 240.0, 480.0, 900.0)
"""Seconds that are waited after so many rounds in a row that failed by the host, each after all
that its requests were tried."""
TROUBLE = "the host has trouble, looking again in {seconds:.0f} s: {error}"
DEADLINE_REASON = "The deadline came while waiting: {why}"
DRY_RUN_REASON = "This was a dry run: the plan is shown, nothing was written."
RESTLESS = "the mode asked for {rounds} rounds in a row without waiting."


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a run may take, in seconds, and whether it may write."""

    deadline_seconds: float
    dry_run: bool = False


def run(mode: Mode[F], apply: Apply, clock: Clock, runner: Runner, limits: Limits) -> int:
    """Run a mode to its end and report it.

    :returns: the process exit code.
    """
    loop = _Loop(mode, apply, clock, runner, limits)
    error: NightshiftError | None = None
    try:
        ending = loop.run()
    except NightshiftError as caught:
        error = caught
    except Exception:  # pylint: disable=broad-exception-caught  # ours to mend
        runner.info(traceback.format_exc())
        error = Defect(DEFECT_HINT)
    if error is not None:
        ending = loop.ending(Done(Outcome.FAILED, str(error)))
    publish(mode.report(loop.facts, ending), ending.outcome, runner)
    if error is not None:
        runner.annotate("error", str(error), title=f"nightshift {mode.name} failed")
        return error.exit_code
    return exit_code(ending.outcome)


def publish(report: Report, outcome: Outcome, runner: Runner) -> None:
    """Hand a report to the runner: outputs, then the summary."""
    runner.output("outcome", outcome.value)
    for name, value in report.outputs.items():
        runner.output(name, value)
    runner.summary(report.summary)


class _Loop(Generic[F]):
    """The state of one run: what was applied, how many rounds, and the facts last seen."""

    def __init__(
        self, mode: Mode[F], apply: Apply, clock: Clock, runner: Runner, limits: Limits
    ) -> None:
        self._mode, self._apply, self._clock = mode, apply, clock
        self._runner, self._limits = runner, limits
        self._started = clock.monotonic()
        self._applied: list[Applied] = []
        self._rounds = 0
        self._at_once = 0
        self._troubles = 0
        self._last_said = ("", self._started)
        self._began = clock.now()
        self._passages: list[Passage] = []
        self.facts: F | None = None

    def run(self) -> Ending:
        """Rounds until the mode is done, the deadline comes, or a dry run has shown its plan."""
        while True:
            self._rounds += 1
            try:
                done = self._round()
            except NightshiftError as error:
                if not self._bears(error):
                    raise
                continue
            if done is not None:
                return self.ending(done)
            self._troubles = 0

    def _round(self) -> Done | None:
        """Read, decide, write, wait; the run's end where it has come."""
        self.facts = self._mode.collect()
        step = self._mode.decide(self.facts, self._clock.now())
        self._pass(_why(step.then))
        cut = self._perform(step)
        if cut is not None:
            return cut
        if self._limits.dry_run and (step.effects or isinstance(step.then, Wait)):
            return Done(Outcome.DRY_RUN, DRY_RUN_REASON)
        if isinstance(step.then, Done):
            return step.then
        if not self._wait(step.then):
            return Done(Outcome.TIMED_OUT, DEADLINE_REASON.format(why=step.then.why))
        return None

    def _bears(self, error: NightshiftError) -> bool:
        """Whether a round that failed is done again, after the wait that is due."""
        cause = error.cause if isinstance(error, ApplyError) else error
        passes = isinstance(cause, HostError) and cause.transient and self._mode.patient
        if not passes or self._troubles >= len(TROUBLES):
            return False
        seconds = TROUBLES[self._troubles]
        if self._elapsed() + seconds >= self._limits.deadline_seconds:
            return False
        self._troubles += 1
        self._runner.info(TROUBLE.format(seconds=seconds, error=error))
        self._clock.sleep(seconds)
        return True

    def ending(self, done: Done) -> Ending:
        """The run's end as a value."""
        return Ending(
            outcome=done.outcome,
            reason=done.reason,
            applied=tuple(self._applied),
            dry_run=self._limits.dry_run,
            rounds=self._rounds,
            seconds=self._elapsed(),
            began=self._began,
            passages=tuple(self._closed_passages()),
        )

    def _elapsed(self) -> float:
        return self._clock.monotonic() - self._started

    def _pass(self, why: str) -> None:
        """Note what the run does now, unless it goes on doing the same."""
        last = self._passages[-1] if self._passages else None
        if (last is None or last.why != why) and len(self._passages) < MAX_PASSAGES:
            now = self._elapsed()
            self._passages = list(self._closed_passages())
            self._passages.append(Passage(self._rounds, why, now, now))

    def _closed_passages(self) -> Iterator[Passage]:
        """The stretches so far; the last one ends now."""
        yield from self._passages[:-1]
        for last in self._passages[-1:]:
            yield replace(last, end=self._elapsed())

    def _perform(self, step: Step) -> Done | None:
        """Write, in a group of log lines that folds; the run's end where the mode says that a
        refusal is one."""
        if not step.effects:
            return None
        with self._runner.group(ROUND.format(number=self._rounds, why=_why(step.then))):
            return self._write(step.effects)

    def _write(self, effects: Sequence[Effect]) -> Done | None:
        try:
            self._note(self._apply(effects))
        except ApplyError as error:
            self._note(error.applied)
            cut = self._mode.cut_short(error)
            if cut is None:
                raise
            return cut
        return None

    def _note(self, applied: Sequence[Applied]) -> None:
        self._applied.extend(applied)
        for item in applied:
            detail = f" ({item.detail})" if item.detail else ""
            self._runner.info(f"{item.result.value}: {describe(item.effect)}{detail}")

    def _wait(self, wait: Wait) -> bool:
        """Sleep until the next round, or as long as the deadline lets; False where it has come."""
        now = self._clock.monotonic()
        left = self._limits.deadline_seconds - (now - self._started)
        if left <= 0:
            return False
        self._at_once = 0 if wait.seconds > 0 else self._at_once + 1
        if self._at_once > MAX_ROUNDS_AT_ONCE:
            raise Defect(RESTLESS.format(rounds=MAX_ROUNDS_AT_ONCE), where=wait.why)
        self._say(wait, now)
        if wait.seconds > 0:
            self._clock.sleep(min(wait.seconds, left))
        return True

    def _say(self, wait: Wait, now: float) -> None:
        """One line when something changed, and a heartbeat in between."""
        said, at = self._last_said
        if wait.why != said and wait.notice:
            self._runner.annotate("notice", wait.why)
        elif wait.why != said or now - at >= HEARTBEAT_SECONDS:
            self._runner.info(f"waiting: {wait.why}")
        else:
            return
        self._last_said = (wait.why, now)


def _why(then: Done | Wait) -> str:
    """What a round comes to, in one line."""
    return then.why if isinstance(then, Wait) else then.reason or then.outcome.value
