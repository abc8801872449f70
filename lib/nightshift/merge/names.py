"""Which names a Python file uses without anybody having defined them. Reads text only."""

from __future__ import annotations

import ast
import builtins
import symtable
import warnings
from collections.abc import Iterator
from functools import lru_cache

from nightshift.merge.symbols import parse

IMPLICIT = frozenset(dir(builtins)) | {
    "__annotations__",
    "__builtins__",
    "__doc__",
    "__file__",
    "__loader__",
    "__name__",
    "__package__",
    "__path__",
    "__spec__",
    "WindowsError",
}


@lru_cache(maxsize=256)
def undefined(text: str) -> frozenset[str]:
    """Names that some scope reads as globals, and that neither the module nor Python binds.

    Nothing where the file does not parse, or where a star import may bind anything. Python's own symbol
    table decides what is a global, so scopes, comprehensions and class bodies are Python's.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            top = symtable.symtable(text, "merged", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    bound = {s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported()}
    read: set[str] = set()
    tables = [top]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for symbol in table.get_symbols():
            if symbol.is_global() and symbol.is_referenced():
                read.add(symbol.get_name())
            if symbol.is_declared_global() and symbol.is_assigned():
                bound.add(symbol.get_name())
        if table is top:
            read |= {s.get_name() for s in top.get_symbols() if s.is_referenced()}
    missing = frozenset((read | _in_annotations(text)) - bound - IMPLICIT)
    return frozenset() if missing and _has_star(text) else missing


def _in_annotations(text: str) -> set[str]:
    """Names in annotations that Python does not read at once: strings (PEP 484), or all (PEP 563)."""
    postponed = "from __future__ import annotations" in text
    found: set[str] = set()
    local: set[str] = set()
    for node in _walk(text):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            local.add(node.id)
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if isinstance(part, ast.expr):
                found |= _read_by(part, postponed)
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            local.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            local |= {alias.asname or alias.name.split(".")[0] for alias in node.names}
    return found - local


def _read_by(annotation: ast.expr, postponed: bool) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(annotation):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= {n.id for n in _walk(node.value.strip()) if isinstance(n, ast.Name)}
        elif postponed and isinstance(node, ast.Name):
            found.add(node.id)
    return found


def _has_star(text: str) -> bool:
    return "import *" in text and any(
        isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in _walk(text)
    )


def _walk(text: str) -> Iterator[ast.AST]:
    tree = parse(text)
    return iter(()) if tree is None else ast.walk(tree)


def lines_of(text: str, name: str) -> list[int]:
    """The lines (1-based) that read a name."""
    return sorted({n.lineno for n in _walk(text) if isinstance(n, ast.Name) and n.id == name})


@lru_cache(maxsize=512)
def definitions(text: str) -> frozenset[str] | None:
    """Dotted names of all functions, classes and methods outside functions; None where it does not parse."""
    tree = parse(text)
    return None if tree is None else frozenset(_defined(tree, ""))


def _defined(node: ast.AST, prefix: str) -> set[str]:
    found: set[str] = set()
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(prefix + child.name)
            if isinstance(child, ast.ClassDef):
                found |= _defined(child, prefix + child.name + ".")
        elif isinstance(child, (ast.If, ast.Try, ast.ExceptHandler)):
            found |= _defined(child, prefix)
    return found


_AGAIN = ("setter", "getter", "deleter", "overload", "register", "dispatch")


@lru_cache(maxsize=512)
def doubled(text: str) -> frozenset[str]:
    """Dotted names that one body defines twice without saying so by a decorator."""
    tree = parse(text)
    return frozenset() if tree is None else frozenset(_doubled(tree, ""))


def _doubled(node: ast.Module | ast.ClassDef, prefix: str) -> set[str]:
    found: set[str] = set()
    seen: set[str] = set()
    for child in node.body:
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        decorators = " ".join(map(ast.unparse, child.decorator_list))
        if child.name in seen and not any(word in decorators for word in _AGAIN):
            found.add(prefix + child.name)
        seen.add(child.name)
        if isinstance(child, ast.ClassDef):
            found |= _doubled(child, prefix + child.name + ".")
    return found
