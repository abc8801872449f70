"""One write that must not be made twice: look if it is there, write, look again if in doubt.

The answer to a write may be lost though the write was made. Then only reading tells: it is waited a
little, for what was written may show late, and looked at again before the next attempt.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from nightshift.effects.applied import Applied, Result
from nightshift.effects.world import World
from nightshift.errors import HostError

PAUSES = (5.0, 20.0, 60.0)
"""Seconds between an attempt that failed and the look that follows it."""

LIMIT = "limit"
"""The reason of a limit of the host, which was waited for already."""

Look = Callable[[], Applied | None]
"""What is there already of an effect; None where it is still to be done."""
Write = Callable[[], Applied]


def settle(look: Look, write: Write, world: World, *, paced: bool = True) -> Applied:
    """Make sure of an effect with at most one success of `write`.

    :param look: is called before every attempt, and reads afresh each time.
    :param paced: whether the write counts for GitHub's limits.
    :raises UserError: from `look` or `write`.
    :raises HostError: a refusal, or the last failure where all attempts came to nothing.
    """
    there = look()
    if there is not None:
        return there
    for pause in PAUSES:
        try:
            if paced:
                world.pace()
            return write()
        except HostError as error:
            if not error.transient or error.reason == LIMIT:
                raise
            lost = error
        world.clock.sleep(pause)
        there = look()
        if there is not None:
            return _ours(there)
    raise lost


def _ours(there: Applied) -> Applied:
    """What was not there before and is there now came of the write whose answer was lost."""
    return replace(there, result=Result.DONE) if there.result is Result.UNCHANGED else there
