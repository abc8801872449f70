"""Every request of a whole night fails once, in every way: each night must end like a calm one.

    python tests/exhaustive/fault_points.py [--every N] [--jobs N]

The suite runs a sample of these (tests/e2e/test_sync_faults.py).
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

# pylint: disable=wrong-import-position  # the tests' support is on no path of its own
from support.endurance import Calm, Fault, calm, disturbed, faults  # noqa: E402


def tried(known: Calm, fault: Fault) -> str:
    """What went wrong with one fault; "" where nothing did."""
    with tempfile.TemporaryDirectory(prefix="nightshift-") as folder:
        try:
            found, log = disturbed(Path(folder), fault)
        except Exception as error:  # pylint: disable=broad-exception-caught  # all are told
            found, log = None, repr(error)
    if found == known.left:
        return ""
    return f"{fault} at {known.requests[fault.number - 1]}: {found}\n{log}"


def main() -> int:
    """Try all of them; 0 where every night ended like the calm one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="only each Nth point")
    parser.add_argument("--jobs", type=int, default=2, help="so many at once")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="nightshift-") as folder:
        known = calm(Path(folder))
    points = list(faults(known))[:: given.every]
    print(f"{len(known.requests)} requests, {len(points)} fault points", flush=True)
    bad = 0
    with multiprocessing.get_context("spawn").Pool(given.jobs, maxtasksperchild=50) as pool:
        for number, wrong in enumerate(pool.imap(partial(tried, known), points), start=1):
            bad += bool(wrong)
            if wrong:
                print(wrong, flush=True)
            if number % 50 == 0:
                print(f"{number} of {len(points)}, {bad} bad", flush=True)
    print(f"{len(points)} fault points, {bad} of which end otherwise than a calm night")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
