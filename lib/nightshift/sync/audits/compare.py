"""What the merged tree has and neither parent has: the one place that says which faults are the
merge's.

A fault is the same in two trees where file, rule and message are; line numbers do not count. In a
file that only one parent knows under another name, rule and message suffice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nightshift.sync.audits.fault import Fault
from nightshift.sync.audits.index.resolve import Resolver
from nightshift.sync.audits.rules import RULES, Rule


def faults_in(
    tree: Resolver, paths: Iterable[str], rules: Mapping[str, Rule] | None = None
) -> list[Fault]:
    """All faults of some files of one tree, in order of path and line."""
    found: list[Fault] = []
    for path in sorted(set(paths)):
        facts = tree.index.facts(path)
        if facts is not None:
            for rule in (RULES if rules is None else rules).values():
                found += rule(tree, path, facts)
    return sorted(found, key=_order)


def new_faults(
    merged: Resolver,
    parents: Iterable[Resolver],
    paths: Iterable[str],
    rules: Mapping[str, Rule] | None = None,
) -> list[Fault]:
    """The merge's own faults in some files of the merged tree, in order of path and line.

    Rule by rule: a parent is asked only what the merged tree has a fault in.
    """
    every, before, found = tuple(paths), tuple(parents), list[Fault]()
    for name, rule in (RULES if rules is None else rules).items():
        only = {name: rule}
        own = faults_in(merged, every, only)
        for parent in before:
            if own:
                own = _unknown_to(parent, merged, own, only)
        found += own
    return sorted(found, key=_order)


def _order(fault: Fault) -> tuple[str, int, str, str, int]:
    return (fault.path, fault.line, fault.rule, fault.message, fault.column)


def _unknown_to(
    parent: Resolver, merged: Resolver, found: list[Fault], rules: Mapping[str, Rule]
) -> list[Fault]:
    """The faults that a parent does not have."""
    suspects = {fault.path for fault in found}
    known = {fault.key for fault in faults_in(parent, suspects & set(parent.index.python), rules)}
    moved = suspects - set(parent.index.python)
    elsewhere = {key[1:] for key in _in_gone_files(parent, merged, rules)} if moved else set()
    return [
        fault
        for fault in found
        if fault.key not in known and not (fault.path in moved and fault.key[1:] in elsewhere)
    ]


def _in_gone_files(
    parent: Resolver, merged: Resolver, rules: Mapping[str, Rule]
) -> set[tuple[str, str, str]]:
    """Faults in files that the merged tree no longer has: a file may have been renamed."""
    gone = set(parent.index.python) - set(merged.index.python)
    return {fault.key for fault in faults_in(parent, gone, rules)}
