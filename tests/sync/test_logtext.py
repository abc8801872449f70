"""Logs as plain lines."""

from __future__ import annotations

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from nightshift.sync.logtext import MAX_LINE, Log, clean

STAMP = "2026-01-01T01:02:03.1234567Z "


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        (f"{STAMP}hello", "hello"),
        (f"\ufeff{STAMP}hello", "hello"),
        (f"{STAMP}\ufeffhello", "hello"),
        ("2026-01-01T01:02:03Z hello", "hello"),
        (f"{STAMP}", ""),
        (f"{STAMP}  indented  ", "  indented"),
        ("\x1b[1m\x1b[31mred\x1b[0m text", "red text"),
        ("\x1b]8;;https://x.invalid\x1b\\link\x1b]8;;\x07", "link"),
        ("\x1b(Bplain", "plain"),
        ("10%\r50%\r100%\r", "100%"),
        ("on 2026-01-01T01:02:03Z it failed", "on 2026-01-01T01:02:03Z it failed"),
        ("x" * 5000, "x" * MAX_LINE),
    ],
)
def test_clean(raw: str, plain: str) -> None:
    assert clean(raw) == plain


def test_lines_in_which_something_matches_each_once() -> None:
    log = Log(f"{STAMP}one\nan Error, an Error\r\nthree\nError")
    assert [line for _, line in log.places(re2.compile(b"Error"))] == [
        "an Error, an Error",
        "Error",
    ]


def test_the_lines_above_a_place() -> None:
    log = Log(f"{STAMP}one\n\ntwo\nError\n")
    ((place, _),) = log.places(re2.compile(b"Error"))
    assert log.above(place, 2) == ("", "two")
    assert log.above(place, 9) == ("one", "", "two")
    assert not log.above(0, 9)


@given(st.lists(st.text(st.sampled_from("ab\r\x1b[;m€ "), max_size=6), max_size=8))
def test_every_line_is_found_at_its_place(parts: list[str]) -> None:
    text = "\n".join(parts)
    log = Log(text)
    places = list(log.places(re2.compile(b"a")))
    assert [line for _, line in places] == [clean(part) for part in parts if "a" in part]
    for place, _ in places:
        before = text.encode()[:place].decode().split("\n")[:-1]
        assert log.above(place, 99) == tuple(clean(line) for line in before)


def test_the_lines_below_a_line() -> None:
    log = Log("a\nHERE\n\x1b[1mb\x1b[0m\r\nc\nd")
    ((place, _),) = log.places(re2.compile(b"HERE"))
    assert log.below(place, 2) == ("b", "c")
    assert log.below(place, 9) == ("b", "c", "d")
