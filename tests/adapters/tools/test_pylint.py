"""pylint, for real, on small files."""

from __future__ import annotations

from nightshift.adapters.tools.pylint import Pylint

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


def test_the_width_is_the_callers() -> None:
    assert not Pylint()({"lib/a.py": TEXT.encode()}, ("line-too-long",), 200)


def test_settings_of_the_repository_run_nothing() -> None:
    hook = (
        b'[MAIN]\ninit-hook=\'import pathlib; pathlib.Path("ran").write_text("")\'\nignore=a.py\n'
    )
    files = {"a.py": TEXT.encode(), ".pylintrc": hook, "sitecustomize.py": b"raise SystemExit(9)\n"}
    assert [m.line for m in Pylint()(files, ("line-too-long",))] == [6]


def test_nothing_to_look_at_starts_nothing() -> None:
    assert Pylint()({}, ("line-too-long",)) == () == Pylint()({"a.py": b""}, ())
