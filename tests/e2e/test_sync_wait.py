"""A wait of six hours, polled every two minutes: what it costs in requests and memory."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from pathlib import Path

from werkzeug.wrappers import Request, Response

from nightshift.sandbox.ci import After, Job, Tree
from support.sync_night import SyncNight, gated

POLL = 120
WAIT = 6 * 3600
BESIDE = 20
GROWTH = 500
"""Objects that may come to stay in hours of polling: what is cached on the way, no more."""


def slow(_: Tree) -> Sequence[Job]:
    """A hundred contexts, most of which take all of the time."""
    ends = After(seconds=WAIT)
    return gated(*(Job(f"unit {n}", ends=ends if n % 9 else After(1)) for n in range(99)))


class Meter:
    """Counts requests from the moment at which CI is asked to run."""

    def __init__(self, night: SyncNight) -> None:
        self._night = night
        self.api = self.git = 0
        self.objects: list[int] = []

    def __call__(self, request: Request, _: Response) -> None:
        if request.path.endswith("/comments") and not self.api:
            self.api = 1
        elif self.api and request.path.startswith("/api/"):
            self.api += 1
        elif self.api:
            self.git += 1

    def weigh(self) -> None:
        """How many objects there are, but for what the sandbox itself writes down."""
        self._night.box.requests.clear()
        gc.collect()
        self.objects.append(len(gc.get_objects()))


def test_a_wait_of_six_hours_costs_one_request_a_poll_and_no_memory(tmp_path: Path) -> None:
    with SyncNight(tmp_path, slow) as night:
        meter = Meter(night)
        night.box.observers.append(meter)
        for hour in range(1, 6):
            night.clock.at(60 * hour, meter.weigh)
        started = night.clock.monotonic()
        ran = night.run(deadline_minutes="400")
        assert ran.outcome == "ready"
        polls = int((night.clock.monotonic() - started) / POLL)
        assert polls >= WAIT / POLL
        assert meter.api <= polls + BESIDE, f"{meter.api} requests in {polls} polls"
        assert meter.git <= BESIDE
        assert meter.objects[-1] - meter.objects[0] < GROWTH, meter.objects
        heartbeats = [line for line in ran.log.splitlines() if "waiting for" in line]
        assert WAIT / 600 - 5 <= len(heartbeats) <= WAIT / 600 + 5
        print(f"{meter.api} requests to the API and {meter.git} to git in {polls} polls")
