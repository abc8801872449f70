"""`args.<name>` that no argument parser of the tree defines, and that nothing sets."""

from __future__ import annotations

from collections.abc import Iterator

from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.audits.index.facts import Facts
from nightshift.sync.audits.index.options import defined
from nightshift.sync.audits.index.resolve import Resolver

RULE = "unknown-argument"
MESSAGE = "reads args.{name}, which no argument parser defines"


def check(tree: Resolver, path: str, facts: Facts) -> Iterator[Fault]:
    """Reads of arguments that do not exist."""
    known = defined(tree) if facts.reads else frozenset()
    for read in facts.reads:
        if read.text not in known:
            subject = Subject(path, "", read.text, read.text)
            yield Fault(
                RULE, path, MESSAGE.format(name=read.text), read.line, 0, read.scope, subject
            )
