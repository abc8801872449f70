"""A clock that moves only when somebody sleeps on it, or when it is told to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

START = datetime(2026, 3, 2, 4, 5, 6, tzinfo=UTC)


class SimulatedClock:
    """`ports.Clock` without waiting. `sleeps` keeps what was slept, in order."""

    def __init__(self, start: datetime = START) -> None:
        self._start = start
        self._seconds = 0.0
        self.sleeps: list[float] = []

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._seconds)

    def monotonic(self) -> float:
        return self._seconds

    def sleep(self, seconds: float) -> None:
        assert seconds >= 0
        self.sleeps.append(seconds)
        self._seconds += seconds

    def advance(self, seconds: float) -> None:
        """Let time pass without anybody having slept."""
        self._seconds += seconds
