"""What histories say: who once held what, reverts, ancestors, definitions in old versions."""

from __future__ import annotations

import pytest

from nightshift.merge.lineage import Line, Stage, ancestor, definition, without_detours
from nightshift.merge.lines import split

OLD, MIDDLE, NEW = (
    "def f():\n    return old_value\n",
    "def f():\n    return middle_value\n",
    "def f():\n    return new_value\n",
)


def line(base: str, *versions: str) -> Line:
    """A side whose tip is the last version."""
    stages = [Stage(f"c{n}", text) for n, text in enumerate(versions)]
    return Line(base, versions[-1], lambda: stages[::-1])


def test_the_newest_commit_that_held_a_text() -> None:
    assert line(OLD, MIDDLE, NEW).once_held(("    return middle_value\n",)) == "c0"


def test_the_base_has_no_commit() -> None:
    assert line(OLD, NEW).once_held(("    return old_value\n",)) == ""


@pytest.mark.parametrize("lines", [("    return other_value\n",), ("x\n",)])
def test_unknown_and_unrecognisable(lines: tuple[str, ...]) -> None:
    assert line("x\n" + OLD, "x\n" + NEW).once_held(lines) is None


def test_layout_does_not_matter() -> None:
    assert (
        line("a = call(one, two)\n", "b = 1\n").once_held(("a = call(\n    one,\n    two,\n)\n",))
        == ""
    )


def test_reverted_versions_are_forgotten() -> None:
    assert without_detours("abcbd", str) == ["a", "b", "d"]
    assert line(OLD, MIDDLE, NEW, MIDDLE).once_held(("    return new_value\n",)) is None


def test_the_latest_common_version() -> None:
    ours = [("t2", split(NEW)), ("t1", split(MIDDLE)), ("", split(OLD))]
    theirs = [
        ("s2", split("def f():\n    return source_value\n")),
        ("s1", split(MIDDLE)),
        ("", split(OLD)),
    ]
    found = ancestor(ours, theirs)
    assert found is not None
    assert (found.commits, found.target_age, found.source_age) == (("t1", "s1"), 1, 1)


def test_no_common_version() -> None:
    assert ancestor([("t", split(NEW))], [("s", split(OLD))]) is None


CLASSES = (
    "class A:\n    def f(self):\n        return 1\n\n"
    "class B:\n    @wraps\n    def f(self):\n        return 2\n\n    x = 1\n"
)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("A.f", "    def f(self):\n        return 1\n"),
        ("B.f", "    @wraps\n    def f(self):\n        return 2\n"),
        ("B.g", ""),
        ("f", ""),
    ],
)
def test_definitions_are_found_by_indentation(name: str, found: str) -> None:
    assert "".join(definition(CLASSES, name)) == found
