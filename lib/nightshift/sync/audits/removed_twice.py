"""An item taken out of the same container by a method and by a method that it calls
(`bulk_offload()` removes what `bulk_offload_group()` has already popped)."""

from __future__ import annotations

from collections.abc import Iterator

from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.audits.index.facts import Facts, Root
from nightshift.sync.audits.index.resolve import FunctionValue, Resolver

RULE = "removed-twice"
MESSAGE = "{caller} takes an item out of {container}, and so does {callee}, which it calls"
OWN = "self."


def check(tree: Resolver, path: str, facts: Facts) -> Iterator[Fault]:
    """Pairs of caller and callee of one object that both remove from one of its containers."""
    removing: dict[str, set[str]] = {}
    for removal in facts.removals:
        if removal.container.startswith(OWN):
            removing.setdefault(removal.scope, set()).add(removal.container)
    for use in facts.uses:
        if use.call is None or use.ref.root is not Root.SELF or use.scope not in removing:
            continue
        value = tree.value(path, use.ref)
        if isinstance(value, FunctionValue) and value.name != use.scope:
            theirs = _removed(tree, value)
            for container in sorted(removing[use.scope] & theirs):
                message = MESSAGE.format(caller=use.scope, container=container, callee=value.name)
                subject = Subject(value.path, value.owner, container, value.name)
                yield Fault(RULE, path, message, use.line, use.column, use.scope, subject)


def _removed(tree: Resolver, function: FunctionValue) -> set[str]:
    facts = tree.index.facts(function.path)
    removals = facts.removals if facts else ()
    return {r.container for r in removals if r.scope == function.name}
