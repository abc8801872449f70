"""Files that can have no new message are left out, and never one that has one."""

from __future__ import annotations

import pytest

from nightshift.adapters.tools.pylint import Pylint
from nightshift.sync.lint_candidates import may_have_new

MESSAGES = ("missing-class-docstring", "missing-function-docstring", "line-too-long")
LONG = "x = '" + "a" * 120 + "'\n"
OLD = '"""A."""\n\n\ndef bare():\n    return 1\n\n\n' + LONG
NEW = [
    ("the same", OLD, False),
    ("elsewhere", OLD.replace('"""A."""', '"""A."""\n\nimport os'), False),
    ("one more long line", OLD + "if x:\n    " + LONG, True),
    ("another long line", OLD.replace("aaaa'", "aaab'"), True),
    ("less", '"""A."""\n', False),
    ("a private one", OLD + "\n\ndef _hidden():\n    return 2\n", False),
    ("a public one", OLD + "\n\ndef shown():\n    return 2\n", True),
    ("one that waits", OLD + "\n\nasync def shown():\n    return 2\n", True),
    ("a class", OLD + "\n\nclass Shown:\n    pass\n", True),
    ("a method", OLD + '\n\nclass Shown:\n    """S."""\n\n    def go(self):\n        pass\n', True),
    ("under a condition", OLD + "\nif x:\n\n    def shown():\n        return 2\n", True),
    (
        "in a try",
        OLD + "\ntry:\n    import y\nexcept ImportError:\n\n    def y():\n        return 2\n",
        True,
    ),
    ("documented", OLD + '\n\ndef shown():\n    """S."""\n', False),
    ("a docstring that is gone", OLD.replace('"""A."""', "import os"), False),
]


@pytest.mark.parametrize(("name", "text", "want"), NEW, ids=[case[0] for case in NEW])
def test_a_file_is_looked_at_only_where_it_may_matter(name: str, text: str, want: bool) -> None:
    assert may_have_new(text.encode(), OLD.encode(), MESSAGES, {}) is want, name


def test_no_file_is_left_out_of_which_pylint_has_something_new_to_say() -> None:
    files = {f"m{n:02}.py": text.encode() for n, (_, text, _) in enumerate(NEW)}
    said = Pylint()({"old.py": OLD.encode(), **files}, MESSAGES)
    old = sum(m.path == "old.py" for m in said)
    for path, data in files.items():
        if sum(m.path == path for m in said) > old:
            assert may_have_new(data, OLD.encode(), MESSAGES, {}), path


def test_what_is_not_known_is_looked_at() -> None:
    assert may_have_new(b"x = 1\n", b"x = 1\n", ("unused-import",), {})
    assert may_have_new(b"def broken(:\n", b"", ("missing-docstring",), {})
    assert not may_have_new(b"def broken(:\n", b"", ("line-too-long",), {})
    assert may_have_new(b"x = 1\n", None, ("missing-docstring",), {})
    assert may_have_new(b"def _a():\n    pass\n", b"", MESSAGES, {"no-docstring-rgx": "^x"})
    assert may_have_new(b"x = 12\n", b"", MESSAGES, {"max-line-length": "5"})
