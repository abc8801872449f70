"""Wanted minus actual."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nightshift.effects import reconcile
from nightshift.effects.values import AddLabels, Effect, PostComment
from nightshift.values import Comment
from support.world import pull

names = st.lists(st.sampled_from(["bug", "Bug", "BUG", "ci", "module: ci", "straße", "STRASSE"]))


def test_labels_are_compared_whole_and_without_case() -> None:
    wanted = ["Module: NCCL", "ci", "bug", "BUG"]
    assert reconcile.labels_to_add(wanted, ["module: nccl", "specific", "ci: x"]) == ("ci", "bug")


@given(names, names)
def test_nothing_is_added_twice_and_nothing_is_left_out(
    wanted: list[str], present: list[str]
) -> None:
    new = reconcile.labels_to_add(wanted, present)
    folded = [name.casefold() for name in (*present, *new)]
    assert len({name.casefold() for name in new}) == len(new)
    assert {name.casefold() for name in wanted} <= set(folded)
    assert not {name.casefold() for name in new} & {name.casefold() for name in present}
    assert not reconcile.labels_to_add(wanted, [*present, *new])


def test_room_for_a_hundred_labels() -> None:
    present = [str(number) for number in range(98)]
    assert reconcile.room_for(["a", "b"], present)
    assert not reconcile.room_for(["a", "b", "c"], present)


def test_all_labels_that_are_missing_are_named_but_optional_ones() -> None:
    effects: list[Effect] = [
        AddLabels(1, ("bug", "gone")),
        PostComment(1, "b", "t", ""),
        AddLabels(2, ("Gone", "lost")),
        AddLabels(3, ("nice to have",), optional=True),
    ]
    assert reconcile.unknown_labels(effects, {"BUG"}) == ("gone", "lost")


def test_a_marked_comment_is_found_by_its_marker_alone() -> None:
    effect = PostComment(1, "new words <!-- m:1 -->", "t", "<!-- m:1 -->")
    old = Comment("old words\r\n<!-- m:1 -->", id=4)
    assert reconcile.posted(effect, [Comment("new words", id=3), old]) == old
    assert reconcile.posted(effect, [Comment("new words <!-- m:12 -->", id=3)]) is None


def test_an_unmarked_comment_is_found_only_after_an_attempt() -> None:
    effect = PostComment(1, "/ok to test\n", "t", "")
    earlier, ours = Comment("/ok to test", id=1), Comment("/ok to test\r\n", id=2)
    assert reconcile.posted(effect, [earlier]) is None
    assert reconcile.posted(effect, [earlier], before={1}) is None
    assert reconcile.posted(effect, [earlier, ours], before={1}) == ours
    assert reconcile.posted(effect, [Comment("other", id=3)], before=set()) is None


def test_a_pull_request_of_ours_is_open_and_of_no_fork() -> None:
    ours = pull(5, "sync", "dev")
    others = [
        pull(1, "sync", "main"),
        pull(2, "sync2", "dev"),
        pull(3, "sync", "dev", open=False),
        pull(4, "sync", "dev", from_fork=True),
    ]
    assert reconcile.open_pull("sync", "dev", others) is None
    assert reconcile.open_pull("sync", "dev", [*others, ours]) == ours


def test_bodies_are_the_same_whatever_their_line_ends() -> None:
    assert reconcile.same_body("a\nb\n", "a\r\nb")
    assert not reconcile.same_body("a\nb", "a b")
