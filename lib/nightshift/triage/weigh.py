"""Findings to sums: how strongly an issue speaks of each target, and which words made the sum.

A zone's strongest signal counts whole, further ones a part: ten names of one API are not ten
proofs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nightshift.policy.triage import Rule, Scale, Signal, TriagePolicy, Zone
from nightshift.triage.roles import Role
from nightshift.triage.signals import Finding, Findings
from nightshift.triage.zones import Voice


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that speaks for (or, with a negative weight, against) a target.

    :param source: the signal's or rule's name.
    :param where: zone and voice in words; "rule" for a rule.
    :param excerpt: the words that were found; foreign text, "" for a rule.
    """

    source: str
    where: str
    weight: float
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class Sum:
    """What speaks of a target, strongest first, and what it comes to.

    :param subject: the part of it that title, cause and error contribute, and rules.
    :param title: the part of it that the title contributes.
    """

    total: float
    subject: float
    title: float
    evidence: tuple[Evidence, ...]


NOTHING = Sum(0.0, 0.0, 0.0, ())
_SUBJECT = frozenset({Zone.TITLE, Zone.CAUSE, Zone.ERROR})


class Sums:
    """The sums of all targets."""

    def __init__(self, sums: Mapping[str, Sum]) -> None:
        self._sums = sums

    def of(self, target: str) -> Sum:
        """A target's sum; zero where nothing speaks of it."""
        return self._sums.get(target, NOTHING)


def weigh(findings: Findings, policy: TriagePolicy) -> Sums:
    """Add up what signals and rules say."""
    groups: dict[str, dict[tuple[Zone, Voice], list[Evidence]]] = {}
    for signal in policy.signals:
        for finding in findings.by_signal.get(signal.name, ()):
            for target, item in _evidence(signal, finding, policy.scale):
                groups.setdefault(target, {}).setdefault((finding.zone, finding.voice), []).append(
                    item
                )
    said: dict[str, list[Evidence]] = {}
    for rule in policy.rules:
        if _holds(rule, findings):
            for target, weight in rule.says.items():
                said.setdefault(target, []).append(Evidence(rule.name, "rule", weight))
    targets = groups.keys() | said.keys()
    more = policy.scale.more
    return Sums({t: _sum(groups.get(t, {}), said.get(t, []), more) for t in targets})


def _evidence(signal: Signal, finding: Finding, scale: Scale) -> Iterator[tuple[str, Evidence]]:
    factor = scale.zones.get(finding.zone, 0.0) * signal.weights.get(finding.zone, 1.0)
    if finding.zone in signal.zones and not scale.zones.get(finding.zone):
        factor = signal.weights.get(finding.zone, 1.0)
    factor *= _role_factor(finding, scale)
    factor *= _voice_factor(signal, finding, scale)
    where = _place(finding)
    for target, weight in signal.says.items():
        yield target, Evidence(signal.name, where, round(weight * factor, 3), finding.excerpt)


def _voice_factor(signal: Signal, finding: Finding, scale: Scale) -> float:
    if finding.voice is Voice.AUTHOR:
        return 1.0
    later = finding.voice is Voice.AUTHOR_LATER
    return signal.comments * (scale.author_comment if later else scale.other_comment)


def _place(finding: Finding) -> str:
    """Zone, voice and role in words."""
    where = finding.zone.value
    if finding.voice is not Voice.AUTHOR:
        where = f"{where} of a {finding.voice}"
    return where if finding.role is Role.NAMED else f"{where}, {finding.role}"


def _role_factor(finding: Finding, scale: Scale) -> float:
    if finding.role is Role.DENIED:
        return scale.denied
    # In a title every word is chosen: what stands beside the subject there is not the subject.
    beside = finding.role is Role.CONTEXT and finding.zone is Zone.TITLE
    return scale.context if beside else 1.0


def _holds(rule: Rule, findings: Findings) -> bool:
    return all(findings.has(c) for c in rule.when) and not any(findings.has(c) for c in rule.unless)


def _sum(
    groups: Mapping[tuple[Zone, Voice], list[Evidence]], said: list[Evidence], more: float
) -> Sum:
    total = subject = sum(item.weight for item in said)
    title = 0.0
    evidence = list(said)
    for (zone, _), items in groups.items():
        part = _group([item.weight for item in items], more)
        total += part
        subject += part if zone in _SUBJECT else 0.0
        title += part if zone is Zone.TITLE else 0.0
        evidence += items
    evidence.sort(key=lambda item: (-abs(item.weight), item.source, item.where))
    return Sum(round(total, 3), round(subject, 3), round(title, 3), tuple(evidence))


def _group(weights: list[float], more: float) -> float:
    """The strongest for and the strongest against count whole, the rest in part."""
    ups = sorted((w for w in weights if w > 0), reverse=True)
    downs = sorted(w for w in weights if w < 0)
    return sum(side[0] + more * sum(side[1:]) for side in (ups, downs) if side)
