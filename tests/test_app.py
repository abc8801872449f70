"""The loop: rounds, deadline, dry run, errors; it always reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import pytest

from nightshift import app
from nightshift.effects.applied import Applied, ApplyError, Result
from nightshift.effects.values import AddLabels, Effect
from nightshift.errors import Defect, HostError, UserError
from nightshift.outcome import Outcome
from nightshift.step import Done, Ending, Mode, Report, Step, Wait
from support.clock import SimulatedClock
from support.world import FakeRunner

LABEL = AddLabels(1, ("x",))


def mode(steps: Sequence[Step | Exception]) -> Mode[int]:
    rounds = iter(steps)
    seen = iter(range(1, 1000))

    def decide(_facts: int, _now: datetime) -> Step:
        step = next(rounds)
        if isinstance(step, Exception):
            raise step
        return step

    def report(facts: int | None, ending: Ending) -> Report:
        return Report(
            {"facts": str(facts)}, f"{ending.outcome} after {ending.rounds}: {ending.reason}"
        )

    return Mode("test", lambda: next(seen), decide, report)


def done(effects: Sequence[Effect]) -> tuple[Applied, ...]:
    return tuple(Applied(effect, Result.DONE) for effect in effects)


def run(
    steps: Sequence[Step | Exception], apply: app.Apply = done, **limits: float | bool
) -> tuple[int, FakeRunner, SimulatedClock]:
    clock, runner = SimulatedClock(), FakeRunner()
    given = app.Limits(**{"deadline_seconds": 3600.0, **limits})  # type: ignore[arg-type]
    code = app.run(mode(steps), apply, clock, runner, given)
    return code, runner, clock


def test_rounds_go_on_until_done_and_read_afresh() -> None:
    code, runner, clock = run(
        [
            Step((LABEL,), Wait(120, "checks")),
            Step((), Wait(0, "again")),
            Step((), Done(Outcome.READY)),
        ]
    )
    assert code == 0
    assert clock.sleeps == [120]
    assert runner.outputs == {"outcome": "ready", "facts": "3"}
    assert runner.said[:2] == ["round 1: checks", "done: add to #1: x"]


def test_the_deadline_ends_a_wait_and_the_last_wait_is_cut_to_it() -> None:
    code, runner, clock = run([Step((), Wait(120, "checks"))] * 9, deadline_seconds=300)
    assert code == 1
    assert clock.sleeps == [120, 120, 60]
    assert runner.outputs["outcome"] == "timed-out"
    assert "checks" in runner.summaries[0]


def test_a_dry_run_ends_after_its_first_plan() -> None:
    code, runner, _ = run([Step((LABEL,), Wait(0, "pushed"))], dry_run=True)
    assert (code, runner.outputs["outcome"]) == (0, "dry-run")


def test_a_dry_run_with_nothing_to_write_keeps_its_outcome() -> None:
    _, runner, _ = run([Step((), Done(Outcome.NOTHING_TO_SYNC))], dry_run=True)
    assert runner.outputs["outcome"] == "nothing-to-sync"


@pytest.mark.parametrize(
    ("error", "code"),
    [(UserError("u"), 2), (HostError("h"), 3), (Defect("d"), 70), (KeyError("k"), 70)],
)
def test_an_error_is_reported_and_decides_the_exit_code(error: Exception, code: int) -> None:
    exit_code, runner, _ = run([Step((LABEL,), Wait(0, "labelled")), error])
    assert runner.said[1] == "done: add to #1: x"
    assert exit_code == code
    assert runner.outputs["outcome"] == "failed"
    assert runner.summaries and runner.annotations


def test_what_was_written_before_a_refusal_is_reported() -> None:
    def refuse(_effects: Sequence[Effect]) -> tuple[Applied, ...]:
        raise ApplyError(HostError("refused"), (Applied(LABEL, Result.DONE),))

    code, runner, _ = run([Step((LABEL,), Done(Outcome.TRIAGED))], refuse)
    assert code == 3
    assert "done: add to #1: x" in runner.said


def test_a_mode_may_call_a_refusal_its_end() -> None:
    def refuse(_effects: Sequence[Effect]) -> tuple[Applied, ...]:
        raise ApplyError(HostError("refused"), (Applied(LABEL, Result.DONE),))

    def cut_short(error: ApplyError) -> Done:
        return Done(Outcome.PARTIAL, f"{len(error.applied)} done")

    clock, runner = SimulatedClock(), FakeRunner()
    steps = mode([Step((LABEL,), Done(Outcome.TRIAGED))])
    code = app.run(replace(steps, cut_short=cut_short), refuse, clock, runner, app.Limits(60.0))
    assert (code, runner.outputs["outcome"]) == (0, "partial")
    assert runner.summaries == ["partial after 1: 1 done"]
    assert "done: add to #1: x" in runner.said and not runner.annotations


def test_a_mode_that_never_waits_is_a_defect() -> None:
    code, runner, _ = run([Step((), Wait(0, "spin"))] * 100)
    assert (code, runner.outputs["outcome"]) == (70, "failed")


def test_waiting_says_what_changed_and_gives_a_heartbeat() -> None:
    steps: list[Step | Exception] = [Step((), Wait(120, "a"))] * 12 + [
        Step((), Wait(120, "b")),
        Step((), Done(Outcome.READY)),
    ]
    _, runner, _ = run(steps)
    assert runner.said == ["waiting: a"] * 3 + ["waiting: b"]


def test_what_people_should_see_is_an_annotation_once() -> None:
    steps: list[Step | Exception] = [Step((), Wait(120, "silence", notice=True))] * 12
    _, runner, _ = run([*steps, Step((), Done(Outcome.READY))])
    assert runner.annotations == [("notice", "silence")]
    assert runner.said == ["waiting: silence"] * 2


def passages(steps: Sequence[Step | Exception]) -> list[tuple[int, str, float, float]]:
    endings: list[Ending] = []

    def report(_facts: int | None, ending: Ending) -> Report:
        endings.append(ending)
        return Report({}, "")

    clock = SimulatedClock()
    began = clock.now()
    watched = replace(mode(steps), report=report)
    app.run(watched, done, clock, FakeRunner(), app.Limits(36_000.0))
    ending = endings.pop()
    assert not endings and ending.began == began
    return [(one.number, one.why, one.start, one.end) for one in ending.passages]


def test_how_the_time_went_by_is_told_in_stretches() -> None:
    found = passages(
        [
            Step((LABEL,), Wait(5, "labelled")),
            *[Step((), Wait(120, "checks"))] * 3,
            Step((), Wait(60, "settling")),
            Step((), Wait(120, "checks")),
            Step((), Done(Outcome.READY, "green")),
        ]
    )
    assert found == [
        (1, "labelled", 0, 5),
        (2, "checks", 5, 365),
        (5, "settling", 365, 425),
        (6, "checks", 425, 545),
        (7, "green", 545, 545),
    ]


def test_stretches_without_end_are_not_remembered_without_end() -> None:
    steps = [Step((), Wait(1, str(n % 2))) for n in range(500)]
    found = passages([*steps, Step((), Done(Outcome.READY))])
    assert len(found) == app.MAX_PASSAGES
    assert found[-1][3] == 500


PASSING = HostError("no answer", transient=True)


def patient(
    steps: Sequence[Step | Exception], apply: app.Apply = done, seconds: float = 36_000.0
) -> tuple[int, FakeRunner, SimulatedClock]:
    clock, runner = SimulatedClock(), FakeRunner()
    watched = replace(mode(steps), patient=True)
    return app.run(watched, apply, clock, runner, app.Limits(seconds)), runner, clock


def test_trouble_that_passes_is_waited_for_and_the_round_done_again() -> None:
    code, runner, clock = patient(
        [
            *[PASSING] * 3,
            Step((), Wait(120, "checks")),
            PASSING,
            Step((), Done(Outcome.READY)),
        ]
    )
    assert (code, runner.outputs["outcome"]) == (0, "ready")
    assert clock.sleeps == [*app.TROUBLES[:3], 120, app.TROUBLES[0]]
    assert any("no answer" in line for line in runner.said)


def test_a_write_that_failed_in_passing_is_decided_on_afresh() -> None:
    failures = [ApplyError(PASSING, (Applied(LABEL, Result.DONE),))]

    def fails_once(effects: Sequence[Effect]) -> tuple[Applied, ...]:
        if failures:
            raise failures.pop()
        return done(effects)

    steps = [Step((LABEL,), Wait(5, "labelled"))] * 2 + [Step((), Done(Outcome.READY))]
    code, runner, _ = patient(steps, fails_once)
    assert (code, runner.outputs["outcome"]) == (0, "ready")
    assert runner.said.count("done: add to #1: x") == 2


def test_trouble_that_does_not_pass_ends_the_run() -> None:
    code, runner, clock = patient([PASSING] * 20)
    assert (code, runner.outputs["outcome"]) == (3, "failed")
    assert clock.sleeps == list(app.TROUBLES)
    assert runner.summaries


def test_no_trouble_is_waited_for_beyond_the_deadline() -> None:
    code, _, clock = patient([PASSING] * 20, seconds=100)
    assert code == 3
    assert sum(clock.sleeps) <= 100


@pytest.mark.parametrize("error", [HostError("refused"), UserError("u"), Defect("d")])
def test_what_will_not_pass_is_not_waited_for(error: Exception) -> None:
    code, _, clock = patient([error, Step((), Done(Outcome.READY))])
    assert code != 0
    assert not clock.sleeps


def test_a_mode_that_is_not_patient_ends_at_once() -> None:
    code, _, clock = run([PASSING, Step((), Done(Outcome.READY))])
    assert code == 3
    assert not clock.sleeps
