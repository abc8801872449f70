"""Whether and when a failed request is sent again. Pure; `client` does the waiting.

A request that only reads, or whose repetition changes nothing more, is repeated whatever failed.
Any other write is repeated only where it is certain that nothing was done: a limit, or a connection
that never stood. Where its answer was lost, only who wants the effect can find out by reading.
"""

from __future__ import annotations

from nightshift.adapters.github.failures import Transient

ATTEMPTS = 5
BACKOFF = (1.0, 2.0, 4.0, 8.0)
LONGEST_PAUSE = 900.0
"""Seconds. A limit that lasts longer ends the call; the run is repeated, not kept waiting."""


def pause(failure: Exception, attempt: int, *, repeatable: bool) -> float | None:
    """The seconds to wait before the next attempt; None where there is to be none.

    :param attempt: the number of the attempt that failed, from 1.
    """
    if not isinstance(failure, Transient) or attempt >= ATTEMPTS:
        return None
    if failure.lost and not repeatable:
        return None
    seconds = BACKOFF[attempt - 1]
    if failure.pause is not None:
        seconds = max(failure.pause, seconds)
    return seconds if seconds <= LONGEST_PAUSE else None
