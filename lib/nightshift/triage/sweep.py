"""Which issues of a run are written to, within the budget. Pure; the order of issues is kept.

An issue whose decision writes nothing costs no slot: high-priority issues wait for people without
the marker, so a sweep meets them again each night, and they must not starve the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from nightshift.effects.applied import Applied
from nightshift.effects.values import AddLabels, PostComment
from nightshift.policy.triage import TriagePolicy
from nightshift.triage.decide import decide, skip_reason
from nightshift.triage.values import Decision
from nightshift.values import Issue


@dataclass(frozen=True, slots=True)
class Batch:
    """What a run does and what it leaves.

    :param chosen: decisions to carry out, with their issues, in order.
    :param settled: how many issues have all that their decision wants already.
    :param skipped: how many were left alone, by reason.
    :param remainder: numbers of issues that would be written to, had the budget been larger.
    """

    chosen: tuple[tuple[Issue, Decision], ...]
    settled: int
    skipped: Mapping[str, int]
    remainder: tuple[int, ...]


def plan(
    issues: Iterable[Issue], policy: TriagePolicy, now: datetime, max_issues: int, *, force: bool
) -> Batch:
    """Decide every issue, choose as many as the budget lets."""
    chosen: list[tuple[Issue, Decision]] = []
    skipped: Counter[str] = Counter()
    remainder: list[int] = []
    settled = comments = 0
    for issue in issues:
        reason = skip_reason(issue, policy, force=force)
        if reason:
            skipped[reason] += 1
            continue
        decision = decide(issue, policy, now, force=force)
        if not decision.writes:
            settled += 1
            continue
        if len(chosen) >= max_issues or (
            decision.comment and comments >= policy.sweep.max_comments
        ):
            remainder.append(issue.number)
            continue
        comments += bool(decision.comment)
        chosen.append((issue, decision))
    return Batch(tuple(chosen), settled, dict(skipped), tuple(remainder))


def cut(batch: Batch, applied: Iterable[Applied]) -> tuple[Batch, tuple[int, ...]]:
    """A batch of which only a part was written.

    :returns: the batch with what was not reached in its remainder, and the numbers of issues that
        got their labels but not their comment.
    """
    effects = [item.effect for item in applied]
    labelled = {effect.number for effect in effects if isinstance(effect, AddLabels)}
    answered = {effect.number for effect in effects if isinstance(effect, PostComment)}
    reached = labelled | answered
    done = tuple((issue, said) for issue, said in batch.chosen if issue.number in reached)
    left = tuple(issue.number for issue, _ in batch.chosen if issue.number not in reached)
    halves = tuple(i.number for i, said in done if said.comment and i.number not in answered)
    return replace(batch, chosen=done, remainder=(*left, *batch.remainder)), halves
