"""A module that one side deleted and that the merged tree still imports: its file comes back from
the side that has it (sync.md, phase 1 point 9), and is reported."""

from __future__ import annotations

from collections.abc import Iterator

from nightshift.policy.model import Side
from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.repairs.proposal import Bench, Proposal, text_in

WHAT = "{path} is back from the {side}, which has it still"
PACKAGE = "/__init__.py"


def propose(bench: Bench, fault: Fault) -> Proposal | None:
    """The file of the module that is imported in vain."""
    for path in _paths(fault.subject) if fault.subject else ():
        for side in (Side.TARGET, Side.SOURCE):
            text = text_in(bench.side(side), path)
            if text is not None and bench.text(path) is None:
                return Proposal(path, text, WHAT.format(path=path, side=side.value), side)
    return None


def _paths(subject: Subject) -> Iterator[str]:
    """Where the module may have stood: the one that is named, or the name in its package."""
    stem = subject.path.removesuffix(".py")
    yield from (f"{stem}.py", f"{stem}{PACKAGE}")
    if subject.path.endswith(PACKAGE) and subject.name:
        inner = f"{subject.path.removesuffix(PACKAGE)}/{subject.name}"
        yield from (f"{inner}.py", f"{inner}{PACKAGE}")
