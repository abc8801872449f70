"""The gate: a status-check rollup and the policy give a verdict. Pure, and never green by accident.

It knows no time but the one in the checks, and asks nobody. Rules: sync.md, phases 3 and 4.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from nightshift.policy.patterns import compiled
from nightshift.policy.sync import CiRules
from nightshift.sync.checks import CheckKey, Normal, Place, newest
from nightshift.values import CheckKind, Rollup


class State(StrEnum):
    """What the gate says."""

    WAITING = "waiting"
    FAILED = "failed"
    GREEN = "green"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the checks of one commit amount to.

    :param pending: not completed yet, those that are required and never reported among them.
    :param missing: names that have never reported: absent sentinels, expected contexts.
    :param accepted: failures proved to be the target's own, with the sentinels they explain.
    :param needs_maintainer: skipped jobs for which a sentinel failed: a person's to start.
    :param note: why the verdict is not what the lists alone say; "" where it is.
    """

    state: State
    sha: str
    failed: tuple[Normal, ...] = ()
    pending: tuple[Normal, ...] = ()
    missing: tuple[str, ...] = ()
    passed: tuple[Normal, ...] = ()
    exempt: tuple[Normal, ...] = ()
    accepted: tuple[Normal, ...] = ()
    needs_maintainer: tuple[str, ...] = ()
    note: str = ""

    @property
    def seen(self) -> bool:
        """Whether any check that counts has appeared at all."""
        return any((self.failed, self.pending, self.passed, self.accepted))


OTHER_SHA = "The checks are of another commit."
NO_SHA = "The checks do not say which commit they are of."
NO_CHECKS = "No check that counts has appeared."
DOUBTED = "REST does not say the same of: {names}."
MOVED = "The branch has moved on from the commit that GitHub shows."


def judge(
    rollup: Rollup,
    sha: str,
    rules: CiRules,
    accepted: Collection[CheckKey] = (),
    retried_at: datetime | None = None,
) -> Verdict:
    """The verdict on a rollup.

    :param sha: the head that counts; checks of another commit are waited for.
    :param accepted: checks whose failure is proved to be the target's own.
    :param retried_at: when CI was asked to run again on this commit; older failures are ignored.
    """
    verdict = _sort(rollup, rules, retried_at)
    verdict = _accept(verdict, rules, frozenset(accepted))
    if rollup.sha != sha:
        note = OTHER_SHA if rollup.sha else NO_SHA
        return replace(verdict, state=State.WAITING, note=note)
    if not verdict.seen:
        return replace(verdict, state=State.WAITING, note=NO_CHECKS)
    return replace(verdict, state=_state(verdict, rules))


def doubt(verdict: Verdict, why: str) -> Verdict:
    """The verdict where another source says something else: it is waited on."""
    return replace(verdict, state=State.WAITING, note=why)


def is_exempt(item: Normal, rules: CiRules) -> bool:
    """Whether a check does not count: its name starts as a policy pattern says, or it is an
    external context that policy calls informational. A sentinel always counts."""
    if item.name in rules.sentinels:
        return False
    if item.check.kind is CheckKind.CONTEXT and item.name in rules.informational:
        return True
    name = item.name.encode("utf-8", "replace")
    return any(compiled(pattern).match(name) for pattern in rules.exempt)


def _sort(rollup: Rollup, rules: CiRules, retried_at: datetime | None) -> Verdict:
    items = newest(rollup.checks, retried_at)
    exempt = tuple(item for item in items if is_exempt(item, rules))
    counted = [item for item in items if item not in exempt]
    present = {item.name for item in counted}
    absent = [name for name in rules.sentinels if name not in present]
    expected = [item.name for item in counted if item.place is Place.EXPECTED]
    return Verdict(
        State.WAITING,
        rollup.sha,
        failed=tuple(item for item in counted if item.place is Place.FAILED),
        pending=tuple(item for item in counted if item.place in (Place.PENDING, Place.EXPECTED)),
        missing=tuple(sorted({*absent, *expected})),
        passed=tuple(item for item in counted if item.place is Place.PASSED),
        exempt=exempt,
    )


def _accept(verdict: Verdict, rules: CiRules, accepted: frozenset[CheckKey]) -> Verdict:
    """Moves accepted failures out of `failed`, and the sentinels that fail through them alone."""
    known = tuple(item for item in verdict.failed if _may_accept(item, rules, accepted))
    rest = tuple(item for item in verdict.failed if item not in known)
    if not rest or not all(_sentinel(item, rules) for item in rest):
        return replace(verdict, failed=rest, accepted=known)
    skipped = _waiting_for_maintainer(verdict, rules)
    if skipped or not known:
        return replace(verdict, failed=rest, accepted=known, needs_maintainer=skipped)
    explained = tuple(item for item in rest if item.conclusion == "FAILURE")
    unexplained = tuple(item for item in rest if item not in explained)
    return replace(verdict, failed=unexplained, accepted=(*known, *explained))


def _may_accept(item: Normal, rules: CiRules, accepted: frozenset[CheckKey]) -> bool:
    """A sentinel is never accepted by itself, and what another system reports never at all."""
    return item.key in accepted and not item.external and not _sentinel(item, rules)


def _waiting_for_maintainer(verdict: Verdict, rules: CiRules) -> tuple[str, ...]:
    skipped = {item.name for item in verdict.passed if item.conclusion == "SKIPPED"}
    return tuple(name for name in rules.needs_maintainer if name in skipped)


def _state(verdict: Verdict, rules: CiRules) -> State:
    unfinished = any(_sentinel(item, rules) for item in verdict.pending)
    if unfinished or any(name in rules.sentinels for name in verdict.missing):
        return State.WAITING
    if verdict.failed:
        return State.FAILED
    if verdict.pending or verdict.missing:
        return State.WAITING
    return State.GREEN


def _sentinel(item: Normal, rules: CiRules) -> bool:
    return item.name in rules.sentinels
