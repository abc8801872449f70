"""Pushes with real git over HTTP: leases, fixes, lost answers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import cast

import pytest

from nightshift.adapters.git.remote import Remote
from nightshift.adapters.git.repository import GitRepository
from nightshift.effects.applied import ApplyError, Result
from nightshift.effects.apply import World, apply
from nightshift.effects.guard import Guard
from nightshift.effects.values import Effect, FileChange, PushCommit, PushFix
from nightshift.ports import GitHub, Runner
from nightshift.sandbox import Sandbox
from nightshift.sandbox.repository import Repository
from nightshift.values import Identity
from support.clock import SimulatedClock
from support.sandbox import (
    REPOSITORY,
    commit,
    fixture_bare_box,
    fixture_clock,
    fixture_rocket,
    run_git,
)
from support.world import FakeGitHub, FakeRunner

__all__ = ["fixture_bare_box", "fixture_clock", "fixture_rocket"]

GUARD = Guard(frozenset({PushCommit, PushFix}), branches=frozenset({"sync"}))
AT = datetime(2026, 3, 2, tzinfo=UTC)
PUSH = "POST */git-receive-pack"


class Scene:
    """A remote repository, and a world whose git is a clone of it."""

    def __init__(self, box: Sandbox, rocket: Repository, clock: SimulatedClock) -> None:
        self.box, self.rocket = box, rocket
        self.git = GitRepository.of_remote(Remote(box.remote_url(REPOSITORY), box.token))
        github, runner = cast(GitHub, FakeGitHub()), cast(Runner, FakeRunner())
        self.world = World(github, clock, runner, self.git)
        self.main = self.git.resolve("main")

    def apply(self, *effects: Effect) -> list[Result]:
        return [item.result for item in apply(effects, self.world, GUARD, dry_run=False)]

    def head(self) -> str:
        return self.rocket.git.head("sync") or ""

    def ask(self, *arguments: str) -> str:
        return run_git(self.rocket.git.path, *arguments)


def fix(head: str, *changes: FileChange, amend: bool = False) -> PushFix:
    return PushFix("sync", head, changes, "mend it", Identity("N", "n@e.org"), AT, amend)


@pytest.fixture(name="scene")
def _scene(bare_box: Sandbox, rocket: Repository, clock: SimulatedClock) -> Iterator[Scene]:
    commit(rocket, "main", {"a.py": "old\n", "docs/b.md": "b\n"})
    scene = Scene(bare_box, rocket, clock)
    yield scene
    scene.git.close()


def test_a_branch_is_made_once(scene: Scene) -> None:
    effect = PushCommit("sync", scene.main, None)
    assert scene.apply(effect, effect) == [Result.DONE, Result.UNCHANGED]
    assert scene.head() == scene.main


def test_a_fix_and_its_amendment_are_one_commit(scene: Scene) -> None:
    scene.apply(PushCommit("sync", scene.main, None))
    assert scene.apply(fix(scene.main, FileChange("a.py", b"new\n"))) == [Result.DONE]
    first = scene.head()
    effect = fix(first, FileChange("docs/b.md", None), FileChange("c", b"c"), amend=True)
    assert scene.apply(effect) == [Result.DONE]
    assert scene.ask("rev-list", "--count", f"{scene.main}..sync") == "1"
    assert scene.ask("diff", "--name-status", scene.main, "sync").split() == [
        "M", "a.py", "A", "c", "D", "docs/b.md",
    ]  # fmt: skip
    assert scene.ask("show", "-s", "--format=%an %ae %cn %s", "sync") == "N n@e.org N mend it"


def test_a_fix_that_changes_nothing_is_not_pushed(scene: Scene) -> None:
    scene.apply(PushCommit("sync", scene.main, None))
    assert scene.apply(fix(scene.main, FileChange("a.py", b"old\n"))) == [Result.UNCHANGED]
    assert scene.head() == scene.main


def test_a_persons_commit_is_never_overwritten(scene: Scene) -> None:
    scene.apply(PushCommit("sync", scene.main, None))
    persons = commit(scene.rocket, "sync", {"a.py": "a person's\n"})
    effects = (fix(scene.main, FileChange("a.py", b"ours\n")), PushCommit("sync", scene.main, None))
    assert scene.apply(*effects) == [Result.SKIPPED, Result.SKIPPED]
    assert scene.head() == persons


def test_somebody_pushes_between_the_look_and_the_push(scene: Scene) -> None:
    scene.apply(PushCommit("sync", scene.main, None))
    persons: list[str] = []
    scene.box.faults.before(
        PUSH, lambda: persons.append(commit(scene.rocket, "sync", {"a.py": "a person's\n"}))
    )
    results = scene.apply(fix(scene.main, FileChange("a.py", b"ours\n")))
    assert (results, [scene.head()]) == ([Result.SKIPPED], persons)


@pytest.mark.parametrize("after", [True, False])
def test_a_push_whose_answer_is_lost(after: bool, scene: Scene) -> None:
    fault = scene.box.faults.add(PUSH, "reset", after=after)
    assert scene.apply(PushCommit("sync", scene.main, None)) == [Result.DONE]
    assert (scene.head(), fault.struck) == (scene.main, 1)


def test_a_protected_branch_is_an_error_with_its_reason(scene: Scene) -> None:
    scene.rocket.protected.add("sync")
    with pytest.raises(ApplyError) as caught:
        scene.apply(PushCommit("sync", scene.main, None))
    assert getattr(caught.value.cause, "reason", "") == "protected"
    assert caught.value.exit_code == 3
