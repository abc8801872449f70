"""A night is killed by SIGKILL before and after every request and git write, and started again:
each must end like a calm one.

    PYTHONPATH=tests python tests/exhaustive/kill_points.py [--every N] [--jobs N]

The suite runs a sample of these (tests/e2e/test_sync_killed.py), and all calls of all ports in
process (tests/sync/test_loop_killed.py).
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from exhaustive.points import try_all
from support.endurance import Calm
from support.killing import Point, count_git_writes, killed, points


def every(known: Calm) -> Sequence[Point]:
    """All points of a night."""
    with tempfile.TemporaryDirectory(prefix="nightshift-") as folder:
        return list(points(known, count_git_writes(Path(folder))))


def main() -> int:
    """Try all of them."""
    return try_all(__doc__, "kill", every, killed)


if __name__ == "__main__":
    sys.exit(main())
