"""Alignment and hunks of sequences of lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nightshift.merge.lines import Kind, align, diff3, joined, split

LINES = st.lists(st.sampled_from("abcdefg"), max_size=14).map(tuple)


@given(LINES, LINES)
def test_pairs_are_equal_lines_in_order(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    pairs = align(one, other)
    assert all(one[i] == other[j] for i, j in pairs)
    assert all(a < c and b < d for (a, b), (c, d) in zip(pairs, pairs[1:]))


@given(LINES, LINES, LINES)
def test_hunks_add_up(
    base: tuple[str, ...], target: tuple[str, ...], source: tuple[str, ...]
) -> None:
    hunks = diff3(base, target, source)
    assert sum((hunk.base for hunk in hunks), ()) == base
    assert sum((hunk.target for hunk in hunks), ()) == target
    assert sum((hunk.source for hunk in hunks), ()) == source


def test_kinds() -> None:
    hunks = diff3(tuple("abcde"), tuple("aBcde"), tuple("abcDe"))
    assert [hunk.kind for hunk in hunks if hunk.kind is not Kind.SAME] == [Kind.TARGET, Kind.SOURCE]


def test_repeated_lines_in_a_gap_are_found() -> None:
    assert len(align(("x", "a", "x", "x"), ("y", "x", "x"))) == 2


@given(st.text(alphabet="a\r\n\x0c\u2028", max_size=12))
def test_split_loses_nothing(text: str) -> None:
    assert "".join(split(text)) == text


def test_changes_of_both_sides_are_joined_where_they_are_near() -> None:
    base, target, source = (tuple(text) for text in ("abcdefghij", "aBcdefghij", "abcDefghij"))
    one = joined(list(diff3(base, target, source)))
    assert [(h.kind, h.base, h.target, h.source) for h in one if h.kind is not Kind.SAME] == [
        (Kind.CONFLICT, tuple("bcd"), tuple("Bcd"), tuple("bcD"))
    ]


def test_far_changes_and_those_of_one_side_stay_apart() -> None:
    base = tuple("abcdefghij")
    far = joined(list(diff3(base, tuple("aBcdefghij"), tuple("abcdefghIj"))))
    assert [h.kind for h in far if h.kind is not Kind.SAME] == [Kind.TARGET, Kind.SOURCE]
    same = joined(list(diff3(base, tuple("aBcDefghij"), base)))
    assert [h.kind for h in same if h.kind is not Kind.SAME] == [Kind.TARGET, Kind.TARGET]


@given(LINES, LINES, LINES)
def test_joining_loses_no_line(
    base: tuple[str, ...], target: tuple[str, ...], source: tuple[str, ...]
) -> None:
    hunks = joined(list(diff3(base, target, source)))
    assert tuple(line for h in hunks for line in h.base) == base
    assert tuple(line for h in hunks for line in h.target) == target
    assert tuple(line for h in hunks for line in h.source) == source
