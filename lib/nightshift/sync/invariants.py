"""What must hold of a tree before it is pushed, at the first push and at each later one (sync.md,
phase 1 point 12). Pure: trees in, findings out. Mends nothing but what `restorations` names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from nightshift.merge.symbols import parses
from nightshift.policy.model import Severity
from nightshift.policy.sync import Invariants
from nightshift.ports import TreeView
from nightshift.sync.by_text import new_markers
from nightshift.sync.findings import Finding
from nightshift.sync.paths import PathPolicy, Rule
from nightshift.sync.sides import LINK, SUBMODULE
from nightshift.values import Entry

NEVER_TOUCH = "never-touch"
ALWAYS_TARGET = "always-target"
MARKERS = "conflict-marker"
PARSE = "does-not-parse"
DIFFERS = "it differs from the target's, and policy says that it never does."
DIFFERS_SOMETIMES = "it differs from the target's, and policy says that it is always the target's."
HAS_MARKERS = "it holds conflict markers that neither side has."
NO_PYTHON = "it is no Python any more, though a side's file is."


def check(
    policy: PathPolicy,
    rules: Invariants,
    *,
    merged: TreeView,
    target: TreeView,
    source: TreeView,
    allowed: Collection[str] = (),
) -> tuple[Finding, ...]:
    """The invariants that a tree breaks.

    :param allowed: paths that policy says are the target's and that were changed on purpose (the
        table of git sources and its lock).
    """
    found = [*_guarded(policy, rules, merged.entries(), target.entries(), allowed)]
    for path in _written(merged, target, source):
        found += _content(rules, path, merged, target, source)
    return tuple(item for item in found if item.severity is not Severity.OFF)


def restorations(
    policy: PathPolicy, *, merged: TreeView, target: TreeView
) -> Mapping[str, Entry | None]:
    """What brings every path that is never touched back to the target's, for `Git.write_tree`."""
    have, want = merged.entries(), target.entries()
    return {
        path: want.get(path)
        for path in sorted(have.keys() | want.keys())
        if have.get(path) != want.get(path) and policy.rule(path) is Rule.NEVER_TOUCH
    }


def _guarded(
    policy: PathPolicy,
    rules: Invariants,
    merged: Mapping[str, Entry],
    target: Mapping[str, Entry],
    allowed: Collection[str],
) -> Iterator[Finding]:
    for path in sorted(merged.keys() | target.keys()):
        if merged.get(path) == target.get(path):
            continue
        rule = policy.rule(path)
        if rule is Rule.NEVER_TOUCH:
            yield Finding(NEVER_TOUCH, Severity.ABORT, path, DIFFERS)
        elif rule is Rule.ALWAYS_TARGET and path not in allowed:
            yield Finding(ALWAYS_TARGET, rules.always_target, path, DIFFERS_SOMETIMES)


def _written(merged: TreeView, target: TreeView, source: TreeView) -> list[str]:
    """The files that are neither side's as they stand: what a side brought is that side's to
    answer."""
    ours, theirs = target.entries(), source.entries()
    return [
        path
        for path, entry in sorted(merged.entries().items())
        if entry.mode not in (LINK, SUBMODULE)
        and entry.oid not in (_oid(ours.get(path)), _oid(theirs.get(path)))
    ]


def _oid(entry: Entry | None) -> str | None:
    return entry.oid if entry is not None else None


def _content(
    rules: Invariants, path: str, merged: TreeView, target: TreeView, source: TreeView
) -> Iterator[Finding]:
    data = merged.read(path) or b""
    broken = path.endswith(".py") and not _parses(data)
    if not broken and not new_markers(data):
        return
    sides = [side for view in (target, source) if (side := view.read(path)) is not None]
    if new_markers(data, *sides):
        yield Finding(MARKERS, rules.markers, path, HAS_MARKERS)
    if broken and (not sides or any(_parses(side) for side in sides)):
        yield Finding(PARSE, rules.parse, path, NO_PYTHON)


def _parses(data: bytes) -> bool:
    return parses(data.decode("utf-8-sig", "replace"))
