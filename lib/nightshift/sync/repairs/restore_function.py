"""A function that the merge took whole from one side while its callers are the other side's: that
other side's function, alone, at its place.

Only where both sides had changed it, so that one of the two was lost in any case, and where the
call fits the other side's. Whether all other calls do too is for the audit that follows to say:
else it is undone.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from nightshift.policy.model import Side
from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.audits.index.callee import parameters_of
from nightshift.sync.audits.index.facts import Kind
from nightshift.sync.audits.index.resolve import Resolver
from nightshift.sync.audits.index.syntax import DEFINITIONS, parsed
from nightshift.sync.repairs.edits import find_class
from nightshift.sync.repairs.proposal import Bench, Proposal, text_in
from nightshift.sync.sides import other

UNKNOWN, MISSING = "unknown-keyword", "missing-argument"
WHAT = "{name} as the {side} has it, which its callers go by"


@dataclass(frozen=True, slots=True)
class _Function:
    """A function with its lines, decorators and the comments between included."""

    shape: str
    first: int
    last: int
    text: str

    @property
    def lines(self) -> list[str]:
        """How it is written."""
        return self.text.split("\n")[self.first - 1 : self.last]


def propose(bench: Bench, fault: Fault) -> Proposal | None:
    """The side's function whose parameters the call goes by."""
    subject = fault.subject
    if fault.rule not in (UNKNOWN, MISSING) or subject is None:
        return None
    text = bench.text(subject.path)
    here = _function(text, subject.owner)
    for side in (Side.TARGET, Side.SOURCE):
        if here is None or bench.given(subject.path) is other(side):
            return None
        own = _function(text_in(bench.side(side), subject.path), subject.owner)
        if own is not None and _is_lost(bench, subject, side, own, here):
            if _takes(bench.side(side), fault.rule, subject):
                return _proposal(here, own, subject, side)
    return None


def owner(bench: Bench, subject: Subject) -> Side | None:
    """The side whose function it is: policy says so, or it alone has changed it."""
    given = bench.given(subject.path)
    before = _function(text_in(bench.base, subject.path), subject.owner) if bench.base else None
    here = _function(bench.text(subject.path), subject.owner)
    if given is not None or before is None or here is None or here.shape == before.shape:
        return given
    sides = [
        side
        for side in (Side.TARGET, Side.SOURCE)
        if (one := _function(text_in(bench.side(side), subject.path), subject.owner)) is not None
        and one.shape != before.shape
    ]
    return sides[0] if len(sides) == 1 else None


def _is_lost(bench: Bench, subject: Subject, side: Side, own: _Function, here: _Function) -> bool:
    """Whether both sides had changed the function and the merge has the other's."""
    theirs = _function(text_in(bench.side(other(side)), subject.path), subject.owner)
    before = _function(text_in(bench.base, subject.path), subject.owner) if bench.base else None
    if theirs is None or here.shape != theirs.shape or own.shape == here.shape:
        return False
    return before is None or before.shape not in (own.shape, theirs.shape)


def _takes(tree: Resolver, rule: str, subject: Subject) -> bool:
    """Whether a side's function takes the keyword, or does without the argument."""
    found = parameters_of(tree, subject.path, subject.owner)
    named = {parameter.name: parameter for parameter in found or ()}
    if found is None:
        return False
    if rule == UNKNOWN:
        return subject.name in named or any(p.kind is Kind.KEYWORDS for p in found)
    return subject.name not in named or named[subject.name].default is not None


def _proposal(here: _Function, own: _Function, subject: Subject, side: Side) -> Proposal | None:
    lines = here.text.split("\n")
    mended = "\n".join([*lines[: here.first - 1], *own.lines, *lines[here.last :]])
    what = WHAT.format(name=subject.owner, side=side.value)
    now = _function(mended, subject.owner)
    if now is None or now.shape != own.shape:
        return None
    return Proposal(subject.path, mended, what, side, edit=f"{subject.owner} {side.value}")


def _function(text: str | None, name: str) -> _Function | None:
    """A function by its dotted name, where it is the only one of that name."""
    tree = parsed(text or "")
    outer, _, last = name.rpartition(".")
    holder = (find_class(tree, outer) if outer else tree) if tree else None
    found = [n for n in (holder.body if holder else ()) if getattr(n, "name", "") == last]
    if text is None or len(found) != 1 or not isinstance(found[0], DEFINITIONS):
        return None
    node = found[0]
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    return _Function(ast.dump(node), first, node.end_lineno or first, text)
