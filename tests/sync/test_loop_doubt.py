"""The loop and what it does not take on trust: the rollup's word on a sentinel, many failures that
are one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from nightshift.values import Check, Rollup, Standing
from support.hub import Job
from support.night import Night

IMPORT = "ImportError: cannot import name 'nowhere' from 'pkg.ops' (/w/pkg/ops.py)"
TEST = "FAILED tests/test_{n}.py::test_sum - ImportError: cannot import name 'nowhere'"


def doubting(night: Night, until: float, runs: Sequence[str]) -> None:
    """REST has other conclusions of the sentinel than the rollup, for so many minutes."""
    told = night.hub.check_runs

    def check_runs(sha: str, name: str) -> Sequence[Check]:
        found = told(sha, name)
        if night.clock.monotonic() >= 60 * until:
            return found
        return [replace(found[0], conclusion=conclusion) for conclusion in runs]

    night.hub.check_runs = check_runs  # type: ignore[method-assign]


@pytest.mark.parametrize("runs", [("FAILURE",), ("SUCCESS", "FAILURE"), ("SKIPPED",), ()])
def test_a_sentinel_of_which_rest_says_something_else_is_waited_on(runs: Sequence[str]) -> None:
    night = Night()
    doubting(night, 30, runs)
    ended = night.run()
    assert ended.outcome == "ready"
    assert night.clock.monotonic() > 30 * 60
    assert any("REST does not say the same of: Gate" in line for line in ended.runner.lines)


def test_and_named_when_time_is_up() -> None:
    night = Night()
    doubting(night, 10**6, ["FAILURE"])
    ended = night.run(hours=1)
    assert ended.outcome == "timed-out"
    assert "REST does not say the same of: Gate" in ended.reason
    assert night.hub.pulls[night.pull].draft


def test_a_head_that_the_api_shows_late_is_not_marked_ready() -> None:
    """A person pushes; the API goes on showing the old head, which is green."""
    night = Night(lambda files: [Job("unit", "FAILURE" if "BAD" in files else "SUCCESS", IMPORT)])
    told, shown = night.hub.standing, list[Standing]()

    def late(number: int) -> Standing:
        standing = told(number)
        if "BAD" not in night.git.files(standing.head):
            shown[:] = [standing]
            return standing
        old = shown[0]
        green = replace(standing, head=old.head, rollup=night.hub.rollup(old.head))
        return replace(green, pull=replace(standing.pull, head_sha=old.head))

    night.hub.standing = late  # type: ignore[method-assign]
    night.clock.at(1, lambda: night.person_pushes({"BAD": "x"}))
    ended = night.run(hours=1)
    assert ended.outcome == "timed-out"
    assert "has moved on" in ended.reason
    assert night.hub.pulls[night.pull].draft


def test_a_branch_that_the_api_does_not_show_yet_is_not_taken_for_deleted() -> None:
    night = Night()
    told, hidden = night.hub.standing, [3]

    def late(number: int) -> Standing:
        standing = told(number)
        hidden[0] -= 1
        if hidden[0] < 0:
            return standing
        return replace(standing, head="", rollup=Rollup("", ()))

    night.hub.standing = late  # type: ignore[method-assign]
    assert night.run().outcome == "ready"
    assert hidden[0] < 0


def test_rest_is_asked_when_all_is_green_and_not_before() -> None:
    night = Night(lambda _: [Job("unit", seconds=3600)])
    assert night.run().outcome == "ready"
    assert night.switch.names.count("check_runs") == 1


def test_one_cause_of_many_checks_is_told_once() -> None:
    def plan(_: Mapping[str, str]) -> Sequence[Job]:
        return [
            Job(f"tests {n}", "FAILURE", f"E   {IMPORT}\n{TEST.format(n=n)}\n") for n in range(40)
        ]

    night = Night(plan)
    assert night.run(hours=1).outcome == "needs-human"
    (comment,) = night.said("Failed checks")
    assert comment.count("```text") == 1
    assert "and 37 more" in comment
    assert comment.count("cannot import name") == 1
