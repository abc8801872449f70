"""The edits that mend what CI found, all in one, where each is certain. Pure but for the trees it
reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nightshift.effects.values import FileChange
from nightshift.ports import Formatter
from nightshift.sync.diagnose import CAUSES
from nightshift.sync.findings import Finding, blocking
from nightshift.sync.fixes.cause import Failure, Overlay, Trees


@dataclass(frozen=True, slots=True)
class Repair:
    """What can be mended.

    :param mended: the failures that the changes answer.
    :param left: those that nobody knows how to mend for certain.
    :param broken: invariants that the changed tree breaks.
    :param by_command: whether the policy's command made them; `problem`: why it did not do its
        work, `output`: the last lines that it said. Foreign.
    """

    changes: tuple[FileChange, ...] = ()
    mended: tuple[Failure, ...] = ()
    left: tuple[Failure, ...] = ()
    broken: tuple[Finding, ...] = ()
    by_command: bool = False
    problem: str = ""
    output: tuple[str, ...] = ()

    @property
    def may_push(self) -> bool:
        """Whether there is something to push, and nothing forbids it."""
        return bool(self.changes) and not blocking(self.broken)


def plan(failures: Sequence[Failure], trees: Trees, formatter: Formatter) -> Repair:
    """One edit after the other, each on what the ones before it made."""
    data: dict[str, bytes | None] = {}
    mended: list[Failure] = []
    left: list[Failure] = []
    for failure in failures:
        fix = CAUSES[failure.cause].fix
        now = replace(trees, merged=Overlay(trees.merged, dict(data)))
        changes = None if fix is None else fix(failure, now, formatter)
        if changes is None:
            left.append(failure)
            continue
        mended.append(failure)
        data.update((change.path, change.data) for change in changes)
    edits = tuple(FileChange(path, data[path]) for path in sorted(data))
    return Repair(edits, tuple(mended), tuple(left))
