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


def mended(text: str, line: int, side: str = SIDE, other: str = "") -> str | None:
    world = trees(tree(a=text), tree(a=side), tree(a=other))
    changes = fix(Failure("missing-docstring", path="/w/a.py", line=line), world, as_it_is)
    return None if changes is None else (changes[0].data or b"").decode()


@pytest.mark.parametrize(
    ("docstring", "line"),
    [
        ('"""The file."""\n\n', 1),
        ('    """A box.\n\n    Of wood.\n    """\n\n', 6),
        ('        """The lid."""\n', 11),
        ('    """Shut it."""\n', 16),
    ],
)
def test_the_same_definitions_docstring_comes_back(docstring: str, line: int) -> None:
    text = without(docstring)
    line = (
        1
        if line == 1
        else next(
            n
            for n, have in enumerate(text.split("\n"), 1)
            if have == SIDE.split("\n")[line - 1] or (line == 16 and have == "def shut():")
        )
    )
    assert mended(text, line) == SIDE
    assert mended(text, line, side="", other=SIDE) == SIDE
    assert mended(text, line, other=SIDE) == SIDE


def test_nothing_where_it_is_not_certain() -> None:
    text = without('    """Shut it."""\n')
    line = text.split("\n").index("def shut():") + 1
    assert mended(text, line, side=text) is None
    assert mended(text, line, side=SIDE, other=SIDE.replace("Shut it.", "Close it.")) is None
    assert mended(text, line + 1) is None
    assert mended(SIDE, SIDE.split("\n").index("def shut():") + 1) is None
    assert mended("def shut(): return 1\n", 1) is None
    assert mended("def broken(:\n", 1) is None
    assert (
        fix(Failure("missing-docstring", path="b.py", line=1), trees(tree(), tree()), as_it_is)
        is None
    )
