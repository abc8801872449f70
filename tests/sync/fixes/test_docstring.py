"""Docstrings come back from the side that has them; none is made up."""

from __future__ import annotations

import pytest

from nightshift.sync.fixes.cause import Failure
from nightshift.sync.fixes.docstring import fix
from support.file_trees import as_it_is, tree, trees

SIDE = '''"""The file."""

import os


class Box:
    """A box.

    Of wood.
    """

    def lid(self):
        """The lid."""
        return os.sep


@deco
def shut():
    """Shut it."""
    return 1
'''


def without(*docstrings: str) -> str:
    text = SIDE
    for docstring in docstrings:
        assert docstring in text
        text = text.replace(docstring, "")
    return text


def mended(
    text: str, head: str, code: str = "C0116", side: str = SIDE, other: str = ""
) -> str | None:
    line = text.split("\n").index(head) + 1
    world = trees(tree(a=text), tree(a=side), tree(a=other))
    failure = Failure("missing-docstring", path="/w/a.py", line=line, symbol=code)
    changes = fix(failure, world, as_it_is)
    return None if changes is None else (changes[0].data or b"").decode()


@pytest.mark.parametrize(
    ("docstring", "head", "code"),
    [
        ('"""The file."""\n\n', "import os", "C0114"),
        ('    """A box.\n\n    Of wood.\n    """\n\n', "class Box:", "C0115"),
        ('        """The lid."""\n', "    def lid(self):", "C0116"),
        ('    """Shut it."""\n', "def shut():", "C0116"),
    ],
)
def test_the_same_definitions_docstring_comes_back(docstring: str, head: str, code: str) -> None:
    text = without(docstring)
    assert mended(text, head, code) == SIDE
    assert mended(text, head, code, side="", other=SIDE) == SIDE
    assert mended(text, head, code, other=SIDE) == SIDE


def test_nothing_where_it_is_not_certain() -> None:
    text = without('    """Shut it."""\n')
    assert mended(text, "def shut():", side=text) is None
    other = SIDE.replace("Shut it.", "Close it.")
    assert mended(text, "def shut():", other=other) is None
    assert mended(text, "    return 1") is None
    assert mended(SIDE, "def shut():") is None
    assert mended("def shut(): return 1\n", "def shut(): return 1") is None
    assert mended("def broken(:\n", "def broken(:") is None
    absent = Failure("missing-docstring", path="b.py", line=1, symbol="C0114")
    assert fix(absent, trees(tree(), tree()), as_it_is) is None
