"""Docstrings come back from the side that has them; a stub is written where policy wants one."""

from __future__ import annotations

from dataclasses import replace

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
    text: str,
    head: str,
    code: str = "C0116",
    *,
    side: str = SIDE,
    other: str = "",
    stubs: bool = False,
) -> str | None:
    line = text.split("\n").index(head) + 1
    world = replace(trees(tree(a=text), tree(a=side), tree(a=other)), stubs=stubs)
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


def test_it_is_indented_for_where_the_definition_stands_now() -> None:
    side = 'def shut():\n    """Shut it.\n\n    Well.\n      Deep.\n    """\n    return 1\n'
    text = "try:\n    import a\nexcept ImportError:\n\n    def shut():\n        return 2\n"
    want = text.replace(
        "        return 2",
        '        """Shut it.\n\n        Well.\n          Deep.\n        """\n        return 2',
    )
    assert mended(text, "    def shut():", side=side) == want


def test_nothing_where_it_is_not_certain() -> None:
    text = without('    """Shut it."""\n')
    assert mended(text, "def shut():", side=text) is None
    other = SIDE.replace("Shut it.", "Close it.")
    assert mended(text, "def shut():", other=other) is None
    assert mended(text, "    return 1") is None
    assert mended(SIDE, "def shut():") is None
    assert mended("def shut(): return 1\n", "def shut(): return 1") is None
    folded = "def shut(\n    a,\n): return 1\n"
    assert mended(folded, "def shut(") is None
    assert mended("def broken(:\n", "def broken(:") is None
    absent = Failure("missing-docstring", path="b.py", line=1, symbol="C0114")
    assert fix(absent, trees(tree(), tree()), as_it_is) is None


@pytest.mark.parametrize(
    ("text", "head", "code", "want"),
    [
        (
            "def get_HTTPServer_v2(a):\n    # why\n    return a\n",
            "def get_HTTPServer_v2(a):",
            "C0116",
            'def get_HTTPServer_v2(a):\n    # why\n    """Get HTTP Server v 2."""\n    return a\n',
        ),
        (
            "class Box(Base):\n    @deco\n    def lid(self):\n        pass\n",
            "class Box(Base):",
            "C0115",
            'class Box(Base):\n    """Box."""\n\n    @deco\n    def lid(self):\n        pass\n',
        ),
        ("import os\n", "import os", "C0114", '"""A."""\n\nimport os\n'),
        (
            "class A:\n    async def __aenter__(self):\n        pass\n",
            "    async def __aenter__(self):",
            "C0116",
            'class A:\n    async def __aenter__(self):\n        """Aenter."""\n        pass\n',
        ),
    ],
)
def test_a_stub_says_the_name_in_words(text: str, head: str, code: str, want: str) -> None:
    assert mended(text, head, code, side="", stubs=True) == want
    assert mended(text, head, code, side="") is None


def test_a_sides_docstring_goes_before_a_stub_and_two_that_differ_before_none() -> None:
    text = without('    """Shut it."""\n')
    assert mended(text, "def shut():", stubs=True) == SIDE
    other = SIDE.replace("Shut it.", "Close it.")
    assert mended(text, "def shut():", other=other, stubs=True) is None
