"""A call with a keyword that what it calls does not take: renamed with its parameter, or called as
the side calls it whose definition it is.

Renamed only where each side's definition has one of the two names and there is one such pair. A
keyword is left out only where the definition is one side's beyond doubt (policy says so, or that
side alone has changed it), and that side's own call in the same place does without it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nightshift.policy.model import Side
from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.audits.index.callee import parameters_of
from nightshift.sync.audits.index.resolve import Resolver
from nightshift.sync.audits.index.syntax import parsed
from nightshift.sync.repairs.edits import calls, replace_keyword
from nightshift.sync.repairs.proposal import Bench, Proposal, text_in
from nightshift.sync.repairs.rename import alike
from nightshift.sync.repairs.restore_function import owner

RENAMED = "hands over {new}=, as {owner} names {old!r} now"
LEFT_OUT = "calls {text!r} without {old}=, as the {side} does, whose {owner} it is"


def renamed(bench: Bench, fault: Fault) -> Proposal | None:
    """The keyword under the parameter's new name, with the value that the other side hands over."""
    subject, call = fault.subject, _call(bench, fault)
    new = _new_name(bench, subject) if subject else None
    text = bench.text(fault.path)
    if subject is None or call is None or text is None or new is None or new[0] in _keywords(call):
        return None
    name, side = new
    value = _value(text_in(bench.side(side), fault.path), fault, subject.text, name)
    mended = replace_keyword(text, call, subject.name, name, value)
    what = RENAMED.format(new=name, owner=subject.owner, old=subject.name)
    return None if mended is None else Proposal(fault.path, mended, what, side)


def left_out(bench: Bench, fault: Fault) -> Proposal | None:
    """The call without the keyword, as the side calls it whose definition it is."""
    subject, call, text = fault.subject, _call(bench, fault), bench.text(fault.path)
    side = owner(bench, subject) if subject else None
    if subject is None or call is None or text is None or side is None:
        return None
    own = list(_calls(text_in(bench.side(side), fault.path), fault, subject.text))
    if len(own) != 1 or subject.name in _keywords(own[0]):
        return None
    mended = replace_keyword(text, call, subject.name, None, None)
    words = {"text": subject.text, "old": subject.name, "owner": subject.owner}
    what = LEFT_OUT.format(side=side.value, **words)
    return None if mended is None else Proposal(fault.path, mended, what, side)


def _new_name(bench: Bench, subject: Subject) -> tuple[str, Side] | None:
    """What a parameter is called now, and the side that calls it so."""
    now = _names(bench.merged, subject)
    for side, other in ((Side.TARGET, Side.SOURCE), (Side.SOURCE, Side.TARGET)):
        here, there = (_names(bench.side(one), subject) for one in (side, other))
        if subject.name in here or subject.name not in there:
            continue
        fresh = [n for n in now if n in here and n not in there and alike(subject.name, n)]
        if len(fresh) == 1:
            return fresh[0], side
    return None


def _names(tree: Resolver, subject: Subject) -> tuple[str, ...]:
    found = parameters_of(tree, subject.path, subject.owner)
    return tuple(parameter.name for parameter in found or ())


def _call(bench: Bench, fault: Fault) -> ast.Call | None:
    """The one call in the fault's scope that hands the keyword over."""
    subject = fault.subject
    if subject is None:
        return None
    found = [
        call
        for call in _calls(bench.text(fault.path), fault, subject.text)
        if subject.name in _keywords(call)
    ]
    return found[0] if len(found) == 1 else None


def _calls(text: str | None, fault: Fault, callee: str) -> Iterator[ast.Call]:
    tree = parsed(text or "")
    if tree is not None:
        yield from calls(tree, callee, fault.scope)


def _keywords(call: ast.Call) -> set[str]:
    return {keyword.arg for keyword in call.keywords if keyword.arg}


def _value(text: str | None, fault: Fault, callee: str, name: str) -> str | None:
    """What a side hands over under a name in the fault's scope; None where it is not one thing."""
    found = {
        ast.get_source_segment(text or "", keyword.value)
        for call in _calls(text, fault, callee)
        for keyword in call.keywords
        if keyword.arg == name
    }
    return found.pop() if len(found) == 1 else None
