"""Runs of the action that die of SIGKILL at a chosen point, on a clock that outlives them.

The run is a process of its own, forked from a server that has loaded everything; sandbox and test
stay here. The clock is a number in a file that both have mapped.
"""

from __future__ import annotations

import contextlib
import io
import mmap
import multiprocessing
import os
import signal
import struct
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Literal

from nightshift import action
from nightshift.adapters.git.command import Command, Output
from support.endurance import Calm, Left, eventful, left
from support.night import EventClock
from support.sync_night import SyncNight

PRELOAD = ["support.killing", "nightshift.adapters.github.api", "black", "isort", "markdown_it"]
GIT_WRITES = frozenset(
    {
        "init",
        "fetch",
        "merge-tree",
        "read-tree",
        "update-index",
        "write-tree",
        "commit-tree",
        "push",
    }
)
Kind = Literal["request", "git"]


class SharedClock(EventClock):
    """A clock whose time is in a file. Things happen only while this process's own sleeper
    sleeps."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        if not file.exists():
            file.write_bytes(struct.pack("d", 0.0))
        with file.open("r+b") as opened:
            self._shared = mmap.mmap(opened.fileno(), 8)

    def monotonic(self) -> float:
        self._seconds = float(struct.unpack("d", self._shared[:8])[0])
        return self._seconds

    def now(self) -> datetime:
        self.monotonic()
        return super().now()

    def sleep(self, seconds: float) -> None:
        self.monotonic()
        super().sleep(seconds)
        self._shared[:8] = struct.pack("d", self._seconds)

    def advance(self, seconds: float) -> None:
        self.monotonic()
        super().advance(seconds)
        self._shared[:8] = struct.pack("d", self._seconds)


@dataclass(frozen=True)
class Point:
    """Where a run dies: before or after its nth request, or its nth git write."""

    kind: Kind
    number: int
    after: bool


def points(known: Calm, git_writes: int) -> Iterator[Point]:
    """All of a night."""
    counts: Sequence[tuple[Kind, int]] = (("request", len(known.requests)), ("git", git_writes))
    for kind, count in counts:
        for number in range(1, count + 1):
            yield Point(kind, number, False)
            yield Point(kind, number, True)


def killed(folder: Path, point: Point) -> tuple[Left | None, str]:
    """What a night leaves whose first run died at a point; None where the second did not get
    ready. The other is what was wrong, for people."""
    clock = SharedClock(folder / "clock")
    with eventful(folder, clock) as night:
        code = run_apart(night, folder, point)
        if code != -signal.SIGKILL:
            return None, f"the run was not killed: {code}"
        night.box.faults.clear()
        night.box.observers.clear()
        clock.advance(600)
        ran = night.run()
        return (left(night) if ran.outcome == "ready" else None), ran.log


def count_git_writes(folder: Path) -> int:
    """How many git writes a whole night makes."""
    clock, told = SharedClock(folder / "clock"), folder / "count"
    with eventful(folder, clock) as night:
        code = run_apart(night, folder, None, told)
        assert code == 0, code
    return int(told.read_text())


def run_apart(
    night: SyncNight, folder: Path, point: Point | None, told: Path | None = None
) -> int | None:
    """One run in a process of its own; its exit code."""
    at_git = point if point is not None and point.kind == "git" else None
    env = night.prepared().env
    process = _context().Process(target=_child, args=(env, folder, at_git, told))
    process.start()
    if point is not None and point.kind == "request":
        _aim(night, point, process.pid or 0)
    process.join(120)
    return process.exitcode


def _context() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOAD)
    return context


def _aim(night: SyncNight, point: Point, pid: int) -> None:
    """Kill a process at a request. It has not asked for anything yet: loading takes longer."""

    def kill(*_: object) -> None:
        os.kill(pid, signal.SIGKILL)

    if not point.after:
        night.box.faults.before(point.number, kill)
        night.box.faults.add(point.number, "reset")
        return
    seen = [0]

    def count(*_: object) -> None:
        seen[0] += 1
        if seen[0] == point.number:
            kill()

    night.box.observers.append(count)


def _child(env: Mapping[str, str], folder: Path, point: Point | None, told: Path | None) -> None:
    """The run. Its own temporary folder, since nobody tidies up behind it."""
    os.environ.clear()
    os.environ.update(env)
    tempfile.tempdir = str(folder)
    counted = _counted(point)
    with contextlib.redirect_stdout(io.StringIO()):
        code = action.main(env, clock=SharedClock(folder / "clock"))
    if told is not None:
        told.write_text(str(counted[0]))
    os._exit(code)


def _counted(point: Point | None) -> list[int]:
    """Count the git writes of this process from now on; die at one of them."""
    counted, spawn = [0], Command._spawn  # pylint: disable=protected-access

    def watched(
        self: Command,
        arguments: Sequence[str],
        stdin: bytes,
        variables: Mapping[str, str] | None,
    ) -> Output:
        if arguments[0] not in GIT_WRITES:
            return spawn(self, arguments, stdin, variables)
        counted[0] += 1
        here = point is not None and counted[0] == point.number
        if here and point is not None and not point.after:
            os.kill(os.getpid(), signal.SIGKILL)
        output = spawn(self, arguments, stdin, variables)
        if here:
            os.kill(os.getpid(), signal.SIGKILL)
        return output

    Command._spawn = watched  # type: ignore[method-assign]  # pylint: disable=protected-access
    return counted
