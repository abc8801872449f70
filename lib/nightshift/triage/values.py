"""What triage judges and decides, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from nightshift.outcome import Outcome
from nightshift.triage.weigh import Evidence


class Confidence(StrEnum):
    """How sure a judgement is. HIGH: named as the subject, or an error belongs to it; MEDIUM:
    probable from context; LOW: no code, no trace, no API."""

    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"


class Kind(StrEnum):
    """What an issue asks for."""

    BUG = "bug"
    FEATURE = "feature"
    ENHANCEMENT = "enhancement"


class Reproduction(StrEnum):
    """Whether anyone could follow the report."""

    PRESENT = "present"
    MISSING = "missing"
    NOT_NEEDED = "not needed"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A target that was chosen, how surely, and why."""

    label: str
    confidence: Confidence
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was read out of an issue, before any step decides what to do about it.

    :param scope: confidence that `in_scope` is right.
    :param team: the team that the text speaks for, or the one that the issue has already.
    :param modules: strongest first; LOW ones are shown, never added.
    :param speed: a request about speed.
    :param criteria: names of the high-priority criteria that hold, with their evidence.
    """

    in_scope: bool
    scope: Confidence
    scope_evidence: tuple[Evidence, ...]
    team: Verdict
    modules: tuple[Verdict, ...]
    kind: Kind
    kind_evidence: tuple[Evidence, ...]
    speed: bool
    criteria: tuple[Verdict, ...]
    reproduction: Reproduction
    reproduction_reason: str

    @property
    def high_priority(self) -> bool:
        """Whether any criterion holds."""
        return bool(self.criteria)


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do about an issue.

    :param add_labels: in the order in which they are added; none of them is on the issue.
    :param comment: the template to post, None for none.
    :param reasons: one line for each thing that the steps did or left, ours alone, no foreign text.
    """

    number: int
    outcome: Outcome
    add_labels: tuple[str, ...]
    comment: str | None
    judgement: Judgement
    reasons: tuple[str, ...] = ()

    @property
    def writes(self) -> bool:
        """Whether it changes anything."""
        return bool(self.add_labels or self.comment)
