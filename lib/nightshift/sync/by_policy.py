"""Paths that policy decides whatever their content, on the trees after the merge (sync.md, phase 1
points 4, 5 and 7): also for what only one side changed, where the list says `always`.
"""

from __future__ import annotations

from nightshift.merge.resolution import Confidence, Method, Resolution
from nightshift.merge.resolution import Side as Kept
from nightshift.policy.model import Severity, Side
from nightshift.sync import append
from nightshift.sync.draft import Decision
from nightshift.sync.findings import Finding
from nightshift.sync.paths import GUARDED, PathPolicy, Rule
from nightshift.sync.sides import Sides
from nightshift.values import Entry

SOURCE_LACKS = "always-source-lacks-file"
NOT_DELETED = (
    "policy takes the source's file, but the source has deleted it: the target's was kept."
)
_WHOLE = {Rule.WHOLE_TARGET: Side.TARGET, Rule.WHOLE_SOURCE: Side.SOURCE}


def decide(sides: Sides, policy: PathPolicy) -> list[Decision]:
    """A decision for each path that policy decides otherwise than git did, or that is in
    conflict."""
    conflicts = {conflict.path for conflict in sides.merge.conflicts}
    decisions: list[Decision] = []
    for path in sorted(_in_question(sides) | conflicts):
        decision = _decide(sides, policy, path, path in conflicts)
        if decision is not None:
            decisions.append(decision)
    return decisions


def _in_question(sides: Sides) -> set[str]:
    """The paths that are not the same everywhere."""
    target, source, merged = sides.target_tree, sides.source_tree, sides.merged_tree
    return {
        path
        for path in target.keys() | source.keys() | merged.keys()
        if not target.get(path) == source.get(path) == merged.get(path)
    }


def _decide(sides: Sides, policy: PathPolicy, path: str, conflict: bool) -> Decision | None:
    rule = policy.rule(path)
    if rule is None:
        return _lesson(sides, policy, path)
    if rule is Rule.APPEND:
        decision = append.decide(sides, policy.append_rule(path))
        as_git = decision is not None and decision.change == sides.merged_tree.get(path)
        return None if as_git and not conflict else decision
    if rule in _WHOLE:
        in_question = conflict or sides.both_changed(path)
        return _take(sides, _WHOLE[rule], path, rule.value, conflict) if in_question else None
    if rule in GUARDED:
        return _take(sides, Side.TARGET, path, rule.value, conflict)
    return _always_source(sides, path, rule, conflict)


def _always_source(sides: Sides, path: str, rule: Rule, conflict: bool) -> Decision | None:
    """Where the source lacks the file it is not deleted blindly: its callers may be the
    target's."""
    if path in sides.source_tree:
        return _take(sides, Side.SOURCE, path, rule.value, conflict)
    deleted = path in sides.base_tree and path in sides.target_tree
    evidence = sides.deletion(Side.SOURCE, [path]) if deleted else ()
    finding = Finding(SOURCE_LACKS, Severity.WARN, path, NOT_DELETED, evidence=evidence)
    decision = _take(sides, Side.TARGET, path, f"{rule.value}: the source lacks it", conflict)
    if not deleted:
        return decision
    entry = sides.target_tree[path]
    return Decision(path, entry, decision.resolutions if decision else (), (finding,))


def _lesson(sides: Sides, policy: PathPolicy, path: str) -> Decision | None:
    """A lesson that takes the target's file whatever the merge looks like."""
    for lesson in policy.lessons:
        if lesson.path == path and lesson.take == "target" and lesson.when != "undefined-call":
            if lesson.when == "always" or sides.both_changed(path):
                return _take(sides, Side.TARGET, path, f"lesson: {lesson.why}", conflict=True)
    return None


def _take(sides: Sides, side: Side, path: str, why: str, conflict: bool) -> Decision | None:
    """The path as a side has it, or has it not; None where git left it so and nothing was in
    doubt."""
    entry = sides.tree(side).get(path)
    if entry == sides.merged_tree.get(path) and not conflict:
        return None
    return Decision(path, entry, (_ledger(path, side, why, entry),))


def _ledger(path: str, side: Side, why: str, entry: Entry | None) -> Resolution:
    note = why if entry is not None else f"{why}: not there"
    return Resolution(path, None, Method.POLICY, Kept(side.value), (), Confidence.HIGH, note)
