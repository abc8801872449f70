"""Imports that the merged tree cannot serve."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from nightshift.merge.treecheck import Modules, absent


def _modules(files: Mapping[str, str]) -> Modules:
    data = {path: text.encode() for path, text in files.items()}
    return Modules(data, data.get)


PACKAGE = {"src/p/__init__.py": "", "src/p/tools/__init__.py": ""}


@pytest.mark.parametrize(
    ("path", "text", "there", "missing"),
    [
        ("src/p/a.py", "from p.b import f\n", {"src/p/b.py": "def f(): ...\n"}, {"f"}),
        ("src/p/a.py", "from .b import f as g\n", {"src/p/b.py": "def f(): ...\n"}, {"g"}),
        ("src/p/a.py", "import p.b\n", {"src/p/b.py": ""}, {"p.b"}),
        # From inside a package its modules are reached by its name or by dots alone.
        ("src/p/tools/a.py", "import attr\n", {"src/p/tools/attr.py": ""}, set()),
        # A script's neighbours are modules of their own.
        ("scripts/a.py", "import attr\n", {"scripts/attr.py": ""}, {"attr"}),
        # A standard module is never a neighbour's, whatever that is called.
        ("scripts/a.py", "import json\n", {"scripts/json.py": ""}, set()),
        ("src/p/a.py", "from elsewhere import f\n", {"src/p/b.py": "def f(): ...\n"}, set()),
    ],
)
def test_what_a_side_has_and_the_merge_lacks(
    path: str, text: str, there: dict[str, str], missing: set[str]
) -> None:
    side = _modules(PACKAGE | there | {path: text})
    merged = _modules(PACKAGE | {path: text})
    assert absent(path, text.encode(), merged, (side, merged)) == missing
    assert absent(path, text.encode(), side, (side, merged)) == frozenset()
