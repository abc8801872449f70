"""Undefined, doubled and vainly imported names."""

from __future__ import annotations

import pytest

from nightshift.merge import names, treecheck, verify


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("x = y\n", {"y"}),
        ("import y\nx = y\n", set()),
        ("def f():\n    return g()\n", {"g"}),
        ("def f(a):\n    return [b for b in a if c]\n", {"c"}),
        ("from m import *\nx = y\n", set()),
        ("def f(x: 'T'):\n    pass\n", {"T"}),
        ("from __future__ import annotations\n\ndef f(x: T):\n    pass\n", {"T"}),
        ("def f():\n    global g\n    g = 1\n\nx = g\n", set()),
        ("class A:\n    y = 1\n    z = y\n", set()),
        ("print(__file__, len)\n", set()),
        ("def broken(:\n", set()),
    ],
)
def test_undefined(text: str, missing: set[str]) -> None:
    assert names.undefined(text) == missing


def test_doubled() -> None:
    text = "class A:\n    def f(self): ...\n    def f(self): ...\n"
    assert names.doubled(text) == {"A.f"}
    assert not names.doubled(text.replace("    def f", "    @overload\n    def f"))


def test_a_late_future_import_is_a_fault() -> None:
    late = "import os\nfrom __future__ import annotations\n"
    assert verify.faults(late, "import os\n", "x = 1\n").unparsable
    assert not verify.faults(late, late, late).unparsable


def test_faults_of_a_side_are_nobodys() -> None:
    assert not verify.faults("x = y\n", "x = y\n", "x = 1\n")
    assert verify.faults("x = y\n", "x = 2\n", "x = 1\n").undefined == {"y"}


def test_markers() -> None:
    assert verify.faults("<<<<<<< ours\n", "a\n", "b\n").markers


def _modules(**files: str) -> treecheck.Modules:
    data = {name.replace("__", "/") + ".py": text.encode() for name, text in files.items()}
    return treecheck.Modules(data, data.get)


CALLER = b"from p.m import kept, gone\nfrom .m import gone as away\nfrom os import path\n"


def test_a_name_that_the_merged_tree_has_not() -> None:
    merged = _modules(p__m="def kept(): ...\n", p__user="")
    sides = _modules(p__m="def kept(): ...\n"), _modules(p__m="def kept(): ...\ndef gone(): ...\n")
    assert treecheck.absent("p/user.py", CALLER, merged, sides) == {"gone", "away"}


def test_a_name_that_no_side_has_is_nobodys() -> None:
    merged = _modules(p__m="def kept(): ...\n")
    assert treecheck.absent("p/user.py", CALLER, merged, (merged, merged)) == frozenset()


@pytest.mark.parametrize(
    "text", ["gone = 1\n", "from q import gone\n", "def __getattr__(name): ...\n", "x = (\n"]
)
def test_a_name_that_the_merged_tree_gives(text: str) -> None:
    merged, side = _modules(p__m="kept = 1\n" + text), _modules(p__m="kept = 1\ngone = 1\n")
    assert treecheck.absent("p/user.py", CALLER, merged, (side, side)) == frozenset()


def test_a_module_that_the_merged_tree_has_not() -> None:
    merged, side = _modules(p__m=""), _modules(p__m="", q__old="")
    assert treecheck.absent("p/user.py", b"import q.old\nimport os\n", merged, (merged, side)) == {
        "q.old"
    }
