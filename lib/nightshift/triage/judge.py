"""The rubric applied: sums of evidence to a judgement, with the evidence that made it.

Deterministic and explainable: the same text and policy give the same judgement. Decides nothing
about labels; that is `decide`'s.
"""

from __future__ import annotations

from collections.abc import Sequence

from nightshift.policy.triage import Module, Scale, Team, TriagePolicy
from nightshift.triage import reproduction
from nightshift.triage.signals import find
from nightshift.triage.text import read
from nightshift.triage.values import Confidence, Judgement, Kind, Verdict
from nightshift.triage.weigh import NOTHING, Evidence, Sum, Sums, weigh
from nightshift.values import Issue

SHOWN = 6
"""Pieces of evidence that are kept with each judgement."""

ON_THE_ISSUE = "label"


def judge(issue: Issue, policy: TriagePolicy) -> Judgement:
    """Read an issue with the policy's rubric."""
    document = read(issue, policy)
    sums = weigh(find(document, policy), policy)
    present = {label.lower() for label in issue.labels}
    kind, kind_evidence = _kind(sums)
    have, reason = reproduction.judge(document, kind, sums)
    in_scope, sure, scope_evidence = _scope(sums, policy, present)
    return Judgement(
        in_scope=in_scope,
        scope=sure,
        scope_evidence=scope_evidence,
        team=_team(sums, policy, present),
        modules=_modules(sums, policy, present),
        kind=kind,
        kind_evidence=kind_evidence,
        speed=kind is not Kind.BUG and sums.of("speed").total >= policy.scale.medium / 2,
        criteria=_criteria(sums, policy, kind),
        reproduction=have,
        reproduction_reason=reason,
    )


def _scope(
    sums: Sums, policy: TriagePolicy, present: set[str]
) -> tuple[bool, Confidence, tuple[Evidence, ...]]:
    scale = policy.scale
    modules = [
        _module_sum(sums, module, present, scale)
        for module in policy.modules
        if module.proves_scope
    ]
    teams = [sums.of(team.label) for team in policy.teams]
    strongest = max([*modules, *teams], key=lambda item: item.total)
    said, against = sums.of("in-scope"), sums.of("out-of-scope")
    inside = said.total + strongest.total
    distance = inside - max(against.total, scale.scope)
    evidence = _strongest(said, strongest, *([against] if against.total else []))
    return distance >= 0, _sure(abs(distance), scale.margin), evidence


def _sure(distance: float, margin: float) -> Confidence:
    if distance < margin:
        return Confidence.LOW
    return Confidence.MEDIUM if distance < 3 * margin else Confidence.HIGH


def _team(sums: Sums, policy: TriagePolicy, present: set[str]) -> Verdict:
    """The team on the issue, else the strongest; the first in precedence where several are
    close."""
    on_issue = [team for team in policy.teams if team.label.lower() in present]
    if on_issue:
        return Verdict(on_issue[0].label, Confidence.HIGH, (Evidence(ON_THE_ISSUE, "issue", 0.0),))
    scores = {team.label: _team_sum(team, sums, policy, present) for team in policy.teams}
    best = max(item.total for item in scores.values())
    if best < policy.scale.medium / 2:
        return Verdict(policy.default_team, Confidence.LOW)
    margin = policy.scale.margin
    chosen = next(label for label, item in scores.items() if best - item.total <= margin)
    others = max((item.total for label, item in scores.items() if label != chosen), default=0.0)
    distance = scores[chosen].total - others
    return Verdict(chosen, _sure(distance, margin), _strongest(scores[chosen]))


def _team_sum(team: Team, sums: Sums, policy: TriagePolicy, present: set[str]) -> Sum:
    """What speaks for a team itself, and its strongest module that is not merely touched."""
    scores = {m.label: _module_sum(sums, m, present, policy.scale) for m in policy.modules}
    own = sums.of(team.label)
    modules = [
        scores[module.label]
        for module in policy.modules
        if module.team == team.label and not _yields(module, scores, policy.scale)
    ]
    best = max(modules, key=lambda item: item.total, default=NOTHING)
    return _added(own, best) if best.total > 0 else own


def _added(one: Sum, other: Sum) -> Sum:
    return Sum(
        one.total + other.total,
        one.subject + other.subject,
        one.title + other.title,
        (*one.evidence, *other.evidence),
    )


def _module_sum(sums: Sums, module: Module, present: set[str], scale: Scale) -> Sum:
    """A module's sum; a label that somebody has put on the issue is evidence of its own."""
    own = sums.of(module.label)
    if module.label.lower() not in present:
        return own
    label = Evidence(ON_THE_ISSUE, "issue", scale.high)
    return _added(Sum(scale.high, scale.high, 0.0, (label,)), own)


def _modules(sums: Sums, policy: TriagePolicy, present: set[str]) -> tuple[Verdict, ...]:
    scale = policy.scale
    scores = {m.label: _module_sum(sums, m, present, scale) for m in policy.modules}
    top = max(scores.values(), key=lambda item: item.total, default=NOTHING)
    found: list[tuple[float, Verdict]] = []
    for module in policy.modules:
        score = scores[module.label]
        if score.total < scale.medium / 2:
            continue
        stands = _stands(score, top, scale) and not _yields(module, scores, scale)
        least = scale.medium * (scale.alone if _is_alone(module.label, scores, scale) else 1.0)
        sure = _module_confidence(score, least, scale.high) if stands else Confidence.LOW
        found.append((score.total, Verdict(module.label, sure, _strongest(score))))
    found.sort(key=lambda item: -item[0])
    return tuple(verdict for _, verdict in found)


def _stands(score: Sum, top: Sum, scale: Scale) -> bool:
    """Whether a module stands beside the strongest one: as the subject too, not only in passing."""
    share = scale.share
    if score.title >= max(scale.medium, share * top.title):
        return True
    return score.total >= share * top.total and score.subject >= share * top.subject


def _yields(module: Module, scores: dict[str, Sum], scale: Scale) -> bool:
    """Whether a module that nearly every issue touches stands behind one that is the subject."""
    own = scores[module.label]
    others = [scores[label] for label in module.yields_to if label in scores]
    return any(
        other.total >= scale.medium and own.subject < other.subject + scale.margin
        for other in others
    )


def _is_alone(label: str, scores: dict[str, Sum], scale: Scale) -> bool:
    """Whether no other module comes near."""
    near = scale.share * scores[label].total
    return all(other.total < near for name, other in scores.items() if name != label)


def _module_confidence(score: Sum, medium: float, high: float) -> Confidence:
    if score.total >= high:
        return Confidence.HIGH
    return Confidence.MEDIUM if score.total >= medium else Confidence.LOW


def _kind(sums: Sums) -> tuple[Kind, tuple[Evidence, ...]]:
    """A bug unless more speaks for a request; a feature unless more speaks for an enhancement."""
    bug, request = sums.of("bug"), sums.of("request")
    feature, enhancement = sums.of("feature"), sums.of("enhancement")
    if request.total <= max(bug.total, 0.0):
        return Kind.BUG, _strongest(bug)
    if enhancement.total > feature.total:
        return Kind.ENHANCEMENT, _strongest(request, enhancement)
    return Kind.FEATURE, _strongest(request, feature)


def _criteria(sums: Sums, policy: TriagePolicy, kind: Kind) -> tuple[Verdict, ...]:
    scale = policy.scale
    return tuple(
        Verdict(item.name, Confidence.HIGH, _strongest(sums.of(item.name)))
        for item in policy.criteria
        if (kind is Kind.BUG or item.of_requests) and sums.of(item.name).total >= scale.criterion
    )


def _strongest(*parts: Sum) -> tuple[Evidence, ...]:
    evidence: Sequence[Evidence] = [item for part in parts for item in part.evidence if item.weight]
    return tuple(sorted(evidence, key=lambda item: -abs(item.weight))[:SHOWN])
