"""A definition or an import that the merge dropped: put back alone, at its place, from a side that
has it."""

from __future__ import annotations

from collections.abc import Iterator

from nightshift.policy.model import Side
from nightshift.sync.audits.fault import Fault
from nightshift.sync.fixes.restore import restore
from nightshift.sync.repairs.proposal import Bench, Proposal, text_in

WHAT = "{name!r} put back from the {side}"


def propose(bench: Bench, fault: Fault) -> Proposal | None:
    """Put back the name that a module lacks, or that a file reads without having it."""
    subject = fault.subject
    if subject is None or subject.owner or not subject.path or not subject.name:
        return None
    text = bench.text(subject.path)
    if text is None:
        return None
    for side, origin in _origins(bench, subject.path, subject.name):
        mended = restore(subject.name, text, origin)
        if mended is not None:
            what = WHAT.format(name=subject.name, side=side.value)
            return Proposal(subject.path, mended, what, side)
    return None


def _origins(bench: Bench, path: str, name: str) -> Iterator[tuple[Side, str]]:
    """The versions of the file that bind the name, the target's first: it goes on living there."""
    for side in (Side.TARGET, Side.SOURCE):
        facts = bench.side(side).index.facts(path)
        origin = text_in(bench.side(side), path)
        if facts is not None and name in facts.names and origin is not None:
            yield side, origin
