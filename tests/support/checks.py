"""Short ways to write checks and rollups."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from nightshift.values import Check, CheckKind, Rollup

SHA = "a" * 40
START = datetime(2026, 1, 1, tzinfo=UTC)


def at(minutes: float) -> datetime:
    """A time, in minutes after the start of the world."""
    return START + timedelta(minutes=minutes)


def run(
    name: str,
    conclusion: str = "SUCCESS",
    *,
    status: str = "COMPLETED",
    minute: float | None = 0,
    job: int | None = 1,
    **more: Any,
) -> Check:
    """A check run of an Actions job."""
    return Check(
        CheckKind.RUN,
        name,
        status,
        conclusion if status == "COMPLETED" else "",
        started_at=None if minute is None else at(minute),
        job_id=job,
        **more,
    )


def running(name: str, **more: Any) -> Check:
    """A check run that has not ended."""
    return run(name, status="IN_PROGRESS", **more)


def context(name: str, state: str = "SUCCESS", *, minute: float | None = 0, **more: Any) -> Check:
    """A status context of another system."""
    return Check(
        CheckKind.CONTEXT,
        name,
        "",
        state,
        started_at=None if minute is None else at(minute),
        **more,
    )


def rollup(*checks: Check, sha: str = SHA) -> Rollup:
    """All checks of a commit."""
    return Rollup(sha, checks)
