"""Tries many points of a night, several at once, and tells of those that went wrong."""

from __future__ import annotations

import argparse
import multiprocessing
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TypeVar

from support.endurance import Calm, Left, calm

P = TypeVar("P")

Disturb = Callable[[Path, P], tuple[Left | None, str]]
"""(an empty folder, a point) -> what the night leaves, and its log."""


def tried(disturb: Disturb[P], known: Calm, point: P) -> str:
    """What went wrong at one point; "" where nothing did."""
    with tempfile.TemporaryDirectory(prefix="nightshift-") as folder:
        try:
            found, log = disturb(Path(folder), point)
        except Exception as error:  # pylint: disable=broad-exception-caught  # all are told
            found, log = None, repr(error)
    return "" if found == known.left else f"{point}: {found}\n{log}"


def try_all(
    doc: str | None, name: str, points: Callable[[Calm], Sequence[P]], disturb: Disturb[P]
) -> int:
    """Try all points, or each Nth; 0 where every night ended like the calm one."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--every", type=int, default=1, help="only each Nth point")
    parser.add_argument("--jobs", type=int, default=2, help="so many at once")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="nightshift-") as folder:
        known = calm(Path(folder))
    wanted = points(known)[:: given.every]
    print(f"{len(known.requests)} requests, {len(wanted)} {name} points", flush=True)
    bad = 0
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(given.jobs, mp_context=context) as pool:
        waiting = [pool.submit(tried, disturb, known, point) for point in wanted]
        for number, one in enumerate(waiting, start=1):
            bad += bool(one.result())
            if one.result():
                print(one.result(), flush=True)
            if number % 50 == 0:
                print(f"{number} of {len(wanted)}, {bad} bad", flush=True)
    print(f"{len(wanted)} {name} points, {bad} of which end otherwise than a calm night")
    return 1 if bad else 0
