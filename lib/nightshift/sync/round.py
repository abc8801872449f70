"""What a phase of the sync loop looks at, and how it waits. No phase itself, no wording of
reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from nightshift.effects.values import Effect
from nightshift.outcome import Outcome
from nightshift.policy.sync import SyncPolicy
from nightshift.step import Done, Step, Wait
from nightshift.sync.facts import Ci, OurPull, SyncFacts, SyncRequest

LAG_SECONDS = 5.0
"""GitHub shows what was just written a little later."""

DEADLINE = "the deadline came: {why}"


@dataclass(frozen=True, slots=True)
class Round:
    """One round: the facts, and what decides on them."""

    facts: SyncFacts
    policy: SyncPolicy
    request: SyncRequest
    now: datetime

    @property
    def our(self) -> OurPull:
        """The pull request that stands; for phases that come after it was opened."""
        assert self.facts.current is not None
        return self.facts.current

    @property
    def number(self) -> int:
        """Its number."""
        return self.our.pull.number

    @property
    def ci(self) -> Ci:
        """Its checks; for phases that come after CI was asked to run."""
        assert self.facts.ci is not None
        return self.facts.ci

    @property
    def date(self) -> str:
        """The day of the run, as policy writes it."""
        return self.request.started.strftime(self.policy.date_format)

    def then(
        self,
        seconds: float,
        why: str,
        *effects: Effect,
        late: Outcome = Outcome.TIMED_OUT,
        notice: bool = False,
    ) -> Step:
        """Effects, then another round after some seconds; the end where the deadline has come.

        :param late: how it ends then. Nothing new is begun in that case.
        :param notice: whether people should see the reason without reading the log.
        """
        left = (self.request.deadline - self.now).total_seconds()
        if left <= 0:
            return Step((), Done(late, DEADLINE.format(why=why)))
        return Step(effects, Wait(min(seconds, left), why, notice))

    def poll(
        self,
        why: str,
        *effects: Effect,
        late: Outcome = Outcome.TIMED_OUT,
        notice: bool = False,
    ) -> Step:
        """Effects, then another look at the pace that policy allows."""
        return self.then(self.policy.ci.poll_seconds, why, *effects, late=late, notice=notice)


Phase = Callable[[Round], Step | None]
"""What to do now; None: nothing for this phase, ask the next."""


def end(outcome: Outcome, reason: str, *effects: Effect) -> Step:
    """Effects, then the end."""
    return Step(effects, Done(outcome, reason))
