"""What each cause knows by a line, and what it leaves alone."""

from __future__ import annotations

import pytest

from nightshift.sync.diagnose import CAUSES
from nightshift.sync.fixes.cause import Failure


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("lint | would reformat src/a.py", Failure("formatting", path="src/a.py")),
        ("lint | FAILED a/t.py::t - x", Failure("test", path="a/t.py", symbol="a/t.py::t")),
        ("would reformat src/a b.py", Failure("formatting", path="src/a b.py")),
        (
            "ERROR: /w/a.py Imports are incorrectly sorted and/or formatted.",
            Failure("formatting", path="/w/a.py"),
        ),
        (
            "E   ImportError: cannot import name 'X' from 'a.b' (/w/a/b.py)",
            Failure("import-name", path="/w/a/b.py", symbol="X", module="a.b"),
        ),
        (
            "ImportError: cannot import name 'X' from 'a.b' (unknown location)",
            Failure("import-name", path="unknown location", symbol="X", module="a.b"),
        ),
        (
            "ModuleNotFoundError: No module named 'a.b'; 'a' is not a package",
            Failure("import-name", module="a.b"),
        ),
        (
            "AttributeError: module 'a.b' has no attribute 'X'. Did you mean: 'Y'?",
            Failure("import-name", symbol="X", module="a.b"),
        ),
        (
            "ImportError: cannot import name 'X' from partially initialized module 'a.b' "
            "(most likely due to a circular import) (/w/a/b.py)",
            Failure("import-circle", symbol="X", module="a.b"),
        ),
        (
            "AttributeError: partially initialized module 'a' has no attribute 'X' (most likely",
            Failure("import-circle", symbol="X", module="a"),
        ),
        (
            "a/b.py:12:0: C0301: Line too long (105/100) (line-too-long)",
            Failure("long-line", path="a/b.py", line=12, limit=100),
        ),
        (
            "a/b.py:12:101: E501 line too long (105 > 100 characters)",
            Failure("long-line", path="a/b.py", line=12, limit=100),
        ),
        (
            "a/b.py:12:101: E501 Line too long (105 > 100)",
            Failure("long-line", path="a/b.py", line=12, limit=100),
        ),
        (
            "a/b.py:12:0: C0116: Missing function or method docstring (missing-function-docstring)",
            Failure("missing-docstring", path="a/b.py", line=12, symbol="C0116"),
        ),
        (
            "a/b.py:12:4: E1101: Module 'x' has no 'y' member (no-member)",
            Failure(
                "lint",
                path="a/b.py",
                line=12,
                symbol="E1101 Module 'x' has no 'y' member (no-member)",
            ),
        ),
        (
            "pkg/x.py:3: error: Incompatible types [assignment]",
            Failure(
                "lint", path="pkg/x.py", line=3, symbol="error Incompatible types [assignment]"
            ),
        ),
        (
            "curl: (6) Could not resolve host: mirror.invalid",
            Failure("infrastructure", symbol="could not resolve host"),
        ),
        (
            "The runner has received a shutdown signal. This can happen",
            Failure("infrastructure", symbol="received a shutdown signal"),
        ),
        (
            "FAILED tests/a.py::t - HTTPError: 503 Service Unavailable for url",
            Failure("infrastructure", symbol="503 service unavailable"),
        ),
        (
            "ERROR: No matching distribution found for x==1",
            Failure("dependency", symbol="No matching distribution found for x==1"),
        ),
        (
            "FAILED tests/a.py::T::t[x - y] - E: z",
            Failure("test", path="tests/a.py", symbol="tests/a.py::T::t[x"),
        ),
        ("ERROR tests/a.py", Failure("test", path="tests/a.py", symbol="tests/a.py")),
        (
            "##[error]The template is not valid",
            Failure("unknown", symbol="The template is not valid"),
        ),
        (
            "torch.cuda.OutOfMemoryError: no",
            Failure("unknown", symbol="torch.cuda.OutOfMemoryError: no"),
        ),
    ],
)
def test_lines_that_tell(line: str, expected: Failure) -> None:
    found = [cause.find(line) for cause in CAUSES.values()]
    assert next(failure for failure in found if failure) == expected


@pytest.mark.parametrize(
    "line",
    [
        "3 files would be reformatted",
        "All done! nothing would reformat",
        "##[error]Process completed with exit code 1.",
        "##[error]The operation was canceled.",
        "FAILED",
        "FAILED (errors=3)",
        "ERROR: pip's dependency resolver",
        "no ValueError: here",
        "a/b.py:12: in test_x",
        "a/b.py:12: AssertionError",
    ],
)
def test_lines_that_tell_nothing(line: str) -> None:
    assert not [cause for cause in CAUSES.values() if cause.find(line)]


@pytest.mark.parametrize(
    "line",
    [
        "FAILED tests/a.py::t - ConnectionError: Connection timed out",
        "E   ConnectionResetError: Connection reset by peer",
    ],
)
def test_a_test_that_fails_by_a_connection_is_no_trouble_of_the_network(line: str) -> None:
    assert CAUSES["infrastructure"].find(line) is None


def test_a_causes_hint_matches_all_that_it_finds() -> None:
    import re2  # pylint: disable=import-outside-toplevel

    lines = (
        "would reformat a.py",
        "ModuleNotFoundError: No module named 'a'",
        "a.py:1:0: C0301: Line too long (1/2)",
        "a.py:1:0: C0114: Missing module docstring",
        "a.py:1:0: W0611: Unused import",
        "a.py:1: error: no",
        "FAILED a.py",
        "Error: a",
        "early EOF",
        "ResolutionImpossible",
    )
    for line in lines:
        assert any(cause.find(line) for cause in CAUSES.values())
        for cause in CAUSES.values():
            assert not cause.find(line) or re2.search(cause.hint, line)
