"""A sweep of 1,500 issues on the sandbox: reads, writes, their pace, a kill at the worst moment.

A benchmark, not a test: `python tests/benchmarks/triage_sweep.py [ISSUES] [BUDGET]`. Time is
simulated, so the pauses cost nothing. Exit code 1 where a limit of the platform is broken, a
comment is doubled, or reading takes more than one call for each 25 issues of a sweep.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

# pylint: disable=wrong-import-position
from nightshift.sandbox import Sandbox
from nightshift.sandbox.server import Seen
from support.backlog import Killed, Sweeper, doubled, fill, most_within, reads
from support.clock import SimulatedClock

LIMITS = ((60.0, 80), (3600.0, 500))


def main() -> int:
    """Print the figures."""
    count, budget = [*(int(word) for word in sys.argv[1:]), *(1500, 300)[len(sys.argv) - 1 :]]
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
        backlog, single, all_reads = *_reads(box.requests), reads(box)
        twice = doubled(made)
        took, minutes = perf_counter() - start, clock.monotonic() / 60
        print(f"{count} issues, two sweeps: {took:.1f} s, {minutes:.0f} simulated minutes")
    print(f"writes: {len(writes)}")
    print(f"reads of the backlog: {backlog}, of one issue before a write: {single}")
    print(f"reads in all: {all_reads}; the limit is {2 * count / 25:.0f}")
    print(f"doubled comments: {len(twice)}")
    kept = [_within(writes, *limit) for limit in LIMITS]
    return 0 if all(kept) and not twice and all_reads <= 2 * count / 25 else 1


def _within(writes: list[float], seconds: float, limit: int) -> bool:
    most = most_within(writes, seconds)
    print(f"at most {most} writes in {seconds:.0f} s; the limit is {limit}")
    return most <= limit


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
