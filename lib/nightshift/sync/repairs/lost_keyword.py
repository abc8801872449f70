"""A keyword that the merge dropped from a call, though the side that added it and the definition
still have it."""

from __future__ import annotations

from nightshift.policy.model import Side
from nightshift.sync.audits.dropped_keyword import RULE
from nightshift.sync.audits.fault import Fault
from nightshift.sync.audits.index.syntax import parsed
from nightshift.sync.repairs.edits import add_keyword, calls
from nightshift.sync.repairs.missing_argument import keyword_value
from nightshift.sync.repairs.proposal import Bench, Proposal, text_in

WHAT = "{text!r} is handed {name}= again, as the {side} does"


def propose(bench: Bench, fault: Fault) -> Proposal | None:
    """Hand the keyword over again, where there is one call in this scope that lacks it."""
    subject, text = fault.subject, bench.text(fault.path)
    tree = parsed(text or "")
    if fault.rule != RULE or subject is None or text is None or tree is None:
        return None
    side = Side(subject.owner)
    value = keyword_value(text_in(bench.side(side), fault.path), subject, fault.scope)
    found = list(calls(tree, subject.text, fault.scope))
    if value is None or len(found) != 1 or subject.name in {k.arg for k in found[0].keywords}:
        return None
    mended = add_keyword(text, found[0], subject.name, value)
    what = WHAT.format(text=subject.text, name=subject.name, side=side.value)
    return None if mended is None else Proposal(fault.path, mended, what, side)
