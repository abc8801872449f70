"""Top-level statements of a Python file by the names they bind, for putting one of them back.

Reads text, edits text; knows no tree and no log. Statements carry the comments that stand right
above.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nightshift.merge.symbols import parse

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
_SCOPES = (*DEFINITIONS, ast.Lambda)
_BUILTINS = frozenset(dir(builtins))


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement at the top of a file.

    :param first: its first line (1-based), decorators and comments above included.
    """

    node: ast.stmt
    first: int
    last: int
    names: frozenset[str]

    @property
    def is_import(self) -> bool:
        """Whether it is an import."""
        return isinstance(self.node, IMPORTS)

    @property
    def is_definition(self) -> bool:
        """Whether it is a function or class."""
        return isinstance(self.node, DEFINITIONS)


def statements(text: str) -> list[Statement] | None:
    """The statements of a file in order; None where it is no Python."""
    tree = parse(text)
    if tree is None:
        return None
    lines = text.split("\n")
    result: list[Statement] = []
    for node in tree.body:
        floor = result[-1].last if result else 0
        first = _with_comments(lines, _first_line(node), floor)
        last = node.end_lineno or node.lineno
        result.append(Statement(node, first, last, frozenset(bound_by(node))))
    return result


def names_of(items: Sequence[Statement]) -> frozenset[str]:
    """All names that the statements bind."""
    return frozenset(name for item in items for name in item.names)


def binder(name: str, items: Sequence[Statement]) -> Statement | None:
    """The one statement that binds a name; None where none does, or several do."""
    found = [item for item in items if name in item.names]
    return found[0] if len(found) == 1 else None


def bound_by(node: ast.AST) -> Iterator[str]:
    """The names that a statement binds at its own level, branches included, other scopes not."""
    if isinstance(node, DEFINITIONS):
        yield node.name
    elif isinstance(node, IMPORTS):
        yield from (_local_name(alias) for alias in node.names if alias.name != "*")
    elif isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Store):
            yield node.id
    elif isinstance(node, ast.AnnAssign) and node.value is None:
        return
    elif not isinstance(node, (ast.Lambda, ast.comprehension)):
        for child in ast.iter_child_nodes(node):
            yield from bound_by(child)


def used_by(node: ast.AST) -> frozenset[str]:
    """The names that a statement reads anywhere and does not bind itself."""
    loads = {
        n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
    }
    return frozenset(loads - _bound_anywhere(node) - _BUILTINS)


def used_at_import(node: ast.AST) -> frozenset[str]:
    """The names that must exist when the statement is executed: function bodies do not count."""
    return frozenset(_loads_now(node))


def import_of(name: str, statement: Statement) -> str | None:
    """The import of one name alone, as a line; None where the statement imports no such name."""
    node = statement.node
    if not isinstance(node, IMPORTS):
        return None
    alias = next((item for item in node.names if _local_name(item) == name), None)
    if alias is None:
        return None
    what = alias.name if alias.asname is None else f"{alias.name} as {alias.asname}"
    if isinstance(node, ast.Import):
        return f"import {what}"
    return f"from {'.' * node.level}{node.module or ''} import {what}"


def _local_name(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _bound_anywhere(node: ast.AST) -> set[str]:
    stores = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not _loads(n)}
    arguments = {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}
    return stores | arguments


def _loads(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _loads_now(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        if _loads(node):
            yield node.id
        return
    later = node.body if isinstance(node, _SCOPES) and not isinstance(node, ast.ClassDef) else []
    skipped = later if isinstance(later, list) else [later]
    for child in ast.iter_child_nodes(node):
        if child not in skipped:
            yield from _loads_now(child)


def _first_line(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, DEFINITIONS) else []
    return min([node.lineno, *(item.lineno for item in decorators)])


def _with_comments(lines: Sequence[str], first: int, floor: int) -> int:
    """The first of the comment lines that stand right above a line, and below another one."""
    while first - 1 > floor and lines[first - 2].startswith("#"):
        first -= 1
    return first
