"""ty, for real, on small trees."""

from __future__ import annotations

import pytest

from nightshift.adapters.tools import ty
from nightshift.errors import HostError
from support.trees import Tree


def test_calls_and_attributes_that_break_and_no_other_opinions() -> None:
    tree = Tree(
        {
            "lib/a.py": "from lib.b import f\n\nf(1, z=2)\nf()\nx: int = 'no number'\n",
            "lib/b.py": "def f(x):\n    return x\n\n\nclass A: ...\n\n\nA().gone\n",
        }
    )
    found = [(c.path, c.line, c.rule) for c in ty.Ty()(tree)]
    assert sorted(found) == [
        ("lib/a.py", 3, "unknown-argument"),
        ("lib/a.py", 4, "missing-argument"),
        ("lib/b.py", 8, "missing-attribute"),
    ]


def test_the_repositorys_own_settings_do_not_count() -> None:
    settings = "[tool.ty.rules]\nmissing-argument = 'ignore'\n[tool.ty.src]\nexclude = ['a.py']\n"
    tree = Tree(
        {"a.py": "def f(x): ...\n\n\nf()\n", "pyproject.toml": settings, "ty.toml": "[rules\n"}
    )
    assert [c.rule for c in ty.Ty()(tree)] == ["missing-argument"]


def test_a_tree_without_python_is_not_looked_at() -> None:
    assert not ty.Ty()(Tree({"README.md": "# Nothing\n"}))


def test_an_answer_that_cannot_be_read_is_the_hosts_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ty, "run", lambda *_, **__: '[{"check_name": "x"}]')
    with pytest.raises(HostError, match="cannot be read"):
        ty.Ty()(Tree({"a.py": ""}))


def test_what_a_decorator_hides_is_not_certain() -> None:
    text = (
        "from typing import Callable\n\n\ndef mark(thing: Callable) -> Callable:\n"
        "    return thing\n\n\n@mark\nclass A:\n    x = 1\n\n\nA.x\nA.x = 2\n"
    )
    assert not ty.Ty()(Tree({"a.py": text}))
