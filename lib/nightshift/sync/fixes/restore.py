"""Puts one definition back into a file, from a version that has it, with the imports it needs.

Text to text. Gives up rather than guess: where the name is there, where it would have to displace
another, or where no place keeps the order in which names are needed at import.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from nightshift.sync.fixes.definitions import (
    Statement,
    binder,
    import_of,
    names_of,
    statements,
    used_at_import,
    used_by,
)

MAX_NAMES = 20
"""More than that is a feature that is missing, not a name: a person's to bring back."""


def restore(name: str, text: str, origin: str) -> str | None:
    """The text with a name of `origin` defined again, and what that needs and the text lacks.

    :returns: None where it is not certain how.
    """
    here, there = statements(text), statements(origin)
    if here is None or there is None or name in names_of(here):
        return None
    wanted = _wanted(name, names_of(here), there)
    if wanted is None:
        return None
    result: str | None = text
    for statement in [item for item in there if item in wanted.values() and not item.is_import]:
        result = None if result is None else _insert(statement, result, origin, there)
    imports = {needed: item for needed, item in wanted.items() if item.is_import}
    for needed, item in imports.items():
        result = None if result is None else _insert_import(import_of(needed, item), result)
    return result if result is not None and _holds(result, set(wanted)) else None


def _wanted(
    name: str, present: frozenset[str], there: Sequence[Statement]
) -> dict[str, Statement] | None:
    """The name and all that it needs in turn: name -> the statement that binds it over there."""
    known = names_of(there)
    if name not in known:
        return None
    wanted: dict[str, Statement] = {}
    queue = [name]
    while queue:
        item = queue.pop(0)
        if item in wanted:
            continue
        statement = binder(item, there)
        if statement is None:
            return None
        if not statement.is_import and statement.names & present:
            return None
        wanted[item] = statement
        if len(wanted) > MAX_NAMES:
            return None
        if not statement.is_import:
            queue.extend(sorted(used_by(statement.node) & known - present))
    return wanted


def _insert(statement: Statement, text: str, origin: str, there: Sequence[Statement]) -> str | None:
    here = statements(text)
    if here is None:
        return None
    index = _place(statement, here, there)
    if index is None:
        return None
    block = origin.split("\n")[statement.first - 1 : statement.last]
    lines = text.rstrip("\n").split("\n") if text.strip() else []
    at = here[index - 1].last if index else (here[0].first - 1 if here else len(lines))
    gap = _gap(statement, here[index - 1] if index else None)
    below = _strip_blank(lines[at:])
    after = [*_gap(statement, here[index]), *below] if index < len(here) else _tail(below)
    before = [*lines[:at], *gap] if index else lines[:at]
    return "\n".join([*before, *block, *after]) + "\n"


def _place(
    statement: Statement, here: Sequence[Statement], there: Sequence[Statement]
) -> int | None:
    """Before which statement it goes: after its nearest elder neighbour that is still here, but
    after all that it needs at import, and before all that needs it then."""
    needs = used_at_import(statement.node)
    low = max((n + 1 for n, item in enumerate(here) if _must_precede(item, needs)), default=0)
    high = min(
        (n for n, item in enumerate(here) if _needs_now(item, statement.names)), default=None
    )
    top = len(here) if high is None else high
    if low > top:
        return None
    return min(max(_beside(statement, here, there), low), top)


def _must_precede(item: Statement, needs: frozenset[str]) -> bool:
    """What it needs, the file's docstring and `from __future__` stand above it."""
    future = isinstance(item.node, ast.ImportFrom) and item.node.module == "__future__"
    return future or _is_docstring(item) or bool(item.names & needs)


def _is_docstring(item: Statement) -> bool:
    return isinstance(item.node, ast.Expr) and isinstance(item.node.value, ast.Constant)


def _needs_now(item: Statement, names: frozenset[str]) -> bool:
    return not item.is_import and bool(used_at_import(item.node) & names)


def _beside(statement: Statement, here: Sequence[Statement], there: Sequence[Statement]) -> int:
    position = list(there).index(statement)
    for elder in reversed(there[:position]):
        for n, item in enumerate(here):
            if not elder.is_import and elder.names and elder.names <= item.names:
                return n + 1
    for younger in there[position + 1 :]:
        for n, item in enumerate(here):
            if not younger.is_import and younger.names and younger.names <= item.names:
                return n
    return _end(here)


def _end(here: Sequence[Statement]) -> int:
    """The end of the file, above what runs it as a script."""
    index = len(here)
    while index and _is_main(here[index - 1].node):
        index -= 1
    return index


def _is_main(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "__name__" in {
        item.id for item in ast.walk(node.test) if isinstance(item, ast.Name)
    }


def _gap(one: Statement, other: Statement | None) -> list[str]:
    """Blank lines between two neighbours, as PEP 8 has them."""
    definition = one.is_definition or (other is not None and other.is_definition)
    return ["", ""] if definition else [""]


def _strip_blank(lines: list[str]) -> list[str]:
    start = next((n for n, line in enumerate(lines) if line.strip()), len(lines))
    return lines[start:]


def _tail(lines: list[str]) -> list[str]:
    """Comments that follow the last statement stay below."""
    return ["", "", *lines] if lines else []


def _insert_import(line: str | None, text: str) -> str | None:
    """The import below the last one that stands above all definitions."""
    here = statements(text)
    if line is None or here is None:
        return None
    head = 0
    for item in here:
        if item.is_definition:
            break
        head = item.last if item.is_import or (item is here[0] and _is_docstring(item)) else head
    lines = text.split("\n")
    return "\n".join([*lines[:head], line, *lines[head:]])


def _holds(text: str, names: set[str]) -> bool:
    here = statements(text)
    return here is not None and names <= names_of(here)
