"""One whole night, disturbed at one request or killed at one point: what it leaves must be what an
undisturbed night leaves.

The night has something of everything: a fix, a run on the same commit again, a failure that the
target has too, an earlier sync that is superseded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import black
import pytest

from nightshift import action
from nightshift.adapters.github.adapter import GitHubAdapter
from nightshift.sandbox.ci import Job, Tree
from nightshift.sandbox.faults import Kind
from nightshift.sync import marker
from support.night import EventClock
from support.sandbox import commit
from support.sync_night import SyncNight, details, gated

FAULTS: tuple[Kind, ...] = ("500", "502", "timeout", "reset", "secondary", "429", "graphql-error")
LOST: tuple[Kind, ...] = ("500", "502", "timeout", "reset", "graphql-error")
"""Those that may strike after the deed."""
NETWORK = "E: Failed to fetch http://mirror.invalid/x  Connection timed out\n"
TEST = "FAILED tests/test_types.py::test_all - AssertionError\n"
PATIENCE, HANG = 1.0, 2.0
"""Seconds that a client waits for an answer, and that a request hangs that gets none."""


def plan(tree: Tree) -> Sequence[Job]:
    """Formatting fails first, then the network once; one failure is the target's own."""
    text = (tree.read("pkg/new.py") or b"").decode()
    bad = black.format_str(text, mode=black.Mode()) != text
    lint = Job(
        "lint",
        conclusion="failure" if bad else "success",
        log="would reformat pkg/new.py\n" if bad else "",
    )
    types = Job("types", conclusion="failure", log=TEST)
    if bad:
        return gated(lint, types)
    return gated(lint, types, Job("unit", conclusion=("failure", "success"), log=(NETWORK, "")))


@contextmanager
def eventful(folder: Path, clock: EventClock | None = None) -> Iterator[SyncNight]:
    """The night before its run: a feature has landed on which `types` failed, and an earlier sync
    stands that the source has left behind."""
    with SyncNight(folder, plan, main={"pkg/new.py": "x=1\n"}, clock=clock) as night:
        made = night.repository
        sha = commit(made, "feature", {"feature": "x\n"}, parent="dev")
        landed = made.add_pull("A feature", head="feature", base="dev", author="ann")
        made.add_check_run(
            sha, "types", run=made.add_run(sha, "CI"), conclusion="failure", log=TEST
        )
        made.land(landed)
        _earlier(night)
        night.clock.advance(3600)
        yield night


def _earlier(night: SyncNight) -> None:
    """A sync of yesterday, of what main was then."""
    made = night.repository
    base, dev = (made.git.resolve(name) or "" for name in ("main^", "dev"))
    commit(made, "sync/2026-03-01", {"old": "x\n"}, parent="dev", message="An old sync")
    head = made.git.git(
        "-c", "user.name=nightshift", "-c", "user.email=nightshift@users.noreply.github.com",
        "commit-tree", "-p", dev, "-p", base, "-m", "Merge main into dev", "sync/2026-03-01^{tree}",
    ).decode().strip()  # fmt: skip
    made.git.set_ref("refs/heads/sync/2026-03-01", head)
    body = marker.head(marker.Marker("main", "dev", base, dev, head, ()))
    made.add_pull("Yesterday's", body, head="sync/2026-03-01", base="dev", draft=True)


@dataclass(frozen=True)
class Left:
    """What a night leaves, without what depends on when it happened."""

    pulls: tuple[tuple[str, bool, bool], ...]
    labels: tuple[str, ...]
    tree: str
    subjects: tuple[str, ...]
    commands: int
    final_comments: int
    comments: int
    attempts: tuple[int, ...]
    evidence: bool


def left(night: SyncNight) -> Left:
    """The state of the world."""
    made, pull = night.repository, night.pull
    commands = night.said("/ok to test")
    assert len(commands) == len(set(commands)), "one command for each head"
    return Left(
        pulls=tuple((details(one).head_ref, one.open, details(one).draft) for one in night.pulls),
        labels=tuple(sorted(label.name for label in pull.labels)),
        tree=_tree(night),
        subjects=tuple(night.subjects()),
        commands=len(commands),
        final_comments=len(night.said("ready for review")),
        comments=len(pull.comments),
        attempts=tuple(run.attempt for run in made.runs.values()),
        evidence="Failures that the target has too" in (pull.body or ""),
    )


def _tree(night: SyncNight) -> str:
    return night.repository.git.git("rev-parse", f"{night.head}^{{tree}}").decode().strip()


@contextmanager
def impatient() -> Iterator[None]:
    """A client that does not wait a minute for an answer."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(action, "GitHubAdapter", partial(GitHubAdapter, timeout=PATIENCE))
        yield


@dataclass(frozen=True)
class Calm:
    """A night that nothing disturbed: what it left, and its requests as (method, path)."""

    left: Left
    requests: tuple[str, ...]


def calm(folder: Path) -> Calm:
    """An undisturbed night."""
    with eventful(folder) as night:
        ran = night.run()
        assert ran.outcome == "ready", ran.log
        asked = tuple(f"{seen.method} {seen.path}" for seen in night.box.requests)
        return Calm(left(night), asked)


@dataclass(frozen=True)
class Fault:
    """One request of a night fails once.

    :param after: whether what it asked for is done all the same.
    """

    number: int
    kind: Kind
    after: bool = False


def faults(known: Calm) -> Iterator[Fault]:
    """Every request of a night with every kind of fault that can meet it."""
    for number, asked in enumerate(known.requests, start=1):
        for kind in FAULTS:
            if kind != "graphql-error" or asked.endswith("/graphql"):
                yield Fault(number, kind)
                if kind in LOST and not asked.startswith("GET"):
                    yield Fault(number, kind, after=True)


def disturbed(folder: Path, fault: Fault) -> tuple[Left | None, str]:
    """What a night with a fault leaves (None where it did not get ready), and its log."""
    with eventful(folder) as night, impatient():
        night.box.faults.longest_hang = HANG
        night.box.faults.add(fault.number, fault.kind, after=fault.after, retry_after=7)
        ran = night.run()
        return (left(night) if ran.outcome == "ready" else None), ran.log
