"""Lines of log and texts over the platform's size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightshift.adapters.runner import commands


@pytest.mark.parametrize(
    "text, lines",
    [
        ("", [""]),
        ("one\r\ntwo\rthree\n", ["one", "two", "three", ""]),
        ("a\x1b[31mb\x00", ["a�[31mb�"]),
        ("a\x0bb\x85c\u2028d", ["a�b�c�d"]),
        ("\ud800 tab\t", ["? tab\t"]),
    ],
)
def test_lines(text: str, lines: list[str]) -> None:
    assert commands.lines(text) == lines


@pytest.mark.parametrize(
    "line", ["::set-env name=X::1", " \t\u00a0::error::x", "12:00 ##[add-path]/tmp", "a::b"]
)
def test_what_may_be_a_command(line: str) -> None:
    assert commands.may_command(line)


@pytest.mark.parametrize("line", ["", "a: b", "# [x]", ": :"])
def test_what_is_none(line: str) -> None:
    assert not commands.may_command(line)


@given(st.text(), st.integers(0, 30))
def test_a_shortened_text_fits(text: str, units: int) -> None:
    short = commands.shorten(text, units, " …")
    assert len(short.encode("utf-16-le")) <= 2 * units
    whole = text.encode("utf-16-le", "replace").decode("utf-16-le")
    assert short == text or short == "" or whole.startswith(short.removesuffix(" …"))
