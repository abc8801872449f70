"""A name that is imported from a module of the tree which has no such name, or no such module."""

from __future__ import annotations

from collections.abc import Iterator

from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.audits.index.facts import Facts, Import
from nightshift.sync.audits.index.resolve import Missing, Resolver

RULE = "unknown-import"
NO_NAME = "imports {name!r} from {module}, which has no such name"
NO_MODULE = "imports {module}, which does not exist"


def check(tree: Resolver, path: str, facts: Facts) -> Iterator[Fault]:
    """Imports in vain. One that the file expects to fail is left out."""
    for found in facts.imports:
        if not found.guarded:
            yield from _check(tree, path, found)


def _check(tree: Resolver, path: str, found: Import) -> Iterator[Fault]:
    index = tree.index
    module = index.target(path, found)
    first = module.partition(".")[0]
    if not module or not index.knows(first):
        return
    if not index.knows(module):
        message = NO_MODULE.format(module=module)
        subject = Subject(module.replace(".", "/") + ".py", name=found.name, text=found.bound)
        yield Fault(RULE, path, message, found.line, 0, found.scope, subject)
    elif found.name not in ("", "*"):
        if isinstance(tree.member(module, found.name), Missing):
            message = NO_NAME.format(name=found.name, module=module)
            subject = Subject(index.modules.get(module, ""), "", found.name, found.bound)
            yield Fault(RULE, path, message, found.line, 0, found.scope, subject)
