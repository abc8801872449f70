"""Adds named definitions of one Python file to another, with the imports and helpers that they
need.

For files whose two sides differ wholly (sync.md, phase 1 point 7). Text in, text out, by
statements: what stands there keeps its bytes.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from nightshift.merge.resolution import Confidence, Method, Resolution
from nightshift.merge.resolution import Side as Kept
from nightshift.policy.model import Severity
from nightshift.policy.sync import AppendRule
from nightshift.sync.draft import Decision
from nightshift.sync.findings import Finding
from nightshift.sync.fixes.definitions import (
    Statement,
    binder,
    import_of,
    names_of,
    statements,
    used_by,
)
from nightshift.sync.sides import Sides

NOT_APPENDED = "append-incomplete"
NO_PYTHON = "the definitions could not be appended: a side's file is no Python in UTF-8."
MISSING = "the source's file has no single definition of {names}: not appended."


@dataclass(frozen=True, slots=True)
class Appended:
    """A text with definitions added.

    :param added: the names that were added, helpers included, in the donor's order.
    :param missing: names that the donor does not define, or defines more than once.
    """

    text: str
    added: tuple[str, ...]
    missing: tuple[str, ...]


def decide(sides: Sides, rule: AppendRule) -> Decision | None:
    """The target's file with the named definitions of the source; None where there is nothing to
    do."""
    target = sides.target_tree.get(rule.path)
    source = sides.source_tree.get(rule.path)
    if target is None or target == source:
        return None
    if source is None:
        return Decision(rule.path, target, (_ledger(rule.path, ()),))
    blobs = sides.git.blobs([target.oid, source.oid])
    done = append_bytes(blobs[target.oid], blobs[source.oid], rule.definitions)
    if done is None:
        finding = Finding(NOT_APPENDED, Severity.WARN, rule.path, NO_PYTHON)
        return Decision(rule.path, target, (_ledger(rule.path, ()),), (finding,))
    data, names, missing = done
    words = MISSING.format(names=", ".join(missing))
    findings = (Finding(NOT_APPENDED, Severity.WARN, rule.path, words),) if missing else ()
    change = (target.mode, data) if names else target
    return Decision(rule.path, change, (_ledger(rule.path, names),), findings)


def _ledger(path: str, names: Sequence[str]) -> Resolution:
    note = f"append: {', '.join(names)}" if names else "append: nothing was missing"
    side = Kept.BOTH if names else Kept.TARGET
    return Resolution(path, None, Method.POLICY, side, (), Confidence.HIGH, note)


def append_bytes(
    base: bytes, donor: bytes, names: Sequence[str]
) -> tuple[bytes, tuple[str, ...], tuple[str, ...]] | None:
    """`append_definitions` on files: (bytes, added, missing); line ends stay those of the base.

    :returns: None where a file is not UTF-8 or no Python.
    """
    try:
        text, other = base.decode("utf-8"), donor.decode("utf-8")
    except UnicodeDecodeError:
        return None
    windows = "\r\n" in text
    done = append_definitions(_unix(text), _unix(other), names)
    if done is None:
        return None
    if not done.added:
        return base, (), done.missing
    result = done.text.replace("\n", "\r\n") if windows else done.text
    return result.encode("utf-8"), done.added, done.missing


def append_definitions(base: str, donor: str, names: Sequence[str]) -> Appended | None:
    """Add what the base lacks of some names, and of what their definitions use.

    :returns: None where either is no Python, or the result would be none.
    """
    have, give = statements(base), statements(donor)
    if have is None or give is None:
        return None
    wanted, missing = _closure(names, names_of(have), give)
    imports, bodies, added = _parts(wanted, donor.split("\n"))
    text = _with_imports(base, have, imports)
    for body in bodies:
        text = f"{text.rstrip()}\n\n\n{body}\n"
    if statements(text) is None:
        return None
    return Appended(text, added, missing)


def _closure(
    names: Sequence[str], known: frozenset[str], give: Sequence[Statement]
) -> tuple[dict[str, Statement], tuple[str, ...]]:
    """name -> the donor's statement that binds it, for all that is wanted or needed by what is; and
    the wanted names that the donor lacks."""
    found: dict[str, Statement] = {}
    missing: list[str] = []
    queue = [name for name in names if name not in known]
    for name in queue:
        item = binder(name, give)
        if item is None:
            missing += [name] if name in names else []
        elif name not in found:
            found[name] = item
            needs = frozenset() if item.is_import else used_by(item.node) - known
            queue.extend(sorted(needs - found.keys()))
    return found, tuple(missing)


def _parts(
    wanted: Mapping[str, Statement], lines: Sequence[str]
) -> tuple[list[str], list[str], tuple[str, ...]]:
    """Import lines, texts of definitions, and all names that come in, each in the donor's order."""
    imports: list[str] = []
    bodies: list[str] = []
    by_place = sorted(wanted.items(), key=lambda pair: (pair[1].first, pair[0]))
    for name, item in by_place:
        line = import_of(name, item)
        body = "\n".join(lines[item.first - 1 : item.last])
        if line is None and body not in bodies:
            bodies.append(body)
        elif line is not None and not line.startswith("from __future__ "):
            imports.append(line)
    return imports, bodies, tuple(name for name, _ in by_place)


def _with_imports(text: str, have: Sequence[Statement], imports: Sequence[str]) -> str:
    """The import lines below the last of those that the file begins with."""
    if not imports:
        return text
    head = list(takewhile(_opens_file, have))
    imported = [item for item in head if item.is_import] or head
    lines = text.split("\n")
    at = imported[-1].last if imported else (have[0].first - 1 if have else len(lines))
    return "\n".join([*lines[:at], *imports, *lines[at:]])


def _opens_file(item: Statement) -> bool:
    """Whether a statement is an import or the docstring."""
    is_text = isinstance(item.node, ast.Expr) and isinstance(item.node.value, ast.Constant)
    return item.is_import or is_text


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n")
