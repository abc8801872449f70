"""Which issues of a run are written to, within the budget. Pure; the order of issues is kept.

An issue whose decision writes nothing costs no slot: high-priority issues wait for people without
the marker, so a sweep meets them again each night, and they must not starve the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

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
