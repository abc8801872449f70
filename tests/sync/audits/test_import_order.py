"""Circles of imports: found as Python would find them, blamed on sorting only where sorting made
them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from nightshift.sync.audits.import_order import failures, made_by_sorting
from support.trees import Files, resolver

MODELS = {
    "lib/models/base.py": "class Base:\n    pass\n",
    "lib/models/gpt.py": "from lib.models import Base\n\n\nclass Gpt(Base):\n    pass\n",
}
GOOD = "from .base import Base\nfrom .gpt import Gpt\n"
SORTED_BADLY = "from .gpt import Gpt\nfrom .base import Base\n"


def _tree(init: str) -> dict[str, str]:
    return {**MODELS, "lib/models/__init__.py": init}


def test_a_circle_that_sorting_made_is_found_in_the_file_that_fails() -> None:
    before, after = resolver(_tree(GOOD)), resolver(_tree(SORTED_BADLY))
    (fault,) = made_by_sorting(before, after, ["lib/models/__init__.py"])
    assert (fault.path, fault.line) == ("lib/models/gpt.py", 1)
    assert "'Base' from lib.models" in fault.message


def test_only_the_package_that_fails_is_to_be_undone() -> None:
    other = {"lib/other/__init__.py": "import os\n", "lib/use.py": "import lib.models\n"}
    before, after = (resolver({**_tree(init), **other}) for init in (GOOD, SORTED_BADLY))
    changed = ["lib/models/__init__.py", "lib/other/__init__.py", "lib/use.py"]
    undone = [path for path in changed if made_by_sorting(before, after, [path])]
    assert undone == ["lib/models/__init__.py"]


def test_sorting_that_breaks_nothing_is_left_alone() -> None:
    bad = resolver(_tree(SORTED_BADLY))
    assert not made_by_sorting(bad, bad, ["lib/models/__init__.py"])
    assert not made_by_sorting(
        resolver(_tree(GOOD)), resolver(_tree(GOOD)), ["lib/models/__init__.py"]
    )


CASES: dict[str, tuple[Files, str]] = {
    "circle": (_tree(SORTED_BADLY), "lib.models"),
    "no circle": (_tree(GOOD), "lib.models"),
    "entered elsewhere": (_tree(GOOD), "lib.models.gpt"),
    "submodule of a half-made package": (
        {
            "p/__init__.py": "from p.a import x\n",
            "p/a.py": "from p import b\nx = 1\n",
            "p/b.py": "",
        },
        "p",
    ),
    "late import": (
        {"a.py": "import b\nx = 1\n", "b.py": "def f():\n    from a import x\n    return x\n"},
        "a",
    ),
    "type checking only": (
        {
            "a.py": "from b import y\nx = 1\n",
            "b.py": (
                "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n"
                "    from a import x\ny = 1\n"
            ),
        },
        "a",
    ),
    "plain circle": ({"a.py": "from b import y\nx = 1\n", "b.py": "from a import x\ny = 1\n"}, "a"),
    "defined before the import": (
        {"a.py": "x = 1\nfrom b import y\n", "b.py": "from a import x\ny = 1\n"},
        "a",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_python_says_the_same(name: str, tmp_path: Path) -> None:
    files, module = CASES[name]
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    done = subprocess.run(
        [sys.executable, "-c", f"import {module}"], cwd=tmp_path, capture_output=True, check=False
    )
    tree = resolver(files)
    assert bool(list(failures(tree, [tree.index.modules[module]]))) == (done.returncode != 0)
