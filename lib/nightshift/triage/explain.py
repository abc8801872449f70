"""A decision with the evidence that made it, as plain text for a terminal or a log.

Foreign words are shown in quotes, without control characters; nothing else of an issue is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nightshift.triage.values import Decision, Judgement
from nightshift.triage.weigh import Evidence


def explain(decision: Decision) -> str:
    """The decision, step by step, with which words in which zone weighed how."""
    return "\n".join(_lines(decision)) + "\n"


def _lines(decision: Decision) -> Iterator[str]:
    judged = decision.judgement
    yield f"#{decision.number}: {decision.outcome.value}"
    yield f"  add labels: {', '.join(decision.add_labels) or 'none'}"
    yield f"  comment: {decision.comment or 'none'}"
    yield from (f"  - {reason}" for reason in decision.reasons)
    scope = "in scope" if judged.in_scope else "out of scope"
    yield from _part(f"scope: {scope} ({judged.scope})", judged.scope_evidence)
    yield from _part(f"team: {judged.team.label} ({judged.team.confidence})", judged.team.evidence)
    for verdict in judged.modules:
        yield from _part(f"{verdict.label} ({verdict.confidence})", verdict.evidence)
    yield from _part(
        f"type: {judged.kind}{' (speed)' if judged.speed else ''}", judged.kind_evidence
    )
    yield from _priority(judged)
    yield f"  reproduction: {judged.reproduction} ({judged.reproduction_reason})"


def _priority(judged: Judgement) -> Iterator[str]:
    if not judged.criteria:
        yield "  high priority: no"
    for verdict in judged.criteria:
        yield from _part(f"high priority: {verdict.label}", verdict.evidence)


def _part(title: str, evidence: Iterable[Evidence]) -> Iterator[str]:
    yield f"  {title}"
    for item in evidence:
        words = f' "{printable(item.excerpt)}"' if item.excerpt else ""
        yield f"    {item.weight:+6.2f}  {item.source} in {item.where}{words}"


def printable(text: str) -> str:
    """Foreign text without anything that a terminal or a log would act on."""
    clean = "".join(char if char.isprintable() else "\ufffd" for char in text)
    return clean.replace("::", ":\u200b:")
