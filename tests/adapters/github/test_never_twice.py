"""Writer and adapter together against the sandbox, with faults: whatever fails, nothing is doubled.

Each write fails once in each way, before and after the deed was done; the clock is simulated.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest

from nightshift.adapters.github.adapter import GitHubAdapter
from nightshift.effects.applied import ApplyError, Result
from nightshift.effects.apply import World, apply
from nightshift.effects.guard import Guard
from nightshift.effects.values import (
    AddLabels,
    ClosePullRequest,
    EditPullRequest,
    Effect,
    MarkReady,
    OpenPullRequest,
    PostComment,
    RerunFailedJobs,
)
from nightshift.ports import Runner
from nightshift.sandbox import After, Job, Sandbox
from nightshift.sandbox.faults import Kind
from nightshift.sandbox.repository import Repository
from support.clock import SimulatedClock
from support.sandbox import REPOSITORY, commit, push
from support.world import FakeRunner

MARK = "<!-- mark -->"
GUARD = Guard(
    frozenset({AddLabels, ClosePullRequest, EditPullRequest, MarkReady, OpenPullRequest,
               PostComment, RerunFailedJobs}),
    templates=frozenset({"t"}),
    branches=frozenset({"sync"}),
)  # fmt: skip
ISSUE, PULL = 1, 2
LABELS, COMMENTS, PULLS, GRAPHQL, RERUN = (
    "POST */labels", "POST */comments", "POST */pulls", "POST */graphql", "POST */rerun-failed-jobs"
)  # fmt: skip

# How a request fails, and whether its deed was done. A limit does nothing.
FAULTS: list[tuple[Kind, bool]] = [
    ("500", False), ("500", True), ("502", True), ("503", False), ("reset", False),
    ("reset", True), ("graphql-error", True), ("secondary", False), ("429", False),
    ("rate-limit", False),
]  # fmt: skip


class Scene:
    """A repository with an issue, a branch to offer, a draft, and a run that failed."""

    def __init__(self, box: Sandbox, rocket: Repository, clock: SimulatedClock) -> None:
        self.box, self.rocket, self.clock = box, rocket, clock
        for name in ("bug", "new"):
            rocket.add_label(name)
        rocket.add_issue("t", labels=["bug"])
        commit(rocket, "work", {"a": "b"}, parent="main")
        rocket.add_pull("t", "old", head="work", base="main", draft=True)
        head = commit(rocket, "seed", {"c": "d"}, parent="main")
        job = Job("flaky", conclusion="failure", starts=After(), ends=After())
        box.ci.on_push([job], branch="sync")
        push(box, rocket, head, "sync")
        self.github = GitHubAdapter(
            token=box.token, repository=REPOSITORY, api_url=box.api_url, clock=clock, timeout=3
        )
        self.world = World(self.github, clock, cast(Runner, FakeRunner()))
        self.run = self.github.rollup(head).checks[0].run_id or 0
        self.node_id = self.github.pull_request(PULL).node_id

    def apply(self, *effects: Effect) -> list[Result]:
        done = apply(effects, self.world, GUARD, dry_run=False)
        return [item.result for item in done]

    def whole_run(self) -> tuple[Effect, ...]:
        return (
            AddLabels(ISSUE, ("bug", "new")),
            PostComment(ISSUE, f"hello {MARK}", "t", MARK),
            PostComment(PULL, "/ok to test", "t", ""),
            OpenPullRequest("sync", "main", "title", "body"),
            EditPullRequest(PULL, "new body"),
            RerunFailedJobs(self.run),
            MarkReady(PULL, self.node_id),
            ClosePullRequest(PULL),
        )

    def state(self) -> dict[str, object]:
        """The end that every run must reach."""
        issue, pull = self.rocket.issues[ISSUE], self.rocket.issues[PULL]
        pulls = [one for one in self.rocket.issues.values() if one.pull]
        assert pull.pull is not None
        return {
            "labels": [label.name for label in issue.labels],
            "label events": len(issue.events),
            "comments": [comment.body for comment in issue.comments],
            "commands": [comment.body for comment in pull.comments],
            "pulls": [(one.pull.head_ref, one.title) for one in pulls if one.pull],
            "body": pull.body,
            "draft": pull.pull.draft,
            "open": pull.open,
            "attempt": self.rocket.runs[self.run].attempt,
        }


END = {
    "labels": ["bug", "new"],
    "label events": 2,
    "comments": [f"hello {MARK}"],
    "commands": ["/ok to test"],
    "pulls": [("work", "t"), ("sync", "title")],
    "body": "new body",
    "draft": False,
    "open": False,
    "attempt": 2,
}


@pytest.fixture(name="scene")
def _scene(bare_box: Sandbox, rocket: Repository, clock: SimulatedClock) -> Iterator[Scene]:
    scene = Scene(bare_box, rocket, clock)
    yield scene
    scene.github.close()


def test_without_faults(scene: Scene) -> None:
    assert scene.apply(*scene.whole_run()) == [Result.DONE] * 8
    assert scene.state() == END


def test_a_second_run_changes_nothing_but_what_is_a_command(scene: Scene) -> None:
    scene.apply(*scene.whole_run())
    again = [effect for effect in scene.whole_run() if not isinstance(effect, RerunFailedJobs)]
    del again[2]
    labels = [isinstance(effect, AddLabels) for effect in again]
    results = scene.apply(*again)
    # Labels are added without a look: the endpoint only adds, so that nothing can be doubled.
    assert [result is Result.DONE for result in results] == labels
    assert {result for result in results if result is not Result.DONE} == {Result.UNCHANGED}
    assert scene.state() == END


@pytest.mark.parametrize("kind, done", FAULTS)
def test_every_request_fails_once(kind: Kind, done: bool, scene: Scene) -> None:
    """Each endpoint and method fails once; reads fail as writes do."""
    faults = []
    for match in (LABELS, COMMENTS, PULLS, RERUN, "PATCH *", "GET */pulls", "GET */labels",
                  "GET */pulls/2", "GET */runs/*"):  # fmt: skip
        if kind != "graphql-error":
            faults.append(scene.box.faults.add(match, kind, after=done))
    for _ in range(3):
        faults.append(scene.box.faults.add(GRAPHQL, kind, after=done))
    assert set(scene.apply(*scene.whole_run())) == {Result.DONE}
    assert scene.state() == END
    assert {fault.struck for fault in faults} == {1}


@pytest.mark.parametrize("match", [LABELS, COMMENTS, PULLS, GRAPHQL, RERUN, "PATCH *"])
def test_no_answer_comes(match: str, scene: Scene) -> None:
    scene.github.close()
    scene.github = GitHubAdapter(
        token=scene.box.token, repository=REPOSITORY, api_url=scene.box.api_url,
        clock=scene.clock, timeout=1.5,
    )  # fmt: skip
    scene.world = World(scene.github, scene.clock, cast(Runner, FakeRunner()))
    fault = scene.box.faults.add(match, "timeout", after=True)
    assert set(scene.apply(*scene.whole_run())) == {Result.DONE}
    assert scene.state() == END
    assert fault.struck == 1


def test_what_github_asks_for_is_waited(scene: Scene) -> None:
    scene.box.faults.add(COMMENTS, "secondary", retry_after=77)
    scene.apply(PostComment(ISSUE, f"hello {MARK}", "t", MARK))
    assert 77 in scene.clock.sleeps


@pytest.mark.parametrize(
    "match, effect",
    [(LABELS, AddLabels(ISSUE, ("new",))), (COMMENTS, PostComment(ISSUE, MARK, "t", MARK))],
)
def test_a_limit_that_lasts_too_long_ends_the_call(
    match: str, effect: Effect, scene: Scene
) -> None:
    fault = scene.box.faults.add(match, "secondary", retry_after=5000, times=9)
    with pytest.raises(ApplyError) as caught:
        scene.apply(effect)
    assert (caught.value.exit_code, fault.struck) == (3, 1)
    assert max(scene.clock.sleeps, default=0) < 5000


@pytest.mark.parametrize("kind", ["401", "403", "404", "422"])
def test_a_permanent_refusal_is_tried_once(kind: Kind, scene: Scene) -> None:
    scene.box.faults.add(COMMENTS, kind, times=9)
    before = len(scene.box.requests)
    with pytest.raises(ApplyError):
        scene.apply(AddLabels(ISSUE, ("new",)), PostComment(ISSUE, MARK, "t", MARK))
    posts = [seen for seen in scene.box.requests[before:] if seen.path.endswith("/comments")]
    assert len(posts) == 1
    assert scene.state()["labels"] == ["bug", "new"]


def test_trouble_that_does_not_end_is_an_error_and_not_a_second_comment(scene: Scene) -> None:
    scene.box.faults.add(COMMENTS, "502", times=99)
    with pytest.raises(ApplyError):
        scene.apply(PostComment(ISSUE, MARK, "t", MARK))
    posts = [seen for seen in scene.box.requests if seen.path.endswith("/comments")]
    assert len(posts) == 3 and not scene.rocket.issues[ISSUE].comments


def test_a_locked_issue_is_skipped(scene: Scene) -> None:
    scene.rocket.issues[ISSUE].locked = True
    done = scene.apply(AddLabels(ISSUE, ("new",)), PostComment(ISSUE, MARK, "t", MARK))
    assert done == [Result.DONE, Result.SKIPPED]


def test_an_issue_that_went_away_meanwhile_is_skipped(scene: Scene) -> None:
    scene.rocket.issues[ISSUE].gone = "deleted"
    done = scene.apply(AddLabels(ISSUE, ("new",)), PostComment(ISSUE, MARK, "t", MARK))
    assert done == [Result.SKIPPED] * 2


def test_a_branch_that_github_does_not_know_yet(scene: Scene) -> None:
    """A pull request is offered a moment before the host knows the branch that was just pushed."""
    scene.rocket.git.set_ref("refs/heads/late", scene.rocket.git.head("sync") or "")
    guard = Guard(frozenset({OpenPullRequest}), branches=frozenset({"later"}))
    scene.box.faults.before(
        "GET */pulls",
        lambda: scene.box.faults.before(
            "GET */pulls",
            lambda: scene.rocket.git.set_ref(
                "refs/heads/later", scene.rocket.git.head("sync") or ""
            ),
        ),
    )
    (done,) = apply([OpenPullRequest("later", "main", "t", "b")], scene.world, guard, dry_run=False)
    assert done.result is Result.DONE
