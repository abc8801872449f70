"""GitHub's limits: requests an hour for a token, and content writes a minute and an hour.

Counted on the sandbox's clock, so that a simulated night meets them as a real one does.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from datetime import datetime, timedelta

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@dataclass(slots=True)
class RateLimit:
    """The primary limit: so many requests in an hour's window."""

    limit: int = 5000
    used: int = 0
    resets_at: datetime | None = None

    def spend(self, now: datetime) -> bool:
        """Count a request; False where the window's are used up."""
        if self.resets_at is None or now >= self.resets_at:
            self.used, self.resets_at = 0, now + HOUR
        self.used += 1
        return self.used <= self.limit

    @property
    def remaining(self) -> int:
        """What is left of the window."""
        return max(self.limit - self.used, 0)


@dataclass(slots=True)
class WriteLimit:
    """The secondary limit on content: a burst of writes is refused until it is a while ago.

    :param minute: writes a minute; :param hour: writes an hour.
    """

    minute: int = 80
    hour: int = 500
    _writes: deque[datetime] = field(default_factory=deque)

    def spend(self, now: datetime) -> int:
        """Count a write; seconds to wait where it is refused, else 0."""
        while self._writes and now - self._writes[0] >= HOUR:
            self._writes.popleft()
        for size, span in ((self.minute, MINUTE), (self.hour, HOUR)):
            recent = [time for time in self._writes if now - time < span]
            if len(recent) >= size:
                return max(int((recent[0] + span - now).total_seconds()), 1)
        self._writes.append(now)
        return 0
