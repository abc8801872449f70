"""Every request of a whole night fails once, in every way: each night must end like a calm one.

    PYTHONPATH=tests python tests/exhaustive/fault_points.py [--every N] [--jobs N]

The suite runs a sample of these (tests/e2e/test_sync_faults.py).
"""

from __future__ import annotations

import sys

from exhaustive.points import try_all
from support.endurance import disturbed, faults


def main() -> int:
    """Try all of them."""
    return try_all(__doc__, "fault", lambda known: list(faults(known)), disturbed)


if __name__ == "__main__":
    sys.exit(main())
