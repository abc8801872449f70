"""The pace of writes: no window of a limit ever holds more writes than it may."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nightshift.effects.pacer import LIMITS, Pacer, seconds_to_wait


def test_the_first_write_waits_for_nothing() -> None:
    assert Pacer().wait(0.0) == 0.0


def test_a_second_lies_between_two_writes() -> None:
    assert seconds_to_wait(10.25, [10.0]) == 0.75
    assert seconds_to_wait(11.0, [10.0]) == 0.0


def test_the_eighty_first_write_of_a_minute_waits() -> None:
    writes = [number * 0.5 for number in range(80)]
    assert seconds_to_wait(50.0, writes) == 10.0


def test_the_five_hundred_first_write_of_an_hour_waits() -> None:
    writes = [float(number) for number in range(500)]
    assert seconds_to_wait(2000.0, writes) == 1600.0


@given(st.lists(st.floats(0, 30), min_size=1, max_size=700))
def test_limits_are_kept(idle: list[float]) -> None:
    pacer, now, times = Pacer(), 0.0, []
    for seconds in idle:
        now += seconds
        now += pacer.wait(now)
        pacer.wrote(now)
        times.append(now)
    for count, window in LIMITS:
        for first, after in zip(times, times[count:]):
            assert after - first >= window - 1e-6
