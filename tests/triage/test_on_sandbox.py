"""Sweeps over a backlog on the sandbox, with the real adapter and the real writer."""

from __future__ import annotations

import pytest

from nightshift.effects.values import PostComment
from nightshift.sandbox import Sandbox
from nightshift.triage.comments import mark
from support.backlog import Killed, Sweeper, doubled, fill, reads
from support.clock import SimulatedClock
from support.triage import MARKER, pytorch

TEMPLATES = (pytorch().templates.out_of_scope, pytorch().templates.reproduction)


@pytest.mark.parametrize("kill_after", [1, 3, 7])
def test_a_killed_sweep_is_resumed_without_a_doubled_comment(kill_after: int) -> None:
    clock = SimulatedClock()
    with Sandbox(clock=clock) as box:
        made = fill(box, 40, clock)
        sweeper = Sweeper(box, clock)
        with pytest.raises(Killed):
            sweeper.sweep(100, kill_after=kill_after)
        assert sum(
            mark(t) in c.body for t in TEMPLATES for i in made.issues.values() for c in i.comments
        ) == (kill_after)
        sweeper.sweep(100)
        assert not doubled(made)
        left = sweeper.sweep(100)
        assert left.effects == ()
        for issue in made.issues.values():
            assert issue.has_label(MARKER) or issue.has_label("triage review")
            assert issue.open and issue.has_label("oncall: distributed")
    assert not box.errors


def test_nights_of_a_small_budget_reach_the_whole_backlog() -> None:
    clock = SimulatedClock()
    with Sandbox(clock=clock) as box:
        made = fill(box, 40, clock)
        sweeper = Sweeper(box, clock)
        nights = 0
        while sweeper.sweep(15).effects:
            nights += 1
            assert nights < 5
        assert nights == 3 and not doubled(made)


def test_only_comments_cost_a_read_of_their_own() -> None:
    clock = SimulatedClock()
    with Sandbox(clock=clock) as box:
        fill(box, 400, clock)
        effects = Sweeper(box, clock).sweep(100).effects
        comments = sum(isinstance(effect, PostComment) for effect in effects)
        assert len(effects) - comments == 100 and 0 < comments <= pytorch().sweep.max_comments
        assert reads(box) - comments <= 400 / 25


def test_the_backlog_is_read_in_batches() -> None:
    clock = SimulatedClock()
    with Sandbox(clock=clock) as box:
        fill(box, 100, clock, done=100)
        Sweeper(box, clock).sweep(100)
        assert len(box.requests) <= 100 / 25
