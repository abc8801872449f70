"""What checks and audits find, as values: one finding a fault, with what became of it.

Texts of findings are ours; paths and names inside them are foreign and are escaped by whoever
prints.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from nightshift.policy.model import Severity


class Disposition(StrEnum):
    """What became of a finding (sync.md, phase 1 points 8 to 10)."""

    OPEN = "open"
    RESTORED = "restored"
    REPAIRED = "repaired"
    INTENDED = "intended"


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault that a check found.

    :param rule: the check's name, in kebab case.
    :param line: 1-based line in the merged file; 0 where it speaks of the whole file.
    :param evidence: commit ids or places that a reviewer can look at.
    """

    rule: str
    severity: Severity
    path: str
    message: str
    line: int = 0
    disposition: Disposition = Disposition.OPEN
    evidence: tuple[str, ...] = ()

    @property
    def open(self) -> bool:
        """Whether nobody has dealt with it."""
        return self.disposition is Disposition.OPEN

    @property
    def blocks(self) -> bool:
        """Whether it forbids a push."""
        return self.open and self.severity is Severity.ABORT


def blocking(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that forbid a push."""
    return tuple(finding for finding in findings if finding.blocks)
