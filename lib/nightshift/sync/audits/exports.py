"""A name in `__all__` that the module does not have."""

from __future__ import annotations

from collections.abc import Iterator

from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.audits.index.facts import Facts
from nightshift.sync.audits.index.resolve import Missing, Resolver
from nightshift.sync.audits.index.tree import module_name

RULE = "unknown-export"
MESSAGE = "__all__ names {name!r}, which the module does not have"


def check(tree: Resolver, path: str, facts: Facts) -> Iterator[Fault]:
    """Exports of nothing."""
    for export in facts.exports:
        if isinstance(tree.member(module_name(path), export.text), Missing):
            message = MESSAGE.format(name=export.text)
            yield Fault(RULE, path, message, export.line, subject=Subject(path, "", export.text))
