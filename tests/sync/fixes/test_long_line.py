"""Long comments and docstrings are wrapped, long code is the formatter's."""

from __future__ import annotations

import pytest

from nightshift.effects.values import FileChange
from nightshift.sync.fixes.cause import Failure
from nightshift.sync.fixes.long_line import fix, wrap_comment, wrapped
from support.file_trees import as_it_is, stripped, tree, trees

COMMENT = "    # " + "word " * 10 + "end"


def test_a_comment_is_wrapped_at_its_indent() -> None:
    assert wrap_comment(COMMENT, 40) == [
        "    # word word word word word word word",
        "    # word word word end",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "x = 1  # " + "word " * 20,
        "# https://example.invalid/" + "x" * 60,
        "# noqa: " + "E501 " * 20,
        "# type: ignore " + "word " * 20,
        "# pylint: disable=" + "a, " * 30,
        "#!" + "word " * 20,
        "# short",
        "        " * 4 + "# " + "word " * 20,
    ],
)
def test_what_cannot_be_wrapped_stays(line: str) -> None:
    assert wrap_comment(line, 40) is None


def test_the_comment_in_its_file() -> None:
    world = trees(tree(a=f"def f():\n{COMMENT}\n    pass\n"), tree())
    (change,) = fix(Failure("long-line", path="a.py", line=2, limit=40), world, as_it_is) or ()
    assert change.data == (
        b"def f():\n    # word word word word word word word\n"
        b"    # word word word end\n    pass\n"
    )


def test_code_is_formatted_if_that_helps() -> None:
    world = trees(tree(a="x = 1" + " " * 50 + "\n"), tree())
    failure = Failure("long-line", path="a.py", line=1, limit=40)
    assert fix(failure, world, stripped) == (FileChange("a.py", b"x = 1\n"),)
    assert fix(failure, world, as_it_is) is None
    long = trees(tree(a="x = " + "1" * 50 + " \n"), tree())
    assert fix(failure, long, stripped) is None


def test_a_line_that_is_not_there_or_not_ours() -> None:
    failure = Failure("long-line", path="a.py", line=9, limit=40)
    assert fix(failure, trees(tree(a="x\n"), tree()), as_it_is) is None
    same = tree(a=COMMENT)
    ours = Failure("long-line", path="a.py", line=1, limit=40)
    assert fix(ours, trees(same, same), as_it_is) is None


def _doc(*lines: str) -> str:
    body = "\n".join(f"    {line}".rstrip() for line in lines)
    return f"def f():\n{body}\n    return 1\n"


WORDS = "word " * 9 + "end."


@pytest.mark.parametrize(
    ("before", "number", "after"),
    [
        (
            _doc('"""Do.', "", WORDS, '"""'),
            4,
            _doc('"""Do.', "", "word word word word word word word", "word word end.", '"""'),
        ),
        (
            _doc(f'"""{WORDS}"""'),
            2,
            _doc('"""word word word word word word', 'word word word end."""'),
        ),
        (
            _doc('"""Do.', "", "Args:", f"    size (int): {WORDS}", '"""'),
            5,
            _doc(
                '"""Do.',
                "",
                "Args:",
                "    size (int): word word word word",
                "        word word word word word",
                "        end.",
                '"""',
            ),
        ),
        (
            _doc('"""Do.', "", f"- {WORDS}", "  more", '"""'),
            4,
            _doc(
                '"""Do.',
                "",
                "- word word word word word word word",
                "  word word end.",
                "  more",
                '"""',
            ),
        ),
    ],
    ids=["running text", "one line", "a parameter", "an item that goes on"],
)
def test_a_docstrings_line_is_wrapped(before: str, number: int, after: str) -> None:
    assert wrapped(before, number, 40) == after


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (_doc('"""Do.', "", ">>> f()", WORDS, '"""'), 5),
        (_doc('"""Do.', "", "| " + WORDS, '"""'), 4),
        (_doc('"""Do.', "", "So::", "", WORDS, '"""'), 6),
        (_doc('"""Do.', "", WORDS + "\\", '"""'), 4),
        (_doc('"""Do.', "", "x" * 60, '"""'), 4),
        (_doc('"""Do."""', 'text = """a', WORDS, '"""'), 4),
        (_doc('"""Do."""', f"text = '{WORDS}'"), 3),
        (_doc('"""Do."""'), 99),
        ("def broken(:\n" + WORDS, 2),
    ],
)
def test_what_is_no_running_text_stays(text: str, number: int) -> None:
    assert wrapped(text, number, 40) is None
