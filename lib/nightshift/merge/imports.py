"""Three-way merge of import statements by the names that they bind. Reads and writes text only."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nightshift.merge.lines import Lines
from nightshift.merge.order import ordered
from nightshift.merge.symbols import parse

WIDTH = 100


@dataclass(frozen=True, slots=True)
class Statement:
    """One import statement with the comments and blank lines above it.

    :param module: the dotted name with its leading dots for `from … import`, "" for `import`.
    """

    key: str
    module: str
    names: tuple[str, ...]
    lead: Lines
    lines: Lines


def read(lines: Lines) -> dict[str, Statement] | None:
    """The statements of a run of imports; None where it is anything else."""
    tree = parse("".join(_unindented(lines)))
    if tree is None:
        return None
    found: dict[str, Statement] = {}
    at = 0
    for node in tree.body:
        if (
            not isinstance(node, (ast.Import, ast.ImportFrom))
            or node.end_lineno is None
            or node.lineno - 1 < at
        ):
            return None
        module = "." * node.level + (node.module or "") if isinstance(node, ast.ImportFrom) else ""
        names = tuple(f"{a.name} as {a.asname}" if a.asname else a.name for a in node.names)
        stem = f"from {module}" if module else "import " + ", ".join(names)
        key = stem if stem not in found else f"{stem}#{len(found)}"
        found[key] = Statement(
            key,
            module,
            names,
            lines[at : node.lineno - 1],
            lines[node.lineno - 1 : node.end_lineno],
        )
        at = node.end_lineno
    return found if at == len(lines) else None


def _unindented(lines: Lines) -> Lines:
    first = next((line for line in lines if line.strip()), "")
    margin = first[: len(first) - len(first.lstrip())]
    return tuple(line.removeprefix(margin) for line in lines)


def merge(base: Lines, target: Lines, source: Lines) -> Lines | None:
    """The merged run; None where a side is no run of plain imports."""
    sides = [read(lines) for lines in (base, target, source)]
    if None in sides:
        return None
    origin, ours, theirs = (side or {} for side in sides)
    out: list[str] = []
    for key in ordered(list(origin), list(ours), list(theirs)):
        out += _statement(origin.get(key), ours.get(key), theirs.get(key))
    return tuple(out)


def _statement(base: Statement | None, target: Statement | None, source: Statement | None) -> Lines:
    names = three_way(
        base.names if base else (), target.names if target else (), source.names if source else ()
    )
    for side in (target, source):
        if side and names == side.names:
            return side.lead + side.lines
    model = target or source
    if not names or model is None:
        return ()
    return model.lead + render(model, names)


def three_way(base: Sequence[str], target: Sequence[str], source: Sequence[str]) -> tuple[str, ...]:
    """Names of either side, without those that a side took out of the base's."""
    gone = {name for name in base if name not in target or name not in source}
    names = [name for name in ordered(base, target, source) if name not in gone]
    if list(target) == sorted(target) or list(target) == sorted(target, key=str.lower):
        names.sort(key=str if list(target) == sorted(target) else str.lower)
    return tuple(names)


def render(model: Statement, names: Sequence[str]) -> Lines:
    """An import of other names in the layout of an existing one; comments inside it are kept."""
    indent = model.lines[0][: len(model.lines[0]) - len(model.lines[0].lstrip())]
    flat = f"{indent}from {model.module} import {', '.join(names)}\n"
    comments = _comments(model.lines)
    if len(model.lines) == 1 and len(flat) <= WIDTH + 1 and not comments:
        return (flat,)
    head = model.lines[0] if len(model.lines) > 1 else f"{indent}from {model.module} import (\n"
    body = tuple(f"{indent}    {name},{comments.get(name, '')}\n" for name in names)
    if not head.rstrip().endswith("(") and "#" not in head:
        head = f"{indent}from {model.module} import (\n"
    return (head, *body, f"{indent})\n")


def _comments(lines: Lines) -> Mapping[str, str]:
    """name → the comment behind it, in an import of one name a line."""
    found: dict[str, str] = {}
    for line in lines[1:]:
        code, mark, comment = line.partition("#")
        if mark and code.strip():
            found[code.strip().rstrip(",").strip()] = f"  #{comment.rstrip()}"
    return found
