"""How a phase waits: never past the deadline, and nothing is begun after it."""

from __future__ import annotations

from datetime import timedelta

from nightshift.effects.values import ClosePullRequest
from nightshift.outcome import Outcome
from nightshift.step import Done, Wait
from nightshift.sync.facts import SyncFacts, SyncRequest
from nightshift.sync.round import Round
from support.clock import START
from support.night import POLICY, Night


def at(seconds: float) -> Round:
    request = SyncRequest(START, START + timedelta(seconds=100))
    facts = SyncFacts(Night().candidate())
    return Round(facts, POLICY, request, START + timedelta(seconds=seconds))


def test_a_wait_is_cut_to_the_deadline() -> None:
    effect = ClosePullRequest(1)
    assert at(0).then(30, "why", effect).then == Wait(30, "why")
    assert at(90).then(30, "why", effect).then == Wait(10, "why")
    assert at(90).then(30, "why", effect).effects == (effect,)


def test_after_it_nothing_is_begun() -> None:
    step = at(100).then(30, "why", ClosePullRequest(1))
    assert not step.effects
    assert step.then == Done(Outcome.TIMED_OUT, "the deadline came: why")
    assert at(100).poll("why", late=Outcome.NEEDS_HUMAN).then == Done(
        Outcome.NEEDS_HUMAN, "the deadline came: why"
    )


def test_a_poll_keeps_policys_pace() -> None:
    assert POLICY.ci.poll_seconds == 120
    request = SyncRequest(START, START + timedelta(days=1))
    now = Round(SyncFacts(Night().candidate()), POLICY, request, START)
    assert now.poll("why").then == Wait(120, "why")
    assert now.date == "2026-03-02"
