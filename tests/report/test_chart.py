"""The chart of a run's time: valid whatever a check is called."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from nightshift.report.chart import MAX_ROWS, chart
from nightshift.step import Passage

BEGAN = datetime(2026, 3, 2, 4, 5, 6, tzinfo=UTC)
NOW = int(BEGAN.timestamp())
ROW = re.compile(r"    [A-Za-z0-9][A-Za-z0-9 .,/()_-]* :[0-9]+, [0-9]+")


def passages(*reasons: str) -> list[Passage]:
    return [Passage(n + 1, why, 60.0 * n, 60.0 * n + 60) for n, why in enumerate(reasons)]


def rows(text: str) -> list[str]:
    lines = text.split("\n")
    assert (lines[0], lines[-1]) == ("```mermaid", "```")
    assert lines[1:4] == ["gantt", "    dateFormat X", "    axisFormat %H:%M"]
    return [line for line in lines[4:-1] if not line.startswith("    section ")]


def test_steps_and_rounds() -> None:
    merge = {"git": 5.0, "text": 0.0, "audit": 8.0, "audit: losses": 7.0}
    text = chart(BEGAN, merge, passages("CI was asked to run", "waiting for a, b (c)"))
    assert rows(text) == [
        f"    merge git :{NOW - 13}, {NOW - 8}",
        f"    merge audit :{NOW - 8}, {NOW}",
        f"    1 CI was asked to run :{NOW}, {NOW + 60}",
        f"    2 waiting for a, b (c) :{NOW + 60}, {NOW + 120}",
    ]
    assert text.index("section Merge") < text.index("section Rounds")


@pytest.mark.parametrize(
    "evil",
    [
        "```\n# out",
        "x: 1, 2",
        "x\n    section evil",
        'click 1 href "javascript:alert(1)"',
        '%%{init: {"securityLevel": "loose"}}%%',
        "a;b#c<script>@team",
        "\u202egnirts",
        "",
        "é" * 500,
        "a" * 500,
    ],
)
def test_no_name_is_read_as_syntax(evil: str) -> None:
    for row in rows(chart(BEGAN, {evil: 9.0}, passages(evil))):
        assert ROW.fullmatch(row), row
        assert len(row) < 120


def test_a_bar_of_no_length_is_drawn() -> None:
    (row,) = rows(chart(BEGAN, {}, [Passage(1, "green", 5, 5)]))
    assert row == f"    1 green :{NOW + 5}, {NOW + 6}"


def test_many_stretches_are_one_bar_in_the_end() -> None:
    found = rows(chart(BEGAN, {}, passages(*["a", "b"] * MAX_ROWS)))
    assert len(found) == MAX_ROWS + 1
    assert found[-1].startswith(f"    {MAX_ROWS} more stretches :")


def test_nothing_to_draw() -> None:
    assert not chart(BEGAN, {"git": 0.1}, [])
    assert not chart(None, {}, passages("a"))
