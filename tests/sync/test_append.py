"""Definitions put into another file, with what they need."""

from __future__ import annotations

import ast

from nightshift.sync.append import append_bytes, append_definitions

BASE = '''"""Docs."""

import os


class Own:
    pass
'''


def appended(base: str, donor: str, *names: str) -> str:
    """The text, which must parse."""
    done = append_definitions(base, donor, names)
    assert done is not None and not done.missing
    ast.parse(done.text)
    return done.text


def test_what_stands_there_keeps_its_bytes() -> None:
    text = appended(BASE, "def f():\n    return 1\n", "f")
    assert text == BASE + "\n\ndef f():\n    return 1\n"


def test_imports_go_below_the_last_one_at_the_top() -> None:
    donor = "from a import b\nimport c.d as e\n\n\ndef f():\n    return b, e, os\n"
    text = appended(BASE, donor, "f")
    assert text.startswith('"""Docs."""\n\nimport os\nfrom a import b\nimport c.d as e\n')
    assert text.count("import os") == 1


def test_a_file_without_imports_gets_them_below_its_docstring() -> None:
    text = appended('"""Docs."""\n\nX = 1\n', "import a\n\n\ndef f():\n    return a\n", "f")
    assert text.startswith('"""Docs."""\nimport a\n')


def test_future_imports_stay_where_they_are() -> None:
    donor = (
        "from __future__ import annotations\nimport a\n\n\ndef f(x: a.B):\n    return annotations\n"
    )
    assert "__future__" not in appended("X = 1\n", donor, "f").replace("import a", "")


def test_decorators_and_comments_come_along() -> None:
    donor = "from lib import wrap\n\n\n# Why.\n@wrap\ndef f():\n    return 1\n"
    assert "\n\n\n# Why.\n@wrap\ndef f():" in appended(BASE, donor, "f")


def test_names_that_the_base_binds_are_left_to_it() -> None:
    donor = "from elsewhere import Own\n\n\ndef f():\n    return Own\n"
    assert "elsewhere" not in appended(BASE, donor, "f")


def test_recursive_helpers_come_once() -> None:
    donor = "def a():\n    return b()\n\n\ndef b():\n    return a()\n"
    assert appended(BASE, donor, "a").count("def ") == 2


def test_what_the_donor_lacks_or_has_twice_is_missing() -> None:
    done = append_definitions(BASE, "def f():\n    pass\n\n\ndef f():\n    pass\n", ["f", "g"])
    assert done is not None and done.missing == ("f", "g") and done.text == BASE


def test_no_python_is_no_answer() -> None:
    assert append_definitions("x = (", "def f(): pass\n", ["f"]) is None
    assert append_definitions(BASE, "def f(:", ["f"]) is None
    assert append_bytes(b"\xff", b"x = 1\n", ["x"]) is None


def test_line_ends_are_the_bases() -> None:
    done = append_bytes(b"import os\r\n", b"def f():\n    return 1\n", ["f"])
    assert done is not None and done[0] == b"import os\r\n\r\n\r\ndef f():\r\n    return 1\r\n"
    same = append_bytes(b"def f():\r\n    pass\r\n", b"def f():\n    return 1\n", ["f"])
    assert same is not None and same[0] == b"def f():\r\n    pass\r\n"
