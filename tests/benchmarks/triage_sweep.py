"""A sweep of 1,500 issues on the sandbox: reads, writes, their pace, and a kill at the worst
moment.

A benchmark, not a test: run it by hand, `python tests/benchmarks/triage_sweep.py [ISSUES]
[BUDGET]`. Time is simulated, so the pauses cost nothing. Exit code 1 where a limit of the platform is broken, a comment is
doubled, or the reading of the backlog takes more than one call for each 25 issues.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

# pylint: disable=wrong-import-position
from nightshift.sandbox import Sandbox
from nightshift.sandbox.server import Seen
from support.backlog import Killed, Sweeper, doubled, fill, most_within
from support.clock import SimulatedClock

MINUTE, HOUR = (60.0, 80), (3600.0, 500)


def main() -> int:
    """Print the figures."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
    budget = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    clock = SimulatedClock()
    writes: list[float] = []
    with Sandbox(clock=clock) as box:
        made = fill(box, count, clock)
        box.observers.append(lambda request, _: _note(request.method, request.path, writes, clock))
        sweeper, start = Sweeper(box, clock), perf_counter()
        try:
            sweeper.sweep(budget, kill_after=9)
        except Killed:
            print(f"killed after {len(writes)} writes")
        sweeper.sweep(budget)
        backlog, single = _reads(box.requests)
        twice = doubled(made)
        took, minutes = perf_counter() - start, clock.monotonic() / 60
        print(f"{count} issues, two sweeps: {took:.1f} s, {minutes:.0f} simulated minutes")
    per_minute, per_hour = most_within(writes, MINUTE[0]), most_within(writes, HOUR[0])
    print(f"writes: {len(writes)}, at most {per_minute} a minute and {per_hour} an hour")
    print(f"reads of the backlog: {backlog}, of one issue before a write: {single}")
    print(f"doubled comments: {len(twice)}")
    good = per_minute <= MINUTE[1] and per_hour <= HOUR[1] and not twice
    return 0 if good and backlog <= 2 * count / 25 else 1


def _note(method: str, path: str, writes: list[float], clock: SimulatedClock) -> None:
    if method == "POST" and not path.endswith("/graphql"):
        writes.append(clock.monotonic())


def _reads(requests: list[Seen]) -> tuple[int, int]:
    """(calls for the backlog, calls for a single issue)."""
    queries = [seen.body for seen in requests if seen.path.endswith("/graphql")]
    backlog = sum(b"query backlog" in body for body in queries)
    return backlog, len(queries) - backlog


if __name__ == "__main__":
    sys.exit(main())
