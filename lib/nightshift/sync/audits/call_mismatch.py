"""A call that does not fit the definition it certainly reaches: unknown keyword, too many
arguments, a required parameter without argument (`init_chunk_handler()` with 3 arguments where 6
are required)."""

from __future__ import annotations

from collections.abc import Iterator

from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.audits.index.callee import Callee, callee
from nightshift.sync.audits.index.facts import Facts, Use
from nightshift.sync.audits.index.resolve import Resolver
from nightshift.sync.audits.index.signature import Clash, clashes

UNKNOWN = "unknown-keyword"
MISSING = "missing-argument"
MANY = "too-many-arguments"
RULES = {"unknown": UNKNOWN, "missing": MISSING, "many": MANY}
MESSAGES = {
    "unknown": "calls {text!r} with the keyword {name!r}, which {callee} does not take",
    "missing": "calls {text!r} without {name!r}, which {callee} requires",
    "many": "calls {text!r} with too many arguments: {name} of {callee}",
}


def check(tree: Resolver, path: str, facts: Facts) -> Iterator[Fault]:
    """Calls that would raise TypeError."""
    for use in facts.uses:
        if use.call is not None and not use.guarded:
            reached = callee(tree, tree.value(path, use.ref))
            if reached is not None:
                for clash in clashes(reached.parameters, use.call):
                    yield _fault(path, use, reached, clash)


def _fault(path: str, use: Use, reached: Callee, clash: Clash) -> Fault:
    where = f"{reached.name} of {reached.path}"
    message = MESSAGES[clash.kind].format(text=use.text, name=clash.name, callee=where)
    subject = Subject(reached.path, reached.name, clash.name, use.text)
    return Fault(RULES[clash.kind], path, message, use.line, use.column, use.scope, subject)
