"""The loop and time: deadlines, silence, long waits, GitHub's lag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from nightshift.values import PullRequest, Standing
from support.hub import Job
from support.night import Night


def test_the_deadline_ends_a_wait_and_says_what_was_waited_for() -> None:
    night = Night(lambda _: [Job("unit", seconds=10**6), Job("lint")])
    ended = night.run(hours=2)
    assert (ended.code, ended.outcome) == (1, "timed-out")
    assert "unit" in ended.reason and "Gate" in ended.reason
    assert night.clock.monotonic() <= 2 * 3600 + 1
    assert "lint" in ended.runner.summaries[0]
    assert night.hub.pulls[night.pull].draft


def test_nothing_is_begun_after_the_deadline() -> None:
    night = Night()
    ended = night.run(hours=0)
    assert ended.outcome == "timed-out"
    assert not night.git.pushes and not night.hub.writes


def test_a_check_that_never_reports_is_told_from_one_that_runs() -> None:
    def plan(_: Mapping[str, str]) -> Sequence[Job]:
        must = Job("must", "EXPECTED", context=True, required=True)
        return [Job("unit"), must, Job("may", "EXPECTED", context=True)]

    ended = Night(plan).run(hours=1)
    assert ended.outcome == "timed-out"
    assert "must (required, has not reported)" in ended.reason
    assert "may (has not reported)" in ended.reason


def test_silence_is_noticed() -> None:
    night = Night()
    night.hub.starts_ci = False
    ended = night.run(hours=1)
    assert ended.outcome == "timed-out"
    assert "may the token start CI" in ended.reason
    notices = [line for line in ended.runner.lines if line.startswith("notice: no check has")]
    assert len(notices) == 1
    assert len(night.said("/ok to test")) == 1


def test_a_wait_of_six_hours_reads_little_and_writes_nothing() -> None:
    night = Night(lambda _: [Job(f"unit {n}", seconds=6 * 3600 - 300) for n in range(100)])
    assert night.run(hours=6).outcome == "ready"
    polls = 6 * 3600 / 120
    calls = Counter(name.partition(" ")[0] for name in night.switch.names)
    assert sum(calls.values()) <= polls + 30
    assert calls["standing"] <= polls + 6
    assert len(night.hub.writes) == 6


def test_polls_are_never_faster_than_policy_says() -> None:
    night = Night(lambda _: [Job("unit", seconds=3600)])
    night.run()
    waits = [seconds for seconds in night.clock.sleeps if seconds > 5]
    assert waits and all(seconds == 120 for seconds in waits)


def test_a_pull_request_that_shows_late_is_opened_once() -> None:
    night = Night()
    list_pulls, hidden = night.hub.pull_requests, [3]

    def late(*, base: str, state: str = "open", limit: int = 100) -> list[PullRequest]:
        found = list(list_pulls(base=base, state=state, limit=limit))
        if found and hidden[0] and limit == 100:
            hidden[0] -= 1
            return []
        return found

    night.hub.pull_requests = late  # type: ignore[method-assign]
    assert night.run().outcome == "ready"
    assert len([what for what in night.hub.writes if what.startswith("open")]) == 1


def test_a_push_that_shows_late_on_the_pull_request_is_waited_for() -> None:
    night = Night(lambda files: [Job("unit")] if "FIX" in files else [Job("unit", seconds=10**6)])
    read, stale = night.hub.standing, [4]

    def late(number: int) -> Standing:
        standing = read(number)
        if "FIX" in night.git.files(standing.head) and stale[0]:
            stale[0] -= 1
            parent = night.git.commit(standing.head).parents[0]
            return replace(standing, pull=replace(standing.pull, head_sha=parent))
        return standing

    night.hub.standing = late  # type: ignore[method-assign]
    night.clock.at(30, lambda: night.person_pushes({"FIX": "x\n"}))
    ended = night.run()
    assert ended.outcome == "ready"
    assert stale == [0]
    assert any("does not show the pushed commit" in line for line in ended.runner.lines)
