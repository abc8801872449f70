"""What people learned of single files, as policy says it (sync.md, phase 1 point 7): looked for
in the merged file, after the merge of texts. Lessons that need no look are decided in `by_policy`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nightshift.merge.resolution import Confidence, Method, Resolution
from nightshift.merge.resolution import Side as Kept
from nightshift.merge.symbols import parse
from nightshift.policy.sync import FileLesson
from nightshift.sync.append import append_bytes
from nightshift.sync.draft import Decision, Draft
from nightshift.sync.paths import PathPolicy
from nightshift.sync.sides import Sides
from nightshift.values import Entry

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def decide(sides: Sides, policy: PathPolicy, draft: Draft) -> Iterator[Decision]:
    """A decision for each lesson whose symptom the draft shows."""
    entries = draft.entries()
    for lesson in policy.lessons:
        target = sides.target_tree.get(lesson.path)
        merged = entries.get(lesson.path)
        if target is None or merged is None or merged == target or policy.rule(lesson.path):
            continue
        decision = _apply(sides, lesson, draft, target)
        if decision is not None:
            yield decision


def _apply(sides: Sides, lesson: FileLesson, draft: Draft, target: Entry) -> Decision | None:
    blobs = sides.git.blobs([target.oid])
    merged = draft.read(lesson.path) or b""
    if lesson.take == "target-definitions":
        return _restore(lesson, draft, blobs[target.oid], merged)
    source = sides.source_tree.get(lesson.path)
    versions = [blobs[target.oid], *(sides.git.blobs([source.oid]).values() if source else ())]
    if lesson.when != "undefined-call" or not undefined_helpers(merged, *versions):
        return None
    return Decision(lesson.path, target, (_ledger(lesson, Kept.TARGET),))


def _restore(lesson: FileLesson, draft: Draft, target: bytes, merged: bytes) -> Decision | None:
    done = append_bytes(merged, target, lesson.definitions)
    if done is None or not done[1]:
        return None
    mode = draft.entries()[lesson.path].mode
    return Decision(lesson.path, (mode, done[0]), (_ledger(lesson, Kept.BOTH),))


def _ledger(lesson: FileLesson, side: Kept) -> Resolution:
    why = f"lesson: {lesson.why}" if lesson.why else f"lesson: {lesson.take}"
    return Resolution(lesson.path, None, Method.POLICY, side, (), Confidence.HIGH, why)


def undefined_helpers(merged: bytes, *versions: bytes) -> frozenset[str]:
    """Names that the merged file calls and does not define, though a version of it does: helpers
    that the merge lost. Empty where the merged file is no Python."""
    used, defined = _names(merged)
    known = frozenset(name for version in versions for name in _names(version)[1])
    return frozenset((used & known) - defined)


def _names(data: bytes) -> tuple[set[str], set[str]]:
    """(called names, defined or imported names) of a Python file."""
    used: set[str] = set()
    defined: set[str] = set()
    tree = parse(data.decode("utf-8", "replace"))
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Call):
            used.update(_called(node.func))
        elif isinstance(node, _DEFINITIONS):
            defined.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            defined.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            defined.add(node.id)
    return used, defined


def _called(function: ast.expr) -> Iterator[str]:
    """The name of what is called: a plain one, or an attribute of `self` or `cls`."""
    if isinstance(function, ast.Name):
        yield function.id
    elif isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        if function.value.id in ("self", "cls"):
            yield function.attr
