"""Triage as a mode: one round, effects in order, an ending, a report."""

from __future__ import annotations

import json

import pytest

from nightshift.effects.applied import Applied, ApplyError, Result
from nightshift.effects.values import AddLabels, PostComment
from nightshift.errors import Defect, HostError
from nightshift.inputs import TriageInputs
from nightshift.outcome import Outcome
from nightshift.step import Done, Ending, Step
from nightshift.triage.collect import Target
from nightshift.triage.guard import triage_guard
from nightshift.triage.mode import triage_mode
from nightshift.values import Issue, IssueEvent
from support.triage import (
    FSDP_BUG,
    FSDP_VAGUE,
    INFRA_BUG,
    MARKER,
    NOW,
    OUT,
    PARALLELISMS,
    SCOPE,
    TIMEOUT,
    FakeReader,
    issue,
    pytorch,
)


def run(
    issues: list[Issue],
    number: int | None = None,
    *,
    max_issues: int = 100,
    event: IssueEvent | None = None,
    rerun: bool = False,
) -> tuple[Step, Ending, dict[str, str], str]:
    sweep = number is None and event is None
    inputs = TriageInputs(number, sweep, max_issues, None, False, event, rerun)
    mode = triage_mode(FakeReader(issues), pytorch(), Target(inputs))
    facts = mode.collect()
    step = mode.decide(facts, NOW)
    triage_guard(pytorch(), inputs).check(step.effects)
    assert isinstance(step.then, Done)
    applied = tuple(Applied(effect, Result.DONE) for effect in step.effects)
    ending = Ending(step.then.outcome, step.then.reason, applied, False, 1, 0.1)
    report = mode.report(facts, ending)
    return step, ending, dict(report.outputs), report.summary


def test_one_issue() -> None:
    step, ending, outputs, summary = run([issue(FSDP_VAGUE)], 7)
    labels, comment = step.effects
    assert isinstance(labels, AddLabels) and isinstance(comment, PostComment)
    assert labels.labels[0] == PARALLELISMS and labels.labels[-1] == MARKER
    assert comment.marker in comment.body
    assert ending.outcome is Outcome.TRIAGED
    assert json.loads(outputs["labels-added"]) == list(labels.labels)
    assert outputs["sub-oncall"] == PARALLELISMS
    assert json.loads(outputs["modules"]) == ["module: fsdp"]
    assert json.loads(outputs["issues"]) == [7]
    assert json.loads(outputs["report"])["schema_version"] == 1
    assert "`module: fsdp`" in summary and "fully\\_shard" not in summary.split("<details>")[0]


def test_a_job_run_again_posts_the_comment_that_is_missing() -> None:
    labels, comment = run([issue(FSDP_VAGUE)], 7)[0].effects
    assert isinstance(labels, AddLabels)
    half = issue(FSDP_VAGUE, *labels.labels)
    assert run([half], 7)[0].effects == ()
    assert run([half], 7, rerun=True)[0].effects == (comment,)
    # Who marked the issues of a backlog, and when, nobody knows: a sweep comments on none of them.
    assert run([half], rerun=True)[0].effects == ()


def test_a_sweep_within_its_budget() -> None:
    backlog = [issue(FSDP_BUG, number=3), issue(INFRA_BUG, number=2), issue(OUT, number=1)]
    step, ending, outputs, summary = run(backlog, max_issues=2)
    assert [effect.number for effect in step.effects if isinstance(effect, AddLabels)] == [3, 2]
    assert ending.outcome is Outcome.PARTIAL
    assert json.loads(outputs["report"])["remainder"] == [1]
    assert "1 left for the next run: #1" in summary
    assert outputs["sub-oncall"] == ""


def test_a_sweep_that_does_all() -> None:
    _, ending, _, _ = run([issue(FSDP_BUG, number=3), issue(INFRA_BUG, MARKER, number=2)])
    assert ending.outcome is Outcome.TRIAGED


def test_a_sweep_with_nothing_to_do() -> None:
    waiting = issue(TIMEOUT, "oncall: distributed infra", "triage review", number=4)
    step, ending, outputs, summary = run([waiting, issue(FSDP_BUG, MARKER, number=3)])
    assert step.effects == () and ending.outcome is Outcome.UNCHANGED
    assert json.loads(outputs["issues"]) == []
    assert "1 issues have all" in summary and "marker already" in summary


def test_an_event_of_another_label_does_nothing() -> None:
    step, ending, outputs, _ = run([issue()], event=IssueEvent("labeled", 7, "bug", "ann"))
    assert step.effects == () and ending.outcome is Outcome.SKIPPED
    assert json.loads(outputs["issues"]) == []


def test_an_event_of_the_scope_label() -> None:
    _, ending, _, _ = run([issue()], event=IssueEvent("labeled", 7, SCOPE, "ann"))
    assert ending.outcome is Outcome.TRIAGED


@pytest.mark.parametrize(
    "found", [issue(is_pull_request=True), issue(open=False), issue(FSDP_BUG, "nightshift-hold")]
)
def test_an_issue_that_is_not_ours_to_touch(found: Issue) -> None:
    step, ending, _, summary = run([found], 7)
    assert step.effects == () and ending.outcome is Outcome.SKIPPED
    assert "Triage: skipped" in summary


def test_an_issue_without_the_scope_label() -> None:
    plain = Issue(7, *FSDP_BUG, labels=("bug",))
    _, ending, _, _ = run([plain], 7)
    assert ending.outcome is Outcome.SKIPPED


def test_the_guard_of_one_issue() -> None:
    guard = triage_guard(pytorch(), TriageInputs(7, False, 1, None, False, None))
    guard.check([AddLabels(7, (MARKER,))])
    for bad in (
        AddLabels(8, (MARKER,)),
        AddLabels(7, ("high priority",)),
        AddLabels(7, (SCOPE,)),
        PostComment(7, "x", "other", "x"),
    ):
        with pytest.raises(Defect):
            guard.check([bad])


def test_a_report_of_a_run_that_failed_before_it_read_anything() -> None:
    mode = triage_mode(
        FakeReader(), pytorch(), Target(TriageInputs(1, False, 1, None, False, None))
    )
    report = mode.report(None, Ending(Outcome.FAILED, "no network", (), False, 1, 0.1))
    assert "no network" in report.summary
    assert json.loads(report.outputs["issues"]) == []


def _limited(applied: tuple[Applied, ...], reason: str = "limit") -> ApplyError:
    return ApplyError(HostError("no more.", reason=reason), applied)


def test_a_sweep_that_meets_the_limit_ends_with_a_remainder() -> None:
    issues = [issue(FSDP_VAGUE, number=n, url=f"u{n}") for n in (3, 2, 1)]
    inputs = TriageInputs(None, True, 2, None, False, None)
    mode = triage_mode(FakeReader(issues), pytorch(), Target(inputs))
    facts = mode.collect()
    labels, comment, *_ = mode.decide(facts, NOW).effects
    assert isinstance(labels, AddLabels) and labels.url == "u3"
    assert mode.cut_short(_limited((), reason="")) is None

    for applied, left, half in (((labels, comment), [2, 1], False), ((labels,), [2, 1], True)):
        mode.decide(facts, NOW)
        done = tuple(Applied(effect, Result.DONE) for effect in applied)
        end = mode.cut_short(_limited(done))
        assert end is not None and end.outcome is Outcome.PARTIAL
        assert ("#3" in end.reason) is half
        report = mode.report(facts, Ending(end.outcome, end.reason, done, False, 1, 0.1))
        assert report.data["remainder"] == left
        assert json.loads(report.outputs["issues"]) == [3]


def test_a_single_issue_that_meets_the_limit_has_failed() -> None:
    inputs = TriageInputs(7, False, 10, None, False, None)
    mode = triage_mode(FakeReader([issue(FSDP_VAGUE)]), pytorch(), Target(inputs))
    mode.decide(mode.collect(), NOW)
    assert mode.cut_short(_limited(())) is None
