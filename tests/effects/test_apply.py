"""The writer, on a world in memory: what is written, what is not, and never anything twice."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from nightshift.effects.applied import Applied, ApplyError, Result
from nightshift.effects.apply import apply
from nightshift.effects.guard import Guard
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
from nightshift.errors import Defect, HostError, UserError
from nightshift.values import Comment, Entry, Identity
from support.world import LOST, REFUSED, Stage, pull

KINDS = frozenset(
    {
        AddLabels, PostComment, PushCommit, PushFix, OpenPullRequest, EditPullRequest,
        ClosePullRequest, MarkReady, RerunFailedJobs,
    }
)  # fmt: skip
GUARD = Guard(KINDS, templates=frozenset({"t"}), branches=frozenset({"ours"}))
MARK = "<!-- mark -->"
COMMENT = PostComment(1, f"hello {MARK}", "t", MARK)
COMMAND = PostComment(1, "/ok to test", "t", "")
OPEN = OpenPullRequest("ours", "dev", "title", "body")


def fix(*changes: FileChange, amend: bool = False) -> PushFix:
    at = datetime(2026, 3, 2, tzinfo=UTC)
    return PushFix("ours", "head", changes, "mend", Identity("n", "e"), at, amend)


def run(stage: Stage, *effects: Effect, dry_run: bool = False) -> tuple[Applied, ...]:
    return apply(effects, stage.world, GUARD, dry_run=dry_run)


@pytest.fixture(name="stage")
def _stage() -> Stage:
    stage = Stage()
    stage.github.known = frozenset({"Bug", "new", "ci"})
    stage.github.add(1)
    stage.git.remote = {"ours": "head"}
    stage.git.files = {"a.py": Entry("100755", "oid"), "sub": Entry("160000", "oid")}
    return stage


# -- before anything is written


def test_an_effect_outside_of_the_guard_keeps_all_others_from_being_written(stage: Stage) -> None:
    with pytest.raises(Defect):
        run(stage, AddLabels(1, ("bug",)), PushCommit("main", "c", None))
    assert not stage.github.writes and not stage.github.reads


def test_a_label_that_does_not_exist_keeps_all_from_being_written(stage: Stage) -> None:
    with pytest.raises(UserError, match="no label: gone, lost") as caught:
        run(stage, COMMENT, AddLabels(1, ("bug", "gone")), AddLabels(1, ("lost",)))
    assert not isinstance(caught.value, ApplyError)
    assert not stage.github.writes


def test_labels_are_read_once_a_run_and_only_where_they_matter(stage: Stage) -> None:
    run(stage, COMMENT)
    assert "labels" not in stage.github.reads
    run(stage, AddLabels(1, ("bug",)))
    run(stage, AddLabels(1, ("new",)))
    assert stage.github.reads.count("labels") == 1


def test_a_dry_run_checks_and_writes_nothing(stage: Stage) -> None:
    effects = (COMMENT, AddLabels(1, ("bug",)), PushCommit("ours", "c", "head"))
    assert run(stage, *effects, dry_run=True) == tuple(
        Applied(effect, Result.PLANNED) for effect in effects
    )
    assert not stage.github.writes and not stage.git.pushes
    with pytest.raises(UserError):
        run(stage, AddLabels(1, ("gone",)), dry_run=True)


# -- labels


def test_labels_are_added_in_one_request_without_a_look(stage: Stage) -> None:
    effect = AddLabels(1, ("bug", "new", "ci", "NEW"), url="https://example.org/issues/1")
    (done,) = run(stage, effect)
    assert (done.result, done.detail) == (Result.DONE, "added: bug, new, ci")
    assert done.url == "https://example.org/issues/1"
    assert stage.github.writes == [("labels", 1, "bug", "new", "ci")]
    assert stage.github.reads == ["labels"]


def test_labels_that_are_there_already_do_no_harm(stage: Stage) -> None:
    stage.github.add(1, labels=("Bug",))
    run(stage, AddLabels(1, ("bug", "new")))
    assert stage.github.issues[1].labels == ("Bug", "new")


def test_no_labels_at_all_cost_no_write(stage: Stage) -> None:
    (done,) = run(stage, AddLabels(1, ()))
    assert done.result is Result.UNCHANGED and not stage.github.writes


@pytest.mark.parametrize("why", [LOST, HostError("limit.", status=403, reason="limit")])
def test_a_failure_that_is_not_the_issue_s_is_not_looked_into(why: HostError, stage: Stage) -> None:
    stage.github.trouble = [(why, False)]
    with pytest.raises(ApplyError) as caught:
        run(stage, AddLabels(1, ("bug",)))
    assert caught.value.cause is why
    assert stage.github.reads == ["labels"]


def test_a_refusal_that_the_issue_does_not_explain_is_an_error(stage: Stage) -> None:
    stage.github.trouble = [(REFUSED, False)]
    with pytest.raises(ApplyError):
        run(stage, AddLabels(1, ("bug",)))


def test_an_optional_label_that_is_missing_is_reported(stage: Stage) -> None:
    some, none = run(
        stage, AddLabels(1, ("bug", "gone"), optional=True), AddLabels(1, ("lost",), optional=True)
    )
    assert (some.result, some.detail) == (
        Result.DONE,
        "added: bug; the repository lacks: gone",
    )
    assert (none.result, none.detail) == (Result.SKIPPED, "the repository lacks: lost")
    assert stage.github.writes == [("labels", 1, "bug")]


def test_an_issue_takes_a_hundred_labels(stage: Stage) -> None:
    stage.github.add(1, labels=tuple(f"l{number}" for number in range(99)))
    full, fits = run(stage, AddLabels(1, ("bug", "new")), AddLabels(1, ("ci",)))
    assert (full.result, fits.result) == (Result.SKIPPED, Result.DONE)
    assert stage.github.writes == [("labels", 1, "ci")]
    assert stage.runner.annotations[0][0] == "notice"


def test_an_issue_that_went_away_is_skipped(stage: Stage) -> None:
    gone = (AddLabels(2, ("bug",)), PostComment(2, MARK, "t", MARK))
    results = [item.result for item in run(stage, *gone, AddLabels(1, ("bug",)))]
    assert results == [Result.SKIPPED, Result.SKIPPED, Result.DONE]
    assert [text for _, text in stage.runner.annotations] == [
        "#2 was skipped: it does not exist any more, or has moved."
    ] * 2


# -- comments


def test_a_comment_is_posted_once(stage: Stage) -> None:
    first, second = run(stage, COMMENT), run(stage, COMMENT)
    assert (first[0].result, second[0].result) == (Result.DONE, Result.UNCHANGED)
    assert first[0].url == second[0].url == "https://example.org/issues/1#issuecomment-100"
    assert len(stage.github.writes) == 1


def test_a_command_is_posted_each_time_it_is_wanted(stage: Stage) -> None:
    run(stage, COMMAND, COMMAND)
    assert len(stage.github.writes) == 2


@pytest.mark.parametrize("effect", [COMMENT, COMMAND])
def test_a_comment_whose_answer_was_lost_is_not_doubled(effect: PostComment, stage: Stage) -> None:
    stage.github.add(1, comments=(Comment("/ok to test", id=7),))
    stage.github.trouble = [(LOST, True)]
    (done,) = run(stage, effect)
    assert (done.result, len(stage.github.writes)) == (Result.DONE, 1)


@pytest.mark.parametrize("effect", [COMMENT, COMMAND])
def test_a_comment_that_was_not_made_is_tried_again(effect: PostComment, stage: Stage) -> None:
    stage.github.add(1, comments=(Comment("/ok to test", id=7),))
    stage.github.trouble = [(LOST, False)]
    (done,) = run(stage, effect)
    assert (done.result, len(stage.github.writes)) == (Result.DONE, 1)


def test_after_some_attempts_it_is_an_error(stage: Stage) -> None:
    stage.github.trouble = [(LOST, False)] * 9
    with pytest.raises(ApplyError) as caught:
        run(stage, AddLabels(1, ()), COMMENT)
    assert caught.value.cause is LOST and caught.value.exit_code == 3
    assert len(stage.github.written_at) == 3
    assert len(caught.value.applied) == 1


def test_a_locked_issue_takes_labels_but_no_comment(stage: Stage) -> None:
    stage.github.add(1, locked=True)
    results = run(stage, AddLabels(1, ("bug",)), COMMENT, AddLabels(1, ("new",)))
    assert [item.result for item in results] == [Result.DONE, Result.SKIPPED, Result.DONE]
    level, text = stage.runner.annotations[0]
    assert level == "notice" and "#1" in text and "locked" in text


def test_a_token_that_may_comments_on_a_locked_issue(stage: Stage) -> None:
    stage.github.add(1, locked=True)
    stage.github.may_comment_when_locked = True
    assert run(stage, COMMENT)[0].result is Result.DONE


def test_another_403_is_an_error(stage: Stage) -> None:
    stage.github.trouble = [(HostError("no.", status=403), False)]
    with pytest.raises(ApplyError):
        run(stage, COMMENT)


# -- order and errors


def test_the_order_is_kept(stage: Stage) -> None:
    run(stage, AddLabels(1, ("new",)), COMMENT, AddLabels(1, ("bug",)))
    assert [write[0] for write in stage.github.writes] == ["labels", "comment", "labels"]


def test_a_refusal_ends_the_list_and_says_what_was_done(stage: Stage) -> None:
    stage.github.trouble = [(LOST, True), (REFUSED, False)]
    with pytest.raises(ApplyError, match="no") as caught:
        run(stage, COMMENT, AddLabels(1, ("bug",)), RerunFailedJobs(3))
    assert [item.result for item in caught.value.applied] == [Result.DONE]
    assert [write[0] for write in stage.github.writes] == ["comment"]


def test_the_owner_of_an_error_stays(stage: Stage) -> None:
    stage.github.trouble = [(HostError("no.", status=404), False)]
    with pytest.raises(ApplyError) as caught:
        run(stage, RerunFailedJobs(3))
    assert (caught.value.owner, caught.value.exit_code) == ("host", 3)


def test_writes_are_paced_over_all_lists_of_a_run(stage: Stage) -> None:
    for number in range(520):
        stage.github.add(number + 1)
        run(stage, AddLabels(number + 1, ("bug",)))
    times = stage.github.written_at
    assert all(later - sooner >= 1 for sooner, later in zip(times, times[1:]))
    assert times[500] - times[0] >= 3600
    assert any("GitHub's limits" in text for text in stage.runner.said)


# -- branches


def test_a_push_goes_from_where_the_branch_was_seen(stage: Stage) -> None:
    (done,) = run(stage, PushCommit("ours", "commit", "head"))
    assert (done.result, done.detail) == (Result.DONE, "ours is at commit")
    assert stage.git.pushes == [("commit", "ours", "head")]


def test_a_branch_that_is_there_already_is_not_pushed(stage: Stage) -> None:
    (done,) = run(stage, PushCommit("ours", "head", "older"))
    assert done.result is Result.UNCHANGED
    assert not stage.git.pushes


@pytest.mark.parametrize("done_all_the_same", [True, False])
def test_a_push_whose_answer_was_lost(stage: Stage, done_all_the_same: bool) -> None:
    stage.git.trouble = [(LOST, done_all_the_same)]
    (done,) = run(stage, PushCommit("ours", "commit", "head"))
    assert done.result is Result.DONE
    assert stage.git.pushes == [("commit", "ours", "head")]


def test_a_branch_that_has_moved_ends_the_list_without_an_error(stage: Stage) -> None:
    results = run(stage, COMMENT, PushCommit("ours", "commit", "older"), OPEN)
    assert [item.result for item in results] == [Result.DONE, Result.SKIPPED, Result.SKIPPED]
    assert stage.git.remote == {"ours": "head"}
    assert [write[0] for write in stage.github.writes] == ["comment"]
    assert stage.runner.annotations[0][0] == "notice"


def test_a_refused_push_is_an_error(stage: Stage) -> None:
    stage.git.trouble = [(HostError("protected.", reason="protected"), False)]
    with pytest.raises(ApplyError) as caught:
        run(stage, PushCommit("ours", "commit", "head"), OPEN)
    assert isinstance(caught.value.cause, HostError)
    assert caught.value.cause.reason == "protected"


def test_a_fix_is_a_commit_on_the_head(stage: Stage) -> None:
    effect = fix(FileChange("a.py", b"x"), FileChange("new", b"y"), FileChange("no", None))
    (done,) = run(stage, effect)
    ((tree, parents, message, identity, at),) = stage.git.made
    changes = [("a.py", ("100755", b"x")), ("new", ("100644", b"y"))]
    assert tree == f"tree of head with {changes}"
    assert (parents, message, identity, at) == (
        ("head",), "mend", effect.identity, effect.at
    )  # fmt: skip
    assert stage.git.pushes == [(stage.git.remote["ours"], "ours", "head")]
    assert done.result is Result.DONE


def test_a_file_can_be_deleted(stage: Stage) -> None:
    run(stage, fix(FileChange("a.py", None)))
    assert stage.git.made[0][0] == "tree of head with [('a.py', None)]"


def test_an_amended_fix_has_the_parents_of_the_head(stage: Stage) -> None:
    run(stage, fix(FileChange("a.py", b"x"), amend=True))
    assert stage.git.made[0][1] == ("parent of head",)
    assert stage.git.pushes[0][2] == "head"


def test_the_same_fix_again_is_the_same_commit(stage: Stage) -> None:
    effect = fix(FileChange("a.py", b"x"))
    run(stage, effect)
    assert run(stage, effect)[0].result is Result.UNCHANGED
    assert len(stage.git.pushes) == 1


def test_a_fix_that_changes_nothing_makes_no_commit(stage: Stage) -> None:
    (done,) = run(stage, fix(FileChange("no", None)))
    assert done.result is Result.UNCHANGED
    assert not stage.git.made and not stage.git.pushes


def test_a_submodule_is_no_file(stage: Stage) -> None:
    with pytest.raises(ApplyError) as caught:
        run(stage, fix(FileChange("sub", b"x")))
    assert caught.value.exit_code == 70


# -- pull requests


def test_a_pull_request_is_opened_once(stage: Stage) -> None:
    first, second = run(stage, OPEN), run(stage, OPEN)
    assert (first[0].result, second[0].result) == (Result.DONE, Result.UNCHANGED)
    assert first[0].url == second[0].url == "https://example.org/pull/1"
    assert first[0].detail == "pull request #1"
    assert len(stage.github.writes) == 1


@pytest.mark.parametrize("done_all_the_same", [True, False])
def test_a_pull_request_whose_answer_was_lost(stage: Stage, done_all_the_same: bool) -> None:
    stage.github.trouble = [(LOST, done_all_the_same)]
    (done,) = run(stage, OPEN)
    assert (done.result, list(stage.github.pulls)) == (Result.DONE, [1])


def test_a_pull_request_of_a_fork_is_not_taken_for_ours(stage: Stage) -> None:
    stage.github.pulls[1] = pull(1, "ours", "dev", from_fork=True)
    assert run(stage, OPEN)[0].url == "https://example.org/pull/2"


def test_a_body_is_changed_only_where_it_differs(stage: Stage) -> None:
    stage.github.pulls[1] = pull(1, "ours", "dev", body="old\r\n")
    same, changed = run(stage, EditPullRequest(1, "old"), EditPullRequest(1, "new"))
    assert (same.result, changed.result) == (Result.UNCHANGED, Result.DONE)
    assert stage.github.writes == [("edit", 1, "new")]


def test_only_an_open_one_is_closed(stage: Stage) -> None:
    stage.github.pulls[1] = pull(1, "ours", "dev")
    results = [item.result for item in run(stage, ClosePullRequest(1), ClosePullRequest(1))]
    assert results == [Result.DONE, Result.UNCHANGED]
    assert stage.github.writes == [("close", 1)]


@pytest.mark.parametrize("trouble", [[], [(LOST, True)], [(LOST, False)]])
def test_a_draft_is_made_ready_once(stage: Stage, trouble: list[tuple[HostError, bool]]) -> None:
    stage.github.pulls[1] = pull(1, "ours", "dev")
    stage.github.trouble = list(trouble)
    first, second = run(stage, MarkReady(1, "PR_1"), MarkReady(1, "PR_1"))
    assert (first.result, second.result) == (Result.DONE, Result.UNCHANGED)
    assert stage.github.writes == [("ready", "PR_1")]


def test_a_mode_without_git_cannot_push(stage: Stage) -> None:
    world = type(stage.world)(
        github=stage.world.github, clock=stage.clock, runner=stage.world.runner
    )
    with pytest.raises(ApplyError) as caught:
        apply([PushCommit("ours", "c", None)], world, GUARD, dry_run=False)
    assert caught.value.exit_code == 70
