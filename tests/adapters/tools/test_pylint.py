"""pylint, for real, on small files."""

from __future__ import annotations

import pytest

from nightshift.adapters.tools.pylint import FEW, Pylint
from nightshift.errors import HostError

TEXT = (
    "import os\n\n\ndef shown():\n    x = 1\n    return '"
    + "a" * 110
    + "'\n\n\ndef _hidden():\n    return 1\n"
)


def test_the_named_messages_and_no_other() -> None:
    found = Pylint()({"lib/a.py": TEXT.encode()}, ("missing-docstring", "line-too-long"))
    assert [(m.path, m.line, m.symbol, m.obj) for m in found] == [
        ("lib/a.py", 1, "missing-module-docstring", ""),
        ("lib/a.py", 4, "missing-function-docstring", "shown"),
        ("lib/a.py", 6, "line-too-long", ""),
    ]


def test_values_of_settings_are_the_callers() -> None:
    files = {"lib/a.py": TEXT.encode()}
    assert not Pylint()(files, ("line-too-long",), {"max-line-length": "200"})
    assert not Pylint()(files, ("line-too-long",), {"ignore-long-lines": r"^\s+return 'a+'$"})


def test_settings_of_the_repository_run_nothing() -> None:
    hook = (
        b'[MAIN]\ninit-hook=\'import pathlib; pathlib.Path("ran").write_text("")\'\nignore=a.py\n'
    )
    files = {"a.py": TEXT.encode(), ".pylintrc": hook, "sitecustomize.py": b"raise SystemExit(9)\n"}
    assert [m.line for m in Pylint()(files, ("line-too-long",))] == [6]


def test_no_setting_that_loads_something_is_handed_on() -> None:
    evil = {"init-hook": "import os; os._exit(9)", "load-plugins": "a", "max-line-length": '9"\n'}
    with pytest.raises(HostError, match="max-line-length"):
        Pylint()({"a.py": TEXT.encode()}, ("line-too-long",), evil)
    evil.pop("max-line-length")
    assert [m.line for m in Pylint()({"a.py": TEXT.encode()}, ("line-too-long",), evil)] == [6]


def test_many_files_give_the_same_in_several_processes() -> None:
    files = {f"lib/m{n:02}.py": TEXT.encode() for n in range(FEW + 1)}
    found = Pylint()(files, ("line-too-long",))
    assert [(m.path, m.line) for m in found] == [(path, 6) for path in sorted(files)]


BASE = 'class Base:\n    """B."""\n\n    def go(self):\n        """Go."""\n'
DERIVED = (
    'from {} import Base\n\n\nclass Box(Base):\n    """B."""\n\n    def go(self):\n        pass\n'
)


@pytest.mark.parametrize("root", ["", "src/"])
def test_what_is_inherited_is_known_from_the_files_beside(root: str) -> None:
    """A method that overrides another one needs no docstring of its own."""
    files = {f"{root}lib/deep/b.py": DERIVED.format("lib.core.a").encode()}
    wanted = ("missing-function-docstring",)
    (doubtful,) = Pylint()(files, wanted)
    assert (doubtful.obj, doubtful.certain) == ("Box.go", False)
    assert not Pylint()(files, wanted, {}, {f"{root}lib/core/a.py": BASE.encode()})
    plain = BASE.replace('        """Go."""', "        pass").encode()
    assert [m.certain for m in Pylint()({"a.py": plain}, wanted)] == [True]


def test_nothing_to_look_at_starts_nothing() -> None:
    assert Pylint()({}, ("line-too-long",)) == () == Pylint()({"a.py": b""}, ())
