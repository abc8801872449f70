"""Conflicts as folders: those that come out as they should, and honestly those that do not yet."""

from __future__ import annotations

import pytest

from support.merging import Case, cases


@pytest.mark.parametrize("case", cases("working"), ids=lambda case: case.folder.name)
def test_comes_out_as_it_should(case: Case) -> None:
    assert case.merge().data == case.stage("expected"), case.told["why"]


@pytest.mark.parametrize("case", cases("failing"), ids=lambda case: case.folder.name)
def test_fails_as_told(case: Case) -> None:
    """What comes out today is written down beside the ideal; the day it changes, this test says
    so."""
    data = case.merge().data
    assert data != case.stage("expected"), f"{case.folder.name} works now: move it to working"
    assert data == case.stage("today")


def test_there_are_enough_of_them() -> None:
    assert len(cases("working")) + len(cases("failing")) >= 60


@pytest.mark.parametrize("case", cases("working"), ids=lambda case: case.folder.name)
def test_the_ledger_points_into_the_result(case: Case) -> None:
    merged = case.merge()
    lines = (merged.data or b"").decode("utf-8", "surrogateescape").split("\n")
    for entry in merged.resolutions:
        assert entry.path == case.told["path"]
        if entry.span is not None:
            assert 1 <= entry.span[0] <= entry.span[1] <= len(lines)
