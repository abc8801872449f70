"""Three-way merge of an import statement by the names that it binds. Reads and writes text only."""

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

    module: str
    names: tuple[str, ...]
    lead: Lines
    lines: Lines


def read(lines: Lines) -> Statement | None:
    """A section that is one import statement; None where it is anything else."""
    start = next((n for n, line in enumerate(lines) if _is_code(line)), 0)
    tree = parse("".join(lines[start:]).lstrip())
    if tree is None or len(tree.body) != 1:
        return None
    node = tree.body[0]
    if not isinstance(node, (ast.Import, ast.ImportFrom)):
        return None
    module = "." * node.level + (node.module or "") if isinstance(node, ast.ImportFrom) else ""
    names = tuple(f"{a.name} as {a.asname}" if a.asname else a.name for a in node.names)
    return Statement(module, names, lines[:start], lines[start:])


def _is_code(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def merge(
    base: Lines, target: Lines, source: Lines, needed: frozenset[str] = frozenset()
) -> Lines | None:
    """The merged statement; nothing where no name is left, None where a side is no plain import."""
    origin, ours, theirs = (read(lines) if lines else None for lines in (base, target, source))
    if ours is None or theirs is None or not ours.module or ours.module != theirs.module:
        return None
    kept = [name for name in origin.names if _binds(name) not in needed] if origin else []
    names = three_way(kept, ours.names, theirs.names)
    for side in (ours, theirs):
        if names == side.names:
            return side.lead + side.lines
    return ours.lead + render(ours, names) if names else ()


def without(lines: Lines, banned: frozenset[str]) -> Lines:
    """An import without some of the names that it binds; nothing where none is left."""
    statement = read(lines)
    if statement is None or not statement.module:
        return lines
    names = [name for name in statement.names if _binds(name) not in banned]
    if len(names) == len(statement.names):
        return lines
    return statement.lead + render(statement, names) if names else ()


def _binds(name: str) -> str:
    return name.rsplit(" ", 1)[-1]


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
