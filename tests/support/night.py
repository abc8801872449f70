"""A night's sync in memory: a small repository, a candidate, and runs of the real loop and writer.

The world is `support.fakes`; everything else is what a real run uses: mode, phases, guard, writer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from nightshift import app
from nightshift.effects.apply import World, apply
from nightshift.policy.sync import SyncPolicy
from nightshift.ports import Commands
from nightshift.step import Ending, Mode, Report
from nightshift.sync.candidate import Candidate, Stats
from nightshift.sync.collect import SyncPorts
from nightshift.sync.facts import SyncFacts, SyncRequest
from nightshift.sync.findings import Finding
from nightshift.sync.guard import sync_guard
from nightshift.sync.mode import sync_mode
from support.clock import SimulatedClock
from support.fakes import FakeGit, Switch
from support.hub import FakeHub, Job, Plan

BASE = {"pkg/ops.py": "def rest():\n    return 2\n", "CODEOWNERS": "* @dev\n"}
GATHER = "def gather():\n    return 1\n"
DEV = {**BASE, "pkg/ops.py": f"{GATHER}\n\n{BASE['pkg/ops.py']}"}
MAIN = {**BASE, "pkg/new.py": "x = 1\n"}
MERGED = {**DEV, **MAIN, "pkg/ops.py": DEV["pkg/ops.py"]}

POLICY = SyncPolicy.model_validate(
    {
        "mode": "sync",
        "branch": "main2dev/{date}",
        "hold-label": "hold",
        "paths": {"never-touch": ["/CODEOWNERS"]},
        "pull-request": {"labels": ["run all"]},
        "ci": {
            "trigger": "/ok to test {sha}",
            "sentinels": ["Gate"],
            "exempt": ["codecov"],
            "needs-maintainer": ["gpu"],
        },
    }
)


class EventClock(SimulatedClock):
    """A clock on which things happen while somebody sleeps."""

    def __init__(self) -> None:
        super().__init__()
        self._events: list[tuple[float, Callable[[], object]]] = []

    def at(self, minutes: float, happen: Callable[[], object]) -> None:
        """Let something happen, so many minutes from now."""
        self._events.append((self.monotonic() + 60 * minutes, happen))

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        due = [event for event in self._events if event[0] <= self.monotonic()]
        self._events = [event for event in self._events if event not in due]
        for _, happen in due:
            happen()


@dataclass
class QuietRunner:
    """`ports.Runner` that keeps what it is told."""

    # pylint: disable=unused-argument  # the port's parameters

    lines: list[str] = field(default_factory=list)
    outputs: dict[str, str] = field(default_factory=dict)
    summaries: list[str] = field(default_factory=list)

    def info(self, text: str) -> None:
        self.lines.append(text)

    def annotate(
        self, level: str, text: str, *, title: str = "", file: str = "", line: int = 0
    ) -> None:
        self.lines.append(f"{level}: {text}")

    @contextmanager
    def group(self, title: str) -> Iterator[None]:
        yield

    def output(self, name: str, value: str) -> None:
        self.outputs[name] = value

    def summary(self, markdown: str) -> None:
        self.summaries.append(markdown)

    def mask(self, secret: str) -> None:
        raise AssertionError("sync masks nothing")


@dataclass
class Ended:
    """How a run ended: what it told the runner, and the facts that it saw last."""

    code: int
    runner: QuietRunner
    ending: Ending | None = None

    @property
    def outcome(self) -> str:
        """The outcome, as the action's output has it."""
        return self.runner.outputs["outcome"]

    @property
    def reason(self) -> str:
        """Why, in one line."""
        assert self.ending is not None
        return self.ending.reason


def green(_files: Mapping[str, str]) -> list[Job]:
    """A CI in which all is well."""
    return [Job("unit"), Job("lint")]


class Night:
    """A world in which syncs run.

    :param merged: the files of the merge commit.
    :param findings: of the candidate.
    """

    def __init__(
        self,
        plan: Plan = green,
        *,
        merged: Mapping[str, str] | None = None,
        policy: SyncPolicy = POLICY,
        findings: tuple[Finding, ...] = (),
    ) -> None:
        self.clock = EventClock()
        self.switch = Switch()
        self.policy = policy
        self.findings = findings
        self.merged = dict(MERGED if merged is None else merged)
        self.git = FakeGit(self.clock, self.switch)
        self.hub = FakeHub(self.git, self.switch, plan, labels={"run all", "hold"})
        base = self.git.make(BASE)
        self.git.make(DEV, base, branch=policy.target, subject="dev's work")
        self.git.make(MAIN, base, branch=policy.source, subject="main's work")

    def candidate(self) -> Candidate:
        """What `prepare` makes: a new commit whenever it is made at another time."""
        target, source = (
            self.git.branches[name] for name in (self.policy.target, self.policy.source)
        )
        who = self.policy.commit.name
        commit = self.git.make(self.merged, target, source, author=who, subject="Merge main")
        return Candidate(
            target_ref=self.policy.target,
            source_ref=self.policy.source,
            target=target,
            source=source,
            merge_bases=(),
            commit=commit,
            tree=self.git.commit(commit).tree,
            conflicts=("pkg/ops.py",),
            findings=self.findings,
            stats=Stats(1, 2, 3, 4),
        )

    def run(
        self,
        *,
        hours: float = 5,
        dry_run: bool = False,
        formatter: Callable[[str, str], str] | None = None,
        commands: Commands | None = None,
    ) -> Ended:
        """One run, from a fresh process's point of view."""
        runner = QuietRunner()
        request = SyncRequest(
            self.clock.now(), self.clock.now() + timedelta(hours=hours), dry_run=dry_run
        )
        ports = SyncPorts(self.hub, self.git, formatter or _strip, commands)  # type: ignore[arg-type]
        mode = sync_mode(ports, self.policy, request, self.candidate())
        ended = Ended(0, runner)
        world = World(self.hub, self.clock, runner, self.git)  # type: ignore[arg-type]
        guard = sync_guard(self.policy)
        ended.code = app.run(
            _watched(mode, ended),
            lambda effects: apply(effects, world, guard, dry_run=dry_run),
            self.clock,
            runner,
            app.Limits(hours * 3600 + 60, dry_run),
        )
        return ended

    @property
    def pull(self) -> int:
        """The number of the one open pull request."""
        (number,) = [number for number, pull in self.hub.pulls.items() if pull.open]
        return number

    @property
    def branch(self) -> str:
        """Its branch."""
        return self.hub.pulls[self.pull].head_ref

    @property
    def head(self) -> str:
        """What its branch points at."""
        return self.git.branches[self.branch]

    def said(self, start: str) -> list[str]:
        """The bodies of the pull request's comments that contain something."""
        return [one.body for one in self.hub.threads[self.pull] if start in one.body]

    def person_pushes(self, files: Mapping[str, str], subject: str = "By hand") -> str:
        """A person commits to the sync branch."""
        return self.git.make(
            {**self.git.files(self.head), **files}, self.head, subject=subject, branch=self.branch
        )


def _watched(mode: Mode[SyncFacts], ended: Ended) -> Mode[SyncFacts]:
    def report(facts: SyncFacts | None, ending: Ending) -> Report:
        ended.ending = ending
        return mode.report(facts, ending)

    return Mode(mode.name, mode.collect, mode.decide, report)


def _strip(_path: str, text: str) -> str:
    """A style in which no line ends in a blank."""
    return "\n".join(line.rstrip() for line in text.split("\n"))
