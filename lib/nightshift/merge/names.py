"""Which names a Python file uses without anybody having defined them. Reads text only."""

from __future__ import annotations

import ast
import builtins
import symtable
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from nightshift.merge.symbols import is_text, parse, parses

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

    Nothing where the file does not compile, or where a star import may bind anything. Python's own
    symbol table decides what is a global, so scopes, comprehensions and class bodies are Python's.
    """
    names = _scopes(text)
    if names is None:
        return frozenset()
    read = names.read | (_in_annotations(text) - names.anywhere)
    missing = frozenset(read - names.bound - IMPLICIT)
    return frozenset() if missing and _has_star(text) else missing


def compiles(text: str) -> bool:
    """Whether Python takes the text as a module: it parses, its scopes are right, and `__future__`
    comes first."""
    tree = parse(text) if parses(text) else None
    return tree is not None and _scopes(text) is not None and _future_first(tree.body)


def _future_first(body: Sequence[ast.stmt]) -> bool:
    future = [isinstance(n, ast.ImportFrom) and n.module == "__future__" for n in body]
    last = max((n for n, is_future in enumerate(future) if is_future), default=-1)
    return all(is_future or is_text(n) for n, is_future in zip(body[: max(last, 0)], future))


@lru_cache(maxsize=64)
def _scopes(text: str) -> _Names | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            top = symtable.symtable(text, "merged", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    names = _Names()
    names.visit(top)
    return names


@dataclass(slots=True)
class _Names:
    """The names of a module's scopes.

    :param read: those that some scope looks up among the module's.
    :param bound: those that the module binds; `anywhere` those that any scope binds.
    """

    read: set[str] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)
    anywhere: set[str] = field(default_factory=set)

    def visit(self, top: symtable.SymbolTable) -> None:
        """Take in a module and all scopes inside it."""
        tables = [top]
        while tables:
            table = tables.pop()
            tables += table.get_children()
            for symbol in table.get_symbols():
                self._symbol(symbol, table is top)

    def _symbol(self, symbol: symtable.Symbol, is_module: bool) -> None:
        name = symbol.get_name()
        binds = symbol.is_assigned() or symbol.is_imported()
        if symbol.is_referenced() and (is_module or symbol.is_global()):
            self.read.add(name)
        if binds:
            self.anywhere.add(name)
            if is_module or symbol.is_declared_global():
                self.bound.add(name)


def _in_annotations(text: str) -> set[str]:
    """Names in annotations that Python does not read at once: strings (PEP 484), or all (PEP
    563)."""
    postponed = "from __future__ import annotations" in text
    found: set[str] = set()
    for node in _statements(parse(text)):
        for part in _annotations(node):
            for inner in ast.walk(part):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    found |= _names_in(inner.value)
                elif postponed and isinstance(inner, ast.Name):
                    found.add(inner.id)
    return found


def _statements(node: ast.AST | None) -> Iterator[ast.stmt]:
    """All statements, however deep; expressions are not looked into."""
    for _, value in ast.iter_fields(node) if node else ():
        for child in value if isinstance(value, list) else ():
            if isinstance(child, ast.stmt):
                yield child
            if isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
                yield from _statements(child)


def _annotations(node: ast.stmt) -> Iterator[ast.expr]:
    if isinstance(node, ast.AnnAssign):
        yield node.annotation
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        args = node.args
        every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
        yield from (arg.annotation for arg in every if arg and arg.annotation)
        if node.returns:
            yield node.returns


def _names_in(annotation: str) -> set[str]:
    """Names that the text of an annotation reads; none where it is no expression."""
    try:
        tree = ast.parse(annotation.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


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
