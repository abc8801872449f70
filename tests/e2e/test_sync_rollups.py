"""Rollups as large and as crooked as they come, each through a whole run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from nightshift.sandbox.ci import NEVER, After, Job, Tree
from support.sync_night import SyncNight, details, gated

COUNT = 250
SHORT = {"deadline_minutes": "12"}


def many(*more: Job) -> Sequence[Job]:
    """Hundreds of contexts of both kinds, over three pages, those given among the last."""
    half = (COUNT - len(more) - 1) // 2
    runs = [Job(f"unit {n}", workflow=f"W{n % 7}") for n in range(half)]
    contexts = [Job(f"far {n}", context=True) for n in range(COUNT - len(more) - 1 - half)]
    return gated(*runs, *contexts, *more)


def test_hundreds_of_contexts_are_read_to_the_last_page(tmp_path: Path) -> None:
    with SyncNight(tmp_path, lambda _: many()) as night:
        assert night.run().outcome == "ready"
        (comment,) = night.said("ready for review")
        assert f"{COUNT - 100} more" in comment


@pytest.mark.parametrize(
    ("last", "outcome", "named"),
    [
        (Job("last", conclusion="failure", log="FAILED t/a.py::t - no\n"), "needs-human", "last"),
        (Job("last", context=True, conclusion="error"), "needs-human", "last"),
        (Job("last", ends=NEVER), "timed-out", "last"),
        (Job("last", context=True, first="expected", ends=NEVER), "timed-out", "last (has not rep"),
        (Job("last", context=True, first="pending", ends=NEVER), "timed-out", "last"),
        (Job("codecov/last", context=True, conclusion="failure"), "ready", ""),
        (Job("last", conclusion="skipped"), "ready", ""),
        (Job("last", conclusion="neutral"), "ready", ""),
        (Job("last", conclusion="action_required"), "needs-human", "last"),
        (Job("last", conclusion="startup_failure"), "needs-human", "last"),
    ],
)
def test_one_among_hundreds_decides(tmp_path: Path, last: Job, outcome: str, named: str) -> None:
    with SyncNight(tmp_path, lambda _: many(last)) as night:
        ran = night.run(**SHORT)
        assert ran.outcome == outcome
        assert named in ran.log
        assert details(night.pull).draft == (outcome != "ready")


def again(night: SyncNight, first: str, second: str, seconds: float = 60) -> None:
    """The same check twice on the head, in two runs of one workflow."""
    made = night.repository
    for conclusion in (first, second):
        run = made.add_run(night.head, "W")
        made.add_check_run(night.head, "twice", run=run, conclusion=conclusion)
        night.clock.advance(seconds)


@pytest.mark.parametrize(
    ("first", "second", "seconds", "outcome"),
    [
        ("failure", "success", 60, "ready"),
        ("cancelled", "success", 60, "ready"),
        ("success", "failure", 60, "needs-human"),
        ("failure", "success", 0, "needs-human"),
        ("success", "failure", 0, "needs-human"),
    ],
)
def test_the_newest_of_two_runs_counts_and_on_a_tie_the_worse(
    tmp_path: Path, first: str, second: str, seconds: float, outcome: str
) -> None:
    with SyncNight(tmp_path, lambda _: many()) as night:
        night.clock.at(0.2, lambda: again(night, first, second, seconds))
        assert night.run(**SHORT).outcome == outcome


def without_sentinel(_: Tree) -> Sequence[Job]:
    return many()[:-1]


def sentinel_late(_: Tree) -> Sequence[Job]:
    return [*many()[:-1], Job("Gate", appears=After(seconds=900), ends=After(seconds=900))]


def sentinel_fails_alone(_: Tree) -> Sequence[Job]:
    return [*many()[:-1], Job("Gate", conclusion="failure")]


def sentinel_collects_a_failure(_: Tree) -> Sequence[Job]:
    return many(Job("broken", conclusion="failure", log="FAILED t/a.py::t - no\n"))


@pytest.mark.parametrize(
    ("plan", "inputs", "outcome", "said"),
    [
        (without_sentinel, SHORT, "timed-out", "Gate (has not reported)"),
        (sentinel_late, {}, "ready", "Gate (has not reported)"),
        (sentinel_fails_alone, SHORT, "needs-human", "Gate"),
        (sentinel_collects_a_failure, SHORT, "needs-human", "broken"),
    ],
)
def test_the_sentinel_decides(
    tmp_path: Path,
    plan: Callable[[Tree], Sequence[Job]],
    inputs: dict[str, str],
    outcome: str,
    said: str,
) -> None:
    with SyncNight(tmp_path, plan) as night:
        ran = night.run(**inputs)
        assert ran.outcome == outcome
        assert said in ran.log


def test_a_sentinel_of_an_old_commit_says_nothing_of_the_head(tmp_path: Path) -> None:
    """A person pushes; the old head's checks were all green, the new one's do not come."""
    asked: list[str] = []

    def plan(tree: Tree) -> Sequence[Job]:
        asked.append(tree.sha)
        slow = [replace(job, ends=After(seconds=900)) for job in many()]
        return slow if len(asked) == 1 else [Job("unit")]

    with SyncNight(tmp_path, plan) as night:
        night.clock.at(4, lambda: night.person_pushes({"by_hand": "x\n"}))
        ran = night.run(deadline_minutes="25")
        assert ran.outcome == "timed-out"
        assert "Gate (has not reported)" in ran.log
        assert len(asked) == 2
        assert details(night.pull).draft
