"""One normal form for check runs and status contexts, and the newest entry of each check.

Says what each word of GitHub's means, in one table; decides nothing about a pull request (gate.py
does).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum

from nightshift.values import Check, CheckKind

CheckKey = tuple[str, str]
"""What makes two entries the same check: (workflow, name)."""

COMPLETED = "COMPLETED"
IN_PROGRESS = "IN_PROGRESS"


class Place(IntEnum):
    """Where an entry stands. The order is that of ties: the higher one is assumed."""

    PASSED = 0
    FAILED = 1
    PENDING = 2
    EXPECTED = 3  # required, and never reported: pending, but nothing is known to run


# (what the word is, the word) -> its place. A status or state that is not here is pending, a
# conclusion that is not here has failed: whatever GitHub adds, it is never green by accident.
TABLE: dict[tuple[str, str], Place] = {
    ("status", "QUEUED"): Place.PENDING,
    ("status", "IN_PROGRESS"): Place.PENDING,
    ("status", "WAITING"): Place.PENDING,
    ("status", "PENDING"): Place.PENDING,
    ("status", "REQUESTED"): Place.PENDING,
    ("conclusion", "SUCCESS"): Place.PASSED,
    ("conclusion", "SKIPPED"): Place.PASSED,
    ("conclusion", "NEUTRAL"): Place.PASSED,
    ("conclusion", "FAILURE"): Place.FAILED,
    ("conclusion", "CANCELLED"): Place.FAILED,
    ("conclusion", "TIMED_OUT"): Place.FAILED,
    ("conclusion", "ACTION_REQUIRED"): Place.FAILED,
    ("conclusion", "STALE"): Place.FAILED,
    ("conclusion", "STARTUP_FAILURE"): Place.FAILED,
    ("conclusion", ""): Place.FAILED,
    ("state", "SUCCESS"): Place.PASSED,
    ("state", "FAILURE"): Place.FAILED,
    ("state", "ERROR"): Place.FAILED,
    ("state", "PENDING"): Place.PENDING,
    ("state", "EXPECTED"): Place.EXPECTED,
}


@dataclass(frozen=True, slots=True)
class Normal:
    """An entry in its normal form.

    :param status: COMPLETED, or a word for "not yet"; `conclusion` is "" until then.
    """

    name: str
    status: str
    conclusion: str
    place: Place
    check: Check

    @property
    def key(self) -> CheckKey:
        """The check that this is an entry of."""
        return (self.check.workflow, self.name)

    @property
    def external(self) -> bool:
        """Whether another system reported it: it has no log here, and nobody here can run it
        again."""
        return self.check.job_id is None


def normal(check: Check) -> Normal:
    """An entry's normal form, whatever its kind and the case of its words."""
    if check.kind is CheckKind.CONTEXT:
        return _normal_context(check)
    status = check.status.upper()
    if status != COMPLETED:
        place = TABLE.get(("status", status), Place.PENDING)
        known = status if ("status", status) in TABLE else IN_PROGRESS
        return Normal(check.name, known, "", place, check)
    conclusion = check.conclusion.upper()
    place = TABLE.get(("conclusion", conclusion), Place.FAILED)
    return Normal(check.name, COMPLETED, conclusion, place, check)


def newest(checks: Iterable[Check], retried_at: datetime | None = None) -> tuple[Normal, ...]:
    """The newest entry of each check, by name.

    Where two started at the same time, or one does not say when, the worse of them is taken: order
    in the list is not time. A check run and a status context of one name are two checks.

    :param retried_at: when CI was asked to run again on this commit; a failure that started before
        is not the retry's and counts as pending.
    """
    groups: dict[tuple[str, str, str], list[Normal]] = {}
    for check in checks:
        item = _of_retry(normal(check), retried_at)
        groups.setdefault((item.name, check.workflow, check.kind.value), []).append(item)
    return tuple(_newest_of(groups[key]) for key in sorted(groups))


def _normal_context(check: Check) -> Normal:
    state = check.conclusion.upper()
    place = TABLE.get(("state", state), Place.PENDING)
    if place is Place.PASSED:
        return Normal(check.name, COMPLETED, "SUCCESS", place, check)
    if place is Place.FAILED:
        return Normal(check.name, COMPLETED, "FAILURE", place, check)
    return Normal(check.name, IN_PROGRESS, "", place, check)


def _of_retry(item: Normal, retried_at: datetime | None) -> Normal:
    if retried_at is None or item.place is not Place.FAILED:
        return item
    started = item.check.started_at
    if started is not None and started >= retried_at:
        return item
    return Normal(item.name, IN_PROGRESS, "", Place.PENDING, item.check)


def _newest_of(entries: list[Normal]) -> Normal:
    times = [item.check.started_at for item in entries if item.check.started_at is not None]
    latest = max(times, default=None)
    rivals = [item for item in entries if item.check.started_at in (None, latest)]
    return max(rivals, key=_by_place)


def _by_place(item: Normal) -> tuple[int, int, str]:
    """The worst entry; among equals always the same one, whatever their order was."""
    return (item.place, item.check.job_id or 0, repr(item.check))
