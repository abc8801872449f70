"""The guard: one test on each side of every fence."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from nightshift.effects.guard import BODY_CHARACTERS, Guard
from nightshift.effects.values import (
    AddLabels,
    ClosePullRequest,
    EditPullRequest,
    Effect,
    FileChange,
    MarkReady,
    OpenPullRequest,
    PostComment,
    PushCommit,
    PushFix,
    RerunFailedJobs,
)
from nightshift.errors import Defect
from nightshift.values import Identity

FIX = PushFix("ours", "0" * 40, (FileChange("a", b""),), "m", Identity("n", "e"), datetime.now(UTC))
COMMENT = PostComment(7, "hello <!-- m -->", "final", "<!-- m -->")
ALLOWED: list[Effect] = [
    AddLabels(7, ("Bug", "NEW")),
    AddLabels(7, ()),
    COMMENT,
    PostComment(7, "/ok to test", "trigger", ""),
    PushCommit("ours", "0" * 40, None),
    FIX,
    OpenPullRequest("ours", "dev", "t", "b"),
    EditPullRequest(7, "b" * BODY_CHARACTERS),
    ClosePullRequest(7),
    MarkReady(7, "PR_7"),
    RerunFailedJobs(3),
]
FORBIDDEN: list[tuple[Effect, str]] = [
    (AddLabels(8, ("bug",)), "number"),
    (AddLabels(-7, ("bug",)), "number"),
    (AddLabels(7, ("bug", "high priority")), "label"),
    (AddLabels(7, ("bugs",)), "label"),
    (PostComment(8, "<!-- m -->", "final", "<!-- m -->"), "number"),
    (PostComment(7, "<!-- m -->", "free text", "<!-- m -->"), "template"),
    (PostComment(7, "hello", "final", "<!-- m -->"), "marker"),
    (PostComment(7, "x" * (BODY_CHARACTERS + 1), "final", ""), "length"),
    (PushCommit("main", "0" * 40, None), "branch"),
    (PushCommit("ours/2", "0" * 40, None), "branch"),
    (OpenPullRequest("theirs", "dev", "t", "b"), "branch"),
    (OpenPullRequest("ours", "dev", "t", "x" * (BODY_CHARACTERS + 1)), "length"),
    (EditPullRequest(8, "b"), "number"),
    (EditPullRequest(7, "b" * (BODY_CHARACTERS + 1)), "length"),
    (ClosePullRequest(8), "number"),
    (MarkReady(8, "PR_8"), "number"),
]
GUARD = Guard(
    kinds=frozenset(type(effect) for effect in ALLOWED),
    issues=frozenset({7}),
    labels=frozenset({"bug", "new"}),
    templates=frozenset({"final", "trigger"}),
    branches=frozenset({"ours"}),
)


def test_what_is_allowed_passes() -> None:
    GUARD.check(ALLOWED)


@pytest.mark.parametrize("effect, why", FORBIDDEN)
def test_what_is_outside_is_a_defect(effect: Effect, why: str) -> None:
    with pytest.raises(Defect, match=rf"\({why}\)"):
        GUARD.check([*ALLOWED, effect])


@pytest.mark.parametrize("effect", ALLOWED, ids=lambda effect: type(effect).__name__)
def test_a_kind_that_is_not_named_is_a_defect(effect: Effect) -> None:
    guard = Guard(
        kinds=GUARD.kinds - {type(effect)},
        issues=GUARD.issues,
        labels=GUARD.labels,
        templates=GUARD.templates,
        branches=GUARD.branches,
    )
    with pytest.raises(Defect, match=r"\(kind\)"):
        guard.check([effect])


def test_none_means_all_but_an_empty_set_means_nothing() -> None:
    kinds = frozenset({AddLabels})
    Guard(kinds).check([AddLabels(12, ("anything",))])
    with pytest.raises(Defect):
        Guard(kinds, labels=frozenset()).check([AddLabels(12, ("anything",))])
    with pytest.raises(Defect):
        Guard(kinds, issues=frozenset()).check([AddLabels(12, ())])


@pytest.mark.parametrize(
    "branch, allowed",
    [
        ("sync/2026-03-02", True),
        ("sync/2026-03-02-2", True),
        ("other/2026-03-02", True),
        ("xsync/2026-03-02", False),
        ("sync/2026-03-02/x", False),
        ("sync/now", False),
        ("", False),
    ],
)
def test_a_pattern_of_branches_holds_for_the_whole_name(branch: str, allowed: bool) -> None:
    pattern = "sync/[0-9-]+|other/[0-9-]+"
    guard = Guard(
        frozenset({PushCommit}), branch_pattern=pattern, protected=frozenset({"sync/now"})
    )
    if allowed:
        guard.check([PushCommit(branch, "c", None)])
    else:
        with pytest.raises(Defect):
            guard.check([PushCommit(branch, "c", None)])


def test_a_protected_branch_is_never_allowed() -> None:
    guard = Guard(
        frozenset({PushCommit}),
        branches=frozenset({"main"}),
        branch_pattern=".*",
        protected=frozenset({"main"}),
    )
    guard.check([PushCommit("mains", "c", None)])
    with pytest.raises(Defect):
        guard.check([PushCommit("main", "c", None)])


def test_all_faults_are_named_at_once() -> None:
    with pytest.raises(Defect) as caught:
        GUARD.check([ClosePullRequest(8), PushCommit("main", "0" * 40, None)])
    assert "#8" in caught.value.what and "main" in caught.value.what
