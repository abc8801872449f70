"""What people have learned of one file, as policy says it: the target's file wholesale when the
merge shows the symptom. The lessons that need no audit are in `sync.lessons`."""

from __future__ import annotations

from nightshift.policy.model import Side
from nightshift.policy.sync import FileLesson
from nightshift.sync.audits.fault import Fault
from nightshift.sync.repairs.proposal import Bench, Proposal, text_in

SYMPTOMS = frozenset(
    {"undefined-name", "unknown-attribute", "unknown-import", "unknown-keyword", "missing-argument"}
)
WHOLE = "the target's file, as policy says of this symptom"


def propose(bench: Bench, fault: Fault, lessons: tuple[FileLesson, ...]) -> Proposal | None:
    """The target's file, where the merge calls what does not exist and policy says so."""
    for lesson in lessons:
        wanted = lesson.path == fault.path and lesson.when == "undefined-call"
        if wanted and lesson.take == "target" and fault.rule in SYMPTOMS:
            text = text_in(bench.target, fault.path)
            if text is not None and text != bench.text(fault.path):
                return Proposal(fault.path, text, WHOLE, Side.TARGET)
    return None
