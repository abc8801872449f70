"""The system's clock: the only place that asks for the time, and the only one that sleeps."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class SystemClock:
    """`ports.Clock` on the machine's own clocks."""

    def now(self) -> datetime:
        """The wall time, in UTC, with its zone."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait; a negative time is none."""
        time.sleep(max(seconds, 0.0))
