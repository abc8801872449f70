"""A keyword that one side had added to a call, that the merge dropped, and that what is called
still takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.audits.index.callee import callee
from nightshift.sync.audits.index.facts import Kind as ParameterKind
from nightshift.sync.audits.index.facts import Use
from nightshift.sync.audits.index.resolve import Resolver
from nightshift.sync.audits.preservation.atoms import Atom, Kind
from nightshift.sync.audits.preservation.compare import Loss

RULE = "dropped-keyword"
MESSAGE = "calls {text!r} without {name}=, which the {side} had added and {callee} takes"


def find(tree: Resolver, losses: Iterable[Loss]) -> Iterator[tuple[Loss, Atom, Fault]]:
    """The lost keywords whose call certainly could still have them."""
    for loss in losses:
        for atom in loss.atoms:
            if atom.kind is Kind.KEYWORD:
                fault = _fault(tree, loss, atom)
                if fault is not None:
                    yield loss, atom, fault


def _fault(tree: Resolver, loss: Loss, atom: Atom) -> Fault | None:
    callee_name, _, rest = atom.name.partition("(")
    keyword = rest.removesuffix("=)")
    facts = tree.index.facts(loss.path)
    for use in facts.uses if facts else ():
        if use.scope == atom.scope and use.text.rpartition(".")[2] == callee_name:
            reached = _taking(tree, loss.path, use, keyword)
            if reached:
                words = {"text": use.text, "name": keyword, "side": loss.side.value}
                message = MESSAGE.format(callee=reached, **words)
                subject = Subject(loss.path, loss.side.value, keyword, use.text)
                return Fault(RULE, loss.path, message, use.line, use.column, use.scope, subject)
    return None


def _taking(tree: Resolver, path: str, use: Use, keyword: str) -> str:
    """The name of what the use calls, if it takes the keyword and does not get it by position."""
    reached = callee(tree, tree.value(path, use.ref)) if use.call else None
    if reached is None or use.call is None or use.call.star or use.call.double_star:
        return ""
    names = [p.name for p in reached.parameters if p.kind is not ParameterKind.KEYWORDS]
    if (
        keyword in names
        and keyword not in use.call.keywords
        and names.index(keyword) >= use.call.positional
    ):
        return reached.name
    return ""
