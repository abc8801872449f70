"""The system's clock, and the one that stands in for it."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest

from nightshift.adapters.clock import SystemClock
from support.clock import SimulatedClock


def test_it_knows_the_zone_and_never_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    clock = SystemClock()
    assert clock.now().utcoffset() == timedelta(0)
    assert clock.monotonic() <= clock.monotonic()
    clock.sleep(-1)
    clock.sleep(2.5)
    assert slept == [0.0, 2.5]


def test_the_simulated_clock_moves_by_sleeping() -> None:
    clock = SimulatedClock()
    before = clock.now()
    clock.sleep(90)
    clock.advance(10)
    assert clock.now() - before == timedelta(seconds=100)
    assert (clock.monotonic(), clock.sleeps) == (100, [90])
