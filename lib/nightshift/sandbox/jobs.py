"""What a CI plan is made of: jobs, the moments at which they move, and the pushed tree.

Data only; `progress` moves it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nightshift.sandbox.gitstore import GitStore


@dataclass(frozen=True, slots=True)
class After:
    """A moment: so many reads of the rollup and so many seconds after CI started."""

    polls: int = 0
    seconds: float = 0

    def reached(self, polls: int, seconds: float) -> bool:
        """Whether the moment has come."""
        return polls >= self.polls and seconds >= self.seconds


NEVER = After(polls=1 << 40)


@dataclass(frozen=True, slots=True)
class Job:
    """One check of a plan.

    :param workflow: the Actions workflow it belongs to; "" for another app's check run.
    :param context: whether it is a status context of an external system rather than a check run.
    :param conclusion: how it ends, by attempt (the last one repeats); a context ends in that state.
    :param log: what it printed, likewise by attempt; None: the log has expired.
    :param appears: when it shows at all.
    :param starts: when a check run begins to run.
    :param ends: when it is done.
    :param first: its status (a context's state) before it runs; "" for `queued` and `pending`.
    :param required: whether branch protection asks for it.
    :param collects: a gate: ends after all other check runs, in failure if one of them failed.
    :param url: where it says its details are; "" for the job's own page.
    """

    name: str
    workflow: str = "CI"
    context: bool = False
    conclusion: str | tuple[str, ...] = "success"
    log: str | None | tuple[str | None, ...] = ""
    appears: After = After()
    starts: After = After(polls=1)
    ends: After = After(polls=2)
    first: str = ""
    required: bool = False
    collects: bool = False
    url: str = ""

    def conclusion_of(self, attempt: int) -> str:
        """How an attempt ends, counted from 1."""
        if isinstance(self.conclusion, str):
            return self.conclusion
        return self.conclusion[min(attempt, len(self.conclusion)) - 1]

    def log_of(self, attempt: int) -> str | None:
        """What an attempt printed, counted from 1."""
        if self.log is None or isinstance(self.log, str):
            return self.log
        return self.log[min(attempt, len(self.log)) - 1]


class Tree:
    """The pushed commit, for a plan that looks into it."""

    def __init__(self, store: GitStore, sha: str) -> None:
        self.sha = sha
        self.store = store
        entries = store.listing(sha, recursive=True)
        self._oids = {entry.path: entry.oid for entry in entries if entry.kind == "blob"}

    def paths(self) -> list[str]:
        """The paths of all files, sorted."""
        return sorted(self._oids)

    def read(self, path: str) -> bytes | None:
        """A file's bytes; None where there is no such file."""
        oid = self._oids.get(path)
        return None if oid is None else self.store.blob(oid)


Plan = Callable[[Tree], Sequence[Job]]
"""What CI does with a commit, decided by looking at it."""

Round = Plan | Sequence[Job]
