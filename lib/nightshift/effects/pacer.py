"""How fast GitHub may be written to. Pure decision; who writes does the waiting.

Source of the limits: docs.github.com, "Best practices for using the REST API" (a second between
writes) and "Rate limits for the REST API" (80 content-creating requests a minute, 500 an hour).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

LIMITS: tuple[tuple[int, float], ...] = ((1, 1.0), (80, 60.0), (500, 3600.0))
"""(how many writes, in so many seconds)"""

_MOST = max(count for count, _ in LIMITS)


def seconds_to_wait(now: float, writes: Sequence[float]) -> float:
    """How long the next write must wait.

    :param writes: when the writes of the last hour were made, oldest first, on the clock of `now`.
    """
    return max(
        [
            0.0,
            *(writes[-count] + window - now for count, window in LIMITS if len(writes) >= count),
        ]
    )


class Pacer:
    """The writes of a run, as far as they still count."""

    def __init__(self) -> None:
        self._writes: deque[float] = deque(maxlen=_MOST)

    def wait(self, now: float) -> float:
        """Seconds until the next write is welcome."""
        return seconds_to_wait(now, self._writes)

    def wrote(self, now: float) -> None:
        """Count a write, or an attempt at one."""
        self._writes.append(now)
