"""What the merge engine decided, as values: the ledger's entries. No behaviour but their reading.

Each hunk that git could not merge ends as one `Resolution`, so that a reviewer can check the
decision against its evidence (sync.md, phase 1 point 3).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Method(StrEnum):
    """How a hunk, a section or a whole file was decided."""

    END_OF_LINE = "end-of-line"  # the sides differ in line endings or trailing space only
    FORMATTED = "formatted"  # merges cleanly once all sides are in the formatter's style
    STRUCTURE = "structure"  # three-way by symbol, key, entry or section
    LINES = "lines"  # three-way by line
    UNION = "union"  # both sides inserted different things at one place: both stay
    CONTAINED = "contained"  # one side's text holds all of the other's
    LINEAGE = (
        "lineage"  # history shows which side went on from the other, or the real common ancestor
    )
    HISTORY = "history"  # a deletion, move or rename that one side's history explains
    POLICY = "policy"  # the side that policy lets win
    REPAIR = "repair"  # a name or definition brought back because the merged tree needs it


class Side(StrEnum):
    """Whose text a resolution kept."""

    TARGET = "target"
    SOURCE = "source"
    BOTH = "both"
    BASE = "base"


class Confidence(StrEnum):
    """How far a resolution can be trusted; low ones are listed first for the reviewer."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Resolution:
    """One decision.

    :param span: first and last line in the result (1-based, inclusive); None where nothing of it is
        left there, or where it speaks of the whole file.
    :param evidence: commit ids that a reviewer can look at; empty where the texts alone decide.
    :param note: what it is about in a few words: the symbol, the key, the reason.
    """

    path: str
    span: tuple[int, int] | None
    method: Method
    side: Side
    evidence: tuple[str, ...] = ()
    confidence: Confidence = Confidence.MEDIUM
    note: str = ""
