"""What the audit is given and what it gives back. Values and protocols only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from nightshift.merge.cascade import Past
from nightshift.policy.model import Side
from nightshift.ports import TreeView
from nightshift.sync.findings import Finding


@dataclass(frozen=True, slots=True)
class Trees:
    """The four trees of a merge."""

    base: TreeView
    target: TreeView
    source: TreeView
    merged: TreeView


class History(Protocol):
    """What a side did to a path since the merge base; asked only about paths where something is
    lost."""

    def past(self, side: Side, path: str) -> Sequence[Past]:
        """The versions of a path on a side, newest first."""
        ...

    def deletion(self, side: Side, path: str) -> str:
        """The commit with which a side deleted a path; "" where it did not."""
        ...


class NoHistory:
    """A history that knows nothing: every loss stays open."""

    def past(self, side: Side, path: str) -> Sequence[Past]:
        """None."""
        del side, path
        return ()

    def deletion(self, side: Side, path: str) -> str:
        """None."""
        del side, path
        return ""


@dataclass(frozen=True, slots=True)
class Complaint:
    """What a type checker says of a tree."""

    path: str
    line: int
    rule: str
    message: str


TypeChecker = Callable[[TreeView], Sequence[Complaint]]
"""A tree -> everything that the checker says of it. See `adapters.tools.ty`."""


@dataclass(frozen=True, slots=True)
class AuditResult:
    """What the audit found and mended.

    :param changes: path -> new bytes, to be laid over the merged tree.
    :param findings: every fault and loss with what became of it, in order of path and line.
    :param seconds: rule or step -> seconds.
    :param unchecked: why the type checker gave no answer, "" where it did or was not asked.
    """

    changes: Mapping[str, bytes] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    unchecked: str = ""
