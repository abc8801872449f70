"""A night is killed by SIGKILL and started again: it ends like one that nothing disturbed. A
sample; `make kill-points` tries all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.endurance import Calm, calm
from support.killing import Point, count_git_writes, killed, points

SAMPLE = 5


@pytest.fixture(name="known", scope="module")
def _known(tmp_path_factory: pytest.TempPathFactory) -> Calm:
    return calm(tmp_path_factory.mktemp("calm"))


@pytest.fixture(name="every", scope="module")
def _every(tmp_path_factory: pytest.TempPathFactory, known: Calm) -> list[Point]:
    return list(points(known, count_git_writes(tmp_path_factory.mktemp("count"))))


@pytest.mark.parametrize("part", range(SAMPLE))
def test_a_night_that_is_killed_ends_like_a_calm_one(
    tmp_path: Path, known: Calm, every: list[Point], part: int
) -> None:
    point = every[(2 * part + 1) * len(every) // (2 * SAMPLE)]
    found, log = killed(tmp_path, point)
    assert found == known.left, f"{point} of {len(every)}\n{log}"


def test_a_night_that_is_killed_around_its_pushes_loses_no_commit(
    tmp_path: Path, known: Calm
) -> None:
    pushes = [n for n, asked in enumerate(known.requests, 1) if asked.endswith("receive-pack")]
    assert len(pushes) == 2
    for number in pushes:
        for after in (False, True):
            place = tmp_path / f"{number}-{after}"
            place.mkdir()
            found, log = killed(place, Point("request", number, after))
            assert found == known.left, log
