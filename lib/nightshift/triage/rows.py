"""Decisions as rows of the report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nightshift.policy.triage import TriagePolicy
from nightshift.report.triage import Finding, Reason, Row
from nightshift.triage.values import Confidence, Decision, Judgement
from nightshift.triage.weigh import Evidence
from nightshift.values import Issue


def report_rows(chosen: Iterable[tuple[Issue, Decision]], policy: TriagePolicy) -> tuple[Row, ...]:
    """One row for each issue, with the evidence."""
    return tuple(_row(issue, decision, policy) for issue, decision in chosen)


def _row(issue: Issue, decision: Decision, policy: TriagePolicy) -> Row:
    judged = decision.judgement
    sure = [v.label for v in judged.modules if v.confidence is not Confidence.LOW]
    return Row(
        number=issue.number,
        title=issue.title,
        outcome=decision.outcome.value,
        add_labels=decision.add_labels,
        comment=decision.comment,
        sub_oncall=judged.team.label if judged.in_scope else "",
        modules=tuple(sure) if judged.in_scope else (),
        reasons=decision.reasons,
        findings=tuple(_findings(judged, policy)),
    )


def _findings(judged: Judgement, policy: TriagePolicy) -> Iterator[Finding]:
    scope = "in scope" if judged.in_scope else "out of scope"
    yield Finding("scope", scope, judged.scope.value, _reasons(judged.scope_evidence))
    team = judged.team
    yield Finding("team", team.label, team.confidence.value, _reasons(team.evidence))
    for verdict in judged.modules:
        sure = verdict.confidence.value
        yield Finding("module", verdict.label, sure, _reasons(verdict.evidence))
    yield Finding("type", judged.kind.value, "", _reasons(judged.kind_evidence))
    texts = {criterion.name: criterion.text for criterion in policy.criteria}
    for verdict in judged.criteria:
        text = texts.get(verdict.label, verdict.label)
        yield Finding("high priority", text, "", _reasons(verdict.evidence))
    have = f"{judged.reproduction.value}: {judged.reproduction_reason}"
    yield Finding("reproduction", have, "", ())


def _reasons(evidence: Iterable[Evidence]) -> tuple[Reason, ...]:
    return tuple(Reason(e.source, e.where, e.weight, e.excerpt) for e in evidence)
