"""Small questions to syntax trees. Pure; keeps nothing."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from functools import lru_cache

from nightshift.sync.audits.index.facts import Function, Kind, Parameter, Shape

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
KEPT = 24
"""Syntax trees that are kept: those of the files that a round of repairs has in hand."""
Chain = tuple[str, tuple[str, ...]]
"""The first name of a dotted expression and the attributes behind it."""


def parse(data: bytes | str) -> ast.Module | None:
    """The syntax tree of a file, None where it is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=KEPT)
def parsed(text: str) -> ast.Module | None:
    """The syntax tree of a text that is asked for again and again; not to be changed."""
    return parse(text)


def chain(node: ast.AST) -> Chain | None:
    """`a.b.c` as ("a", ("b", "c")), `super().x` as ("super()", ("x",)); None for anything else."""
    path: list[str] = []
    while isinstance(node, ast.Attribute):
        path.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        return node.id, tuple(reversed(path))
    if is_super(node) and path:
        return "super()", tuple(reversed(path))
    return None


def is_super(node: ast.AST) -> bool:
    """Whether this is `super()`, without arguments."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "super"
        and not node.args
    )


def dotted(node: ast.AST) -> str:
    """A dotted name as text; of a call, that of what is called; "" for anything else."""
    found = chain(node.func if isinstance(node, ast.Call) and not is_super(node) else node)
    return ".".join((found[0], *found[1])) if found else ""


def last_part(name: str) -> str:
    """What stands behind the last dot of a name."""
    return name.rpartition(".")[2]


def annotation(node: ast.expr | None) -> Chain | None:
    """The one class that an annotation names: `X`, `"X"`, `Optional[X]`, `X | None`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        tree = parse(node.value.strip())
        if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
            return None
        return annotation(tree.body[0].value)
    if isinstance(node, ast.Subscript) and last_part(dotted(node.value)) == "Optional":
        return annotation(node.slice)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        sides = [side for side in (node.left, node.right) if not is_none(side)]
        return annotation(sides[0]) if len(sides) == 1 else None
    return chain(node) if isinstance(node, (ast.Name, ast.Attribute)) else None


def is_none(node: ast.AST | None) -> bool:
    """Whether this is the literal `None`."""
    return isinstance(node, ast.Constant) and node.value is None


def shape(node: ast.Call) -> Shape:
    """How a call hands over its arguments."""
    stars = sum(isinstance(a, ast.Starred) for a in node.args)
    keywords = tuple(k.arg for k in node.keywords if k.arg is not None)
    return Shape(len(node.args) - stars, bool(stars), keywords, len(keywords) < len(node.keywords))


def parameters(node: ast.arguments) -> tuple[Parameter, ...]:
    """The parameters of a definition, in order."""
    plain = [(a, Kind.POSITIONAL_ONLY) for a in node.posonlyargs]
    plain += [(a, Kind.PLAIN) for a in node.args]
    first = len(plain) - len(node.defaults)
    found = []
    for index, (argument, kind) in enumerate(plain):
        default = node.defaults[index - first] if index >= first else None
        found.append(Parameter(argument.arg, kind, _text(default)))
    if node.vararg:
        found.append(Parameter(node.vararg.arg, Kind.VARIADIC))
    for argument, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
        found.append(Parameter(argument.arg, Kind.KEYWORD_ONLY, _text(default)))
    if node.kwarg:
        found.append(Parameter(node.kwarg.arg, Kind.KEYWORDS))
    return tuple(found)


def _text(node: ast.expr | None) -> str | None:
    if isinstance(node, ast.Constant):
        return repr(node.value)
    return None if node is None else ast.unparse(node)


def function(node: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> Function:
    """A definition as a value."""
    decorators = tuple(dotted(d) for d in node.decorator_list)
    return Function(name, node.lineno, parameters(node.args), decorators)


def names_in(target: ast.AST) -> Iterator[str]:
    """Names that an assignment target binds."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        for item in target.elts:
            yield from names_in(item)
    elif isinstance(target, ast.Starred):
        yield from names_in(target.value)
