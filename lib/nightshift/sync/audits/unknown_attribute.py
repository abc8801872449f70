"""A name that is read or called on a module, class or object that certainly lacks it: the other
side has renamed or removed it (`off_interface.group_commit()` against `group_offload()`)."""

from __future__ import annotations

from collections.abc import Iterator

from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.audits.index.facts import Facts, Use
from nightshift.sync.audits.index.resolve import Missing, Module, Resolver

RULE = "unknown-attribute"
MESSAGE = "{what} {text!r}, but {owner} has no {name!r}"


def check(tree: Resolver, path: str, facts: Facts) -> Iterator[Fault]:
    """Uses of what is not there."""
    for use in facts.uses:
        if not use.guarded and use.ref.path:
            yield from _check(tree, path, use)


def _check(tree: Resolver, path: str, use: Use) -> Iterator[Fault]:
    value = tree.value(path, use.ref)
    if not isinstance(value, Missing) or tree.index.writes(value.name):
        return
    container = value.container
    if isinstance(container, Module):
        owner, where = container.name, Subject(tree.index.modules.get(container.name, ""))
    else:
        owner, where = container.name, Subject(container.path, container.name)
    what = "calls" if use.call else "reads"
    message = MESSAGE.format(what=what, text=use.text, owner=owner, name=value.name)
    subject = Subject(where.path, where.owner, value.name, use.text)
    yield Fault(RULE, path, message, use.line, use.column, use.scope, subject)
