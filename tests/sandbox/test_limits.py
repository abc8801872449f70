"""GitHub's limits, on a clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from nightshift.sandbox.limits import RateLimit, WriteLimit

NOW = datetime(2026, 3, 2, tzinfo=UTC)


def test_the_window_starts_with_its_first_request_and_begins_anew() -> None:
    rate = RateLimit(limit=2)
    assert [rate.spend(NOW) for _ in range(3)] == [True, True, False]
    assert rate.remaining == 0 and rate.resets_at == NOW + timedelta(hours=1)
    assert not rate.spend(NOW + timedelta(minutes=59))
    assert rate.spend(NOW + timedelta(minutes=60))
    assert rate.remaining == 1


def test_a_burst_is_refused_until_its_first_write_is_a_minute_ago() -> None:
    writes = WriteLimit(minute=2, hour=100)
    assert [writes.spend(NOW + timedelta(seconds=n)) for n in (0, 10, 20)] == [0, 0, 40]
    assert writes.spend(NOW + timedelta(seconds=59)) == 1
    assert writes.spend(NOW + timedelta(seconds=60)) == 0
    assert writes.spend(NOW + timedelta(seconds=61)) == 9


def test_a_steady_stream_meets_the_hours_limit() -> None:
    writes = WriteLimit(minute=80, hour=500)
    waits = [writes.spend(NOW + timedelta(seconds=2 * n)) for n in range(501)]
    assert waits[:500] == [0] * 500
    assert waits[500] == 3600 - 1000
