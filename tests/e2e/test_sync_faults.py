"""A request fails once somewhere in a whole night: the night ends like a calm one, nothing is
written twice. A sample; `make fault-points` tries all of them.

What can never succeed is another matter: it ends the run at once, with cause and remedy.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from nightshift.sandbox.faults import Kind
from support.endurance import Calm, calm, disturbed, eventful, faults, left
from support.sync_night import SyncNight

SAMPLE = 8


@pytest.fixture(name="known", scope="module")
def _known(tmp_path_factory: pytest.TempPathFactory) -> Calm:
    return calm(tmp_path_factory.mktemp("calm"))


@pytest.mark.parametrize("part", range(SAMPLE))
def test_a_night_with_a_fault_ends_like_a_calm_one(tmp_path: Path, known: Calm, part: int) -> None:
    points = list(faults(known))
    fault = points[(2 * part + 1) * len(points) // (2 * SAMPLE)]
    found, log = disturbed(tmp_path, fault)
    assert found == known.left, f"{fault} at {known.requests[fault.number - 1]}\n{log}"


@pytest.mark.parametrize(
    "match",
    [
        "POST */pulls",
        "POST */issues/3/comments",
        "POST */issues/3/labels",
        "POST */rerun-failed-jobs",
        "POST *git-receive-pack",
    ],
)
def test_a_write_whose_answer_is_lost_is_not_made_twice(
    tmp_path: Path, known: Calm, match: str
) -> None:
    with eventful(tmp_path) as night:
        night.box.faults.add(match, "502", after=True)
        ran = night.run()
        assert ran.outcome == "ready", ran.log
        assert left(night) == known.left


def test_a_host_that_is_down_for_minutes_is_waited_for(tmp_path: Path, known: Calm) -> None:
    with eventful(tmp_path) as night:
        fault = night.box.faults.add("POST */graphql", "503", times=17)
        ran = night.run()
        assert ran.outcome == "ready", ran.log
        assert fault.struck == 17
        assert "the host has trouble" in ran.log
        assert left(night) == known.left


@pytest.mark.parametrize(
    ("match", "kind", "said"),
    [
        ("POST */pulls", "403", "pull-requests: write"),
        ("POST */pulls", "422", "Validation Failed"),
        ("POST */pulls", "404", "pull-requests: write"),
        ("POST */comments", "403", "issues: write"),
        ("GET */pulls", "404", "pull-requests: read"),
        ("GET */contents/*", "403", "contents: read"),
        ("GET */check-runs", "403", "checks: read"),
    ],
)
def test_what_is_refused_for_good_ends_at_once_with_cause_and_remedy(
    tmp_path: Path, match: str, kind: Kind, said: str
) -> None:
    with SyncNight(tmp_path) as night:
        fault = night.box.faults.add(match, kind, times=100)
        ran = night.run()
        assert (ran.code, ran.outcome) == (3, "failed"), ran.log
        assert said in ran.log
        assert fault.struck == 1, "a refusal is not asked for again"
