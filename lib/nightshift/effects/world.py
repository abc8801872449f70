"""The ports that the writer needs, and the little it remembers within a run."""

from __future__ import annotations

from dataclasses import dataclass, field

from nightshift.effects.pacer import Pacer
from nightshift.ports import Clock, Git, GitHub, Runner

PAUSE = "waiting {seconds:.0f} s before the next write: GitHub's limits."
TOLD_FROM = 30.0


@dataclass(slots=True)
class Memory:
    """What a run remembers: when it wrote, and which labels there are (None: not asked yet)."""

    pacer: Pacer = field(default_factory=Pacer)
    labels: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class World:
    """What effects are applied to. Make one for a run: the limits of writing count over all of it.

    :param git: None where a mode has no git.
    """

    github: GitHub
    clock: Clock
    runner: Runner
    git: Git | None = None
    memory: Memory = field(default_factory=Memory, compare=False)

    def labels(self) -> frozenset[str]:
        """The labels that the repository has, read once a run."""
        if self.memory.labels is None:
            # pylint: disable-next=assignment-from-no-return  # it takes the port for the deed
            self.memory.labels = self.github.label_names()
        return self.memory.labels

    def pace(self) -> None:
        """Wait until GitHub welcomes a write, and count it."""
        seconds = self.memory.pacer.wait(self.clock.monotonic())
        if seconds > TOLD_FROM:
            self.runner.info(PAUSE.format(seconds=seconds))
        if seconds > 0:
            self.clock.sleep(seconds)
        self.memory.pacer.wrote(self.clock.monotonic())
