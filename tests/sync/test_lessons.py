"""Lessons of single files, looked for in what the merge made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nightshift.adapters.git.repository import GitRepository
from nightshift.policy.model import Side
from nightshift.policy.sync import PathRules
from nightshift.sync import lessons
from nightshift.sync.draft import Draft
from nightshift.sync.lessons import undefined_helpers
from nightshift.sync.paths import PathPolicy
from nightshift.sync.sides import Sides, sides
from support.repos import diverged

BASE = "x = 1\n"
TARGET = """from pkg import Scope, other


def wide(kind):
    return Scope(kind)


class A:
    def _resolve(self):
        return other

    def run(self):
        return self._resolve()
"""
SOURCE = "class A:\n    def run(self):\n        return 2\n"


@pytest.fixture(name="both")
def fixture_both(tmp_path: Path) -> Iterator[Sides]:
    """Two sides that changed p.py."""
    repo = diverged(tmp_path / "r", {"p.py": BASE}, {"p.py": TARGET}, {"p.py": SOURCE})
    with GitRepository.of_checkout(repo.path) as git:
        yield sides(git, Side.SOURCE, git.resolve("dev"), git.resolve("main"))


def decided(both: Sides, merged: str, **lesson: object) -> str | None:
    """p.py after its lesson, if the merge had made this text of it; None where there is nothing
    to do."""
    rules = PathRules.model_validate({"lessons": [{"path": "p.py", **lesson}]})
    draft = Draft(both.git, both.merge.tree, both.merged_tree)
    draft.put("p.py", ("100644", merged.encode()))
    draft.apply(found := list(lessons.decide(both, PathPolicy(rules), draft)))
    data = draft.read("p.py")
    return data.decode() if found and data is not None else None


def test_a_lost_import_and_a_lost_function_come_back_alone(both: Sides) -> None:
    lesson = {"take": "target-definitions", "definitions": ["Scope", "wide"]}
    text = decided(both, SOURCE, **lesson)
    assert text is not None and text.startswith("from pkg import Scope\n")
    assert "def wide(kind):\n    return Scope(kind)\n" in text and "other" not in text
    assert text.endswith("    return Scope(kind)\n") and SOURCE in text


def test_what_is_there_is_left(both: Sides) -> None:
    lesson = {"take": "target-definitions", "definitions": ["Scope"]}
    assert decided(both, "from elsewhere import Scope\n", **lesson) is None


def test_the_targets_file_where_a_helper_is_lost(both: Sides) -> None:
    broken = TARGET.replace("    def _resolve(self):\n        return other\n\n", "")
    assert decided(both, broken, take="target", when="undefined-call") == TARGET


def test_no_helper_lost_no_lesson(both: Sides) -> None:
    fine = TARGET.replace("return other", "return other, 1")
    assert decided(both, fine, take="target", when="undefined-call") is None


def test_helpers_of_elsewhere_are_no_symptom() -> None:
    version = b"class A:\n    def helper(self): ...\n"
    assert undefined_helpers(b"class A(B):\n    def f(self): self.inherited()\n", version) == set()
    assert undefined_helpers(b"class A(B):\n    def f(self): self.helper()\n", version) == {
        "helper"
    }
    assert undefined_helpers(b"not python (", version) == set()
