"""The fence of a sync run: branches of ours only, whatever was decided."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightshift.effects.values import (
    AddLabels,
    Effect,
    OpenPullRequest,
    PostComment,
    PushCommit,
    PushFix,
)
from nightshift.errors import Defect
from nightshift.policy.sync import SyncPolicy
from nightshift.sync.guard import sync_guard
from nightshift.values import Identity
from support.clock import START

POLICY = SyncPolicy.model_validate(
    {"mode": "sync", "branch": "main2dev/{date}", "pull-request": {"labels": ["run all"]}}
)


def allowed(*effects: Effect, branch: str = "") -> bool:
    try:
        sync_guard(POLICY, branch).check(effects)
    except Defect:
        return False
    return True


def pushes(branch: str) -> list[Effect]:
    fix = PushFix(branch, "a", (), "m", Identity("n", "e"), START)
    return [PushCommit(branch, "a", None), fix, OpenPullRequest(branch, "dev", "t", "b")]


@pytest.mark.parametrize(
    "branch", ["main2dev/01_12_2026", "main2dev/2026-12-01", "main2dev/2026-12-01-2"]
)
def test_branches_of_policys_pattern_of_any_day(branch: str) -> None:
    assert all(allowed(effect) for effect in pushes(branch))


@pytest.mark.parametrize(
    "branch",
    [
        "main",
        "dev",
        "",
        "pull-request/12",
        "main2dev",
        "main2dev/",
        "main2dev/1/2",
        "xmain2dev/1",
        "main2dev/1\n",
        "main2dev/1 2",
        "refs/heads/main2dev/1",
        "main2dev/" + "1" * 99,
    ],
)
def test_no_other_branch(branch: str) -> None:
    assert not any(allowed(effect) for effect in pushes(branch))


def test_the_branch_of_the_input_and_its_second_of_the_day() -> None:
    for branch in ("mine/x", "mine/x-2", "main2dev/2026-12-01"):
        assert allowed(PushCommit(branch, "a", None), branch="mine/x")
    for branch in ("mine/y", "mine/x/y", "mineyx"):
        assert not allowed(PushCommit(branch, "a", None), branch="mine/x")


def test_source_and_target_are_never_pushed_whatever_the_pattern() -> None:
    policy = SyncPolicy.model_validate({"mode": "sync", "branch": "{date}", "target": "dev"})
    for branch in ("main", "dev"):
        with pytest.raises(Defect):
            sync_guard(policy).check([PushCommit(branch, "a", None)])


def test_labels_and_comments_of_policy_alone() -> None:
    assert allowed(AddLabels(1, ("Run all",)), PostComment(1, "/ok to test a", "trigger", ""))
    assert not allowed(AddLabels(1, ("approved",)))
    assert not allowed(PostComment(1, "hello", "chat", ""))


@given(st.text(max_size=30))
def test_no_text_gets_through_that_does_not_fit(branch: str) -> None:
    fits = branch.startswith("main2dev/") and branch.isascii() and branch.isprintable()
    assert not allowed(PushCommit(branch, "a", None)) or fits
