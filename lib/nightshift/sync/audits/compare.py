"""What the merged tree has and neither parent has: the one place that says which faults are the
merge's.

A fault is the same in two trees where file, rule and message are; line numbers do not count. In a
file that only one parent knows under another name, rule and message suffice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from nightshift.sync.audits.fault import Fault
from nightshift.sync.audits.index.resolve import Resolver
from nightshift.sync.audits.rules import RULES, Rule

Clock = Callable[[], float]


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
    return sorted(found, key=lambda f: (f.path, f.line, f.rule, f.message, f.column))


def new_faults(
    merged: Resolver,
    parents: Iterable[Resolver],
    paths: Iterable[str],
    rules: Mapping[str, Rule] | None = None,
) -> list[Fault]:
    """The merge's own faults in some files of the merged tree."""
    found = faults_in(merged, paths, rules)
    for parent in parents:
        if found:
            found = _unknown_to(parent, merged, found, rules)
    return found


def _unknown_to(
    parent: Resolver, merged: Resolver, found: list[Fault], rules: Mapping[str, Rule] | None
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
    parent: Resolver, merged: Resolver, rules: Mapping[str, Rule] | None
) -> set[tuple[str, str, str]]:
    """Faults in files that the merged tree no longer has: a file may have been renamed."""
    gone = set(parent.index.python) - set(merged.index.python)
    return {fault.key for fault in faults_in(parent, gone, rules)}
