"""The night's clock: it moves only when somebody sleeps on it, so that a night takes seconds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

DUSK = datetime(2026, 1, 1, 2, 17, tzinfo=UTC)


class NightClock:
    """A clock for one night; implements `ports.Clock`, and what the sandbox needs of one."""

    def __init__(self) -> None:
        self._seconds = 0.0

    def now(self) -> datetime:
        """The night's time."""
        return DUSK + timedelta(seconds=self._seconds)

    def monotonic(self) -> float:
        """Seconds since dusk."""
        return self._seconds

    def sleep(self, seconds: float) -> None:
        """Let the time pass."""
        self._seconds += seconds
