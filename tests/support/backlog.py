"""A backlog on the sandbox, and sweeps over it that can be killed at their worst moment."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta

from nightshift.adapters.github.adapter import GitHubAdapter
from nightshift.effects.apply import World, apply
from nightshift.inputs import TriageInputs
from nightshift.sandbox import Sandbox
from nightshift.sandbox.repository import Repository
from nightshift.step import Step
from nightshift.triage.collect import Target
from nightshift.triage.guard import triage_guard
from nightshift.triage.mode import triage_mode
from nightshift.values import Comment
from support.clock import SimulatedClock
from support.triage import (
    DCP_BUG,
    FSDP_BUG,
    FSDP_VAGUE,
    INFRA_BUG,
    MARKER,
    OUT,
    SCOPE,
    TIMEOUT,
    UNCLEAR,
    WISH,
    pytorch,
)
from support.world import FakeRunner

REPOSITORY = "acme/rocket"
KINDS: tuple[tuple[str, str], ...] = (
    FSDP_BUG,
    INFRA_BUG,
    TIMEOUT,
    DCP_BUG,
    FSDP_VAGUE,
    ("FSDP: support complex parameters", WISH + "There is no way to do it today."),
    OUT,
    UNCLEAR,
)
HIDDEN = re.compile(r"<!-- nightshift:triage:\w+ -->")


class Killed(BaseException):
    """The run is gone at once, as by a signal: nothing of it may clean up or report."""


def fill(box: Sandbox, count: int, clock: SimulatedClock, done: int = 0) -> Repository:
    """A repository with open issues of all kinds, each with two comments.

    :param done: how many of the oldest have the marker already.
    """
    made = box.state.add_repository(REPOSITORY)
    for label in (*pytorch().allowed, SCOPE):
        made.add_label(label)
    for number in range(count):
        title, body = KINDS[number % len(KINDS)]
        at = clock.now() - timedelta(hours=count - number)
        labels = [SCOPE, MARKER] if number < done else [SCOPE]
        found = made.add_issue(title, body, author="ann", labels=labels, created_at=at)
        made.comment(found, "I see the same.", by="ben", at=at)
        made.comment(found, "Any news?", by="ann", at=at)
    return made


class Sweeper:
    """Runs sweeps with the real adapter and the real writer."""

    def __init__(self, box: Sandbox, clock: SimulatedClock) -> None:
        self._box, self._clock = box, clock

    def sweep(self, max_issues: int, *, kill_after: int | None = None) -> Step:
        """One sweep.

        :param kill_after: after so many comments the process dies, right after GitHub took the
            last one.
        :raises Killed: it has died.
        """
        inputs = TriageInputs(None, True, max_issues, None, False, None)
        with closing(self._adapter(kill_after)) as github:
            mode = triage_mode(github, pytorch(), Target(inputs))
            step = mode.decide(mode.collect(), self._clock.now())
            world = World(github, self._clock, FakeRunner())
            apply(step.effects, world, triage_guard(pytorch(), inputs), dry_run=False)
        return step

    def _adapter(self, kill_after: int | None) -> GitHubAdapter:
        kind = GitHubAdapter if kill_after is None else _mortal(kill_after)
        return kind(
            token=self._box.token,
            repository=REPOSITORY,
            api_url=self._box.api_url,
            clock=self._clock,
            say=lambda text: None,
        )


def _mortal(kill_after: int) -> type[GitHubAdapter]:
    class Mortal(GitHubAdapter):
        """Dies after some comments."""

        left = kill_after

        def post_comment(self, number: int, body: str) -> Comment:
            posted = super().post_comment(number, body)
            self.left -= 1
            if not self.left:
                raise Killed
            return posted

    return Mortal


def doubled(made: Repository) -> list[int]:
    """The issues on which one of our comments stands twice."""
    return [
        number
        for number, issue in made.issues.items()
        for count in Counter(m for c in issue.comments for m in HIDDEN.findall(c.body)).values()
        if count > 1
    ]


def reads(box: Sandbox) -> int:
    """How many requests of the sandbox's log were reads."""
    return sum(seen.method == "GET" or seen.path.endswith("/graphql") for seen in box.requests)


def most_within(times: Sequence[float], seconds: float) -> int:
    """The most events that fell into any window of so many seconds."""
    return max((sum(start <= t < start + seconds for t in times) for start in times), default=0)
