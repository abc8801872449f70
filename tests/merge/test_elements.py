"""Three-way by element: both sides' parameters, arguments and entries, or none where they meet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightshift.merge.elements import items, merge
from nightshift.merge.lines import Hunk, Kind, split


def merged(base: str, target: str, source: str) -> str | None:
    lines = merge(Hunk(Kind.CONFLICT, split(base), split(target), split(source)))
    return None if lines is None else "".join(lines)


@pytest.mark.parametrize(
    ("base", "target", "source", "result"),
    [
        (
            "def f(a: int, b: int) -> str:\n",
            "def f(a: int, b: int, c: int = 1) -> str:\n",
            "def f(a: int, b: int, d: int = 2) -> str:\n",
            "def f(a: int, b: int, c: int = 1, d: int = 2) -> str:\n",
        ),
        ("x = f(a)\n", "x = f(a, b=1)\n", "x = f(a, c=2)\n", "x = f(a, b=1, c=2)\n"),
        (
            "x = f(a, b)\n",
            "x = f(z, a, b)\n",
            "x = f(a, b, c=2) + 1\n",
            "x = f(z, a, b, c=2) + 1\n",
        ),
        ("x = [a, f(1)]\n", "x = [a, f(1, k=2)]\n", "x = [f(1), b]\n", "x = [f(1, k=2), b]\n"),
        ("x = ['a']\n", "x = ['a', 'b']\n", "x = ['a', 'c,d']\n", "x = ['a', 'b', 'c,d']\n"),
        (
            "x = f(\n    a,\n)\n",
            "x = f(\n    a,\n    c=2,\n)\n",
            "x = f(\n    a,\n    d=1,\n)\n",
            "x = f(\n    a,\n    c=2,\n    d=1,\n)\n",
        ),
    ],
)
def test_both_stay(base: str, target: str, source: str, result: str) -> None:
    assert merged(base, target, source) == result


@pytest.mark.parametrize(
    ("base", "target", "source"),
    [
        pytest.param("x = f(a)\n", "x = f(b)\n", "x = f(c)\n", id="one element, two edits"),
        pytest.param("x = f(a)\n", "x = f(a, k=1)\n", "x = f(a, k=2)\n", id="one name, two values"),
        pytest.param("def f(a):\n", "def f(a, b):\n", "def f(a, c):\n", id="places mean something"),
        pytest.param("x = [a]\n", "x = [a, b]\n", "x = [a, b, c]\n", id="the same element"),
        pytest.param("x = [m]\n", "x = [m, ci]\n", "x = [m, ci_slow]\n", id="one thing, two names"),
        pytest.param("", "x = f(a)\n", "x = f(b)\n", id="no base"),
        pytest.param("plain\n", "plainer\n", "plainest\n", id="no list"),
        pytest.param("f(a)  # b, c\n", "f(a, b=1)  # b, c\n", "f(a, c=1)\n", id="comment"),
    ],
)
def test_what_meets_is_left_to_other_rules(base: str, target: str, source: str) -> None:
    assert merged(base, target, source) is None


@given(st.text(alphabet="ab,()[]{} =:'\"\n", max_size=60))
def test_items_hold_all_of_the_text(text: str) -> None:
    found = items(text)
    if found is not None:
        assert "".join(item.text + "," * item.comma for item in found) == text


SIDES = st.lists(st.sampled_from(["a", "b=1", "c=2", "f(x)", "[y, z]"]), max_size=4)


@given(SIDES, SIDES)
def test_one_sides_change_is_that_side(base: list[str], other: list[str]) -> None:
    one, two = (f"call({', '.join(side)})\n" for side in (base, other))
    assert merged(one, one, two) in (two, None)
    assert merged(one, two, one) in (two, None)
