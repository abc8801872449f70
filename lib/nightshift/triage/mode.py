"""Triage as a mode: collect, decide, report. The effects are decided here and applied elsewhere.

Done in one round. Where GitHub's limit of writes ends a sweep, what is left is left for the next
one. A run that ends between an issue's labels and its comment leaves the comment out: the issue
has the marker then, and a marked issue is left alone. The job of that issue, run again, posts it,
and so does a forced run.
Whatever an issue says, the only effects are labels of the policy's allow-list
and the two templates, on the issues that the run was asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial

from nightshift.effects.applied import ApplyError
from nightshift.effects.settle import LIMIT
from nightshift.effects.values import AddLabels, Effect, PostComment
from nightshift.errors import HostError
from nightshift.inputs import TriageInputs
from nightshift.outcome import Outcome
from nightshift.policy.triage import Template, TriagePolicy
from nightshift.ports import IssueReader
from nightshift.report.triage import report
from nightshift.step import Done, Ending, Mode, Report, Step
from nightshift.triage.collect import Facts, Target, collect
from nightshift.triage.comments import mark, render
from nightshift.triage.decide import decide
from nightshift.triage.rows import report_rows
from nightshift.triage.sweep import Batch, cut, plan
from nightshift.triage.values import Decision
from nightshift.values import Issue

LIMITED = "GitHub's limit is used up: {count} issues are left for the next sweep."
NO_COMMENT = " Their labels are there, the comment is not; a forced run posts it: {numbers}."


def triage_mode(reader: IssueReader, policy: TriagePolicy, target: Target) -> Mode[Facts]:
    """Triage, bound to a reader, a policy and what the run was asked for."""
    run = _Run(target)
    read = partial(collect, reader, policy, target)
    return Mode("triage", read, run.decide, run.report, run.cut_short)


class _Run:
    """Keeps the last round's batch for the report."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._batch = Batch((), 0, {}, ())

    def decide(self, facts: Facts, now: datetime) -> Step:
        """What this round does. That all labels exist is the writer's to check, before the first
        write."""
        if facts.idle:
            return Step((), Done(Outcome.SKIPPED, facts.idle))
        inputs = self._target.inputs
        if facts.sweep:
            self._batch = plan(
                facts.issues, facts.policy, now, inputs.max_issues, force=inputs.force
            )
            done = sweep_end(self._batch)
        else:
            self._batch, done = _single(facts, now, inputs)
        return Step(tuple(effects(self._batch.chosen, facts.policy)), done)

    def cut_short(self, error: ApplyError) -> Done | None:
        """A sweep that has used up what GitHub lets it write ends as one with a remainder."""
        cause = error.cause
        limited = isinstance(cause, HostError) and cause.reason == LIMIT
        if not (limited and self._target.inputs.sweep):
            return None
        self._batch, halves = cut(self._batch, error.applied)
        left = LIMITED.format(count=len(self._batch.remainder))
        numbers = ", ".join(f"#{number}" for number in halves)
        return Done(Outcome.PARTIAL, left + (NO_COMMENT.format(numbers=numbers) if halves else ""))

    def report(self, facts: Facts | None, ending: Ending) -> Report:
        """The run in words."""
        policy = facts.policy if facts else None
        rows = report_rows(self._batch.chosen, policy) if policy else ()
        left = {**self._batch.skipped}
        return report(rows, left, self._batch.settled, self._batch.remainder, ending)


def _single(facts: Facts, now: datetime, inputs: TriageInputs) -> tuple[Batch, Done]:
    issue = facts.issues[0]
    decision = decide(issue, facts.policy, now, force=inputs.force, finish=inputs.rerun)
    reason = decision.reasons[-1] if decision.reasons else ""
    return Batch(((issue, decision),), 0, {}, ()), Done(decision.outcome, reason)


def sweep_end(batch: Batch) -> Done:
    """How a sweep ends."""
    if batch.remainder:
        return Done(Outcome.PARTIAL, f"{len(batch.remainder)} issues are left for the next sweep")
    if batch.chosen:
        return Done(Outcome.TRIAGED, f"{len(batch.chosen)} issues triaged, none left")
    return Done(Outcome.UNCHANGED, "no issue of the backlog needed anything")


def effects(chosen: Iterable[tuple[Issue, Decision]], policy: TriagePolicy) -> Iterator[Effect]:
    """The writes of decisions: an issue's labels before its comment."""
    templates: dict[str, Template] = {
        template.name: template
        for template in (policy.templates.out_of_scope, policy.templates.reproduction)
    }
    for issue, decision in chosen:
        if decision.add_labels:
            yield AddLabels(issue.number, decision.add_labels, url=issue.url)
        if decision.comment:
            template = templates[decision.comment]
            yield PostComment(issue.number, render(template), template.name, mark(template))
