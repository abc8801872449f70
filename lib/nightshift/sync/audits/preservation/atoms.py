"""A file as the set of things that a merge can lose: definitions, fields, parameters, keywords,
calls, imports, statements, and for other texts their lines and sections.

A statement is the row of its words and signs, without brackets, commas and quotes, which formatters
add and take: so reformatting changes nothing. Reads text only.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from nightshift.sync.audits.index.syntax import DEFINITIONS, dotted, names_in, parse

SHORTEST = 8
"""Statements and lines of fewer characters say too little to be missed."""
BUILTINS = frozenset(dir(builtins))
COMMENT = re.compile(r"(\"[^\"\\]*(?:\\.[^\"\\]*)*\"|'[^'\\]*(?:\\.[^'\\]*)*')|#.*")
"""A text in quotes, which stays, or a comment."""
TOKEN = re.compile(r"\w+|[^\w\s(),\\'\"]")


class Kind(Enum):
    """What an atom is; the values are the rules' names."""

    DEFINITION = "lost-definition"
    FIELD = "lost-field"
    PARAMETER = "lost-parameter"
    KEYWORD = "lost-keyword"
    CALL = "lost-call"
    IMPORT = "lost-import"
    SECTION = "lost-section"
    LINE = "lost-lines"


@dataclass(frozen=True, slots=True)
class Atom:
    """One thing: where it stands (a definition's dotted name, a heading) and what it is called."""

    kind: Kind
    scope: str
    name: str


Atoms = Mapping[Atom, int]
"""Each thing of a file, with the line that it stands in first."""
PYTHON = (".py", ".pyi")
TEXTS = (".md", ".rst", ".txt", ".sh", ".yaml", ".yml", ".toml", ".cfg", ".ini")


def atoms(path: str, data: bytes | None) -> Atoms | None:
    """The atoms of a file; none of an absent one; None where it cannot be read as what its name
    says."""
    if data is None:
        return {}
    if path.endswith(PYTHON):
        return _python(data)
    if path.endswith(TEXTS) or path.rpartition("/")[2].startswith("Dockerfile"):
        return _text(path, data.decode("utf-8", "surrogateescape"))
    return None


def _python(data: bytes) -> Atoms | None:
    tree = parse(data)
    if tree is None:
        return None
    found: dict[Atom, int] = {}
    try:
        for atom, line in _Walk(data.decode("utf-8", "replace").splitlines()).body(tree.body, ""):
            found.setdefault(atom, line)
    except RecursionError:
        return None
    return found


class _Walk:
    """One walk over a file's statements."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def body(self, body: list[ast.stmt], scope: str) -> Iterator[tuple[Atom, int]]:
        """The atoms of statements in a row."""
        for node in body:
            if isinstance(node, (*DEFINITIONS, ast.ClassDef)):
                yield from self._definition(node, scope)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                yield from _import(node, scope)
            else:
                yield from self._statement(node, scope)

    def _statement(self, node: ast.stmt, scope: str) -> Iterator[tuple[Atom, int]]:
        if scope and isinstance(node, (ast.Assign, ast.AnnAssign)):
            yield from _fields(node, scope)
        text = "" if isinstance(node, (ast.Try, ast.TryStar)) else self._text(node)
        if len(text) >= SHORTEST and not _is_docstring(node):
            yield Atom(Kind.LINE, scope, text), node.lineno
        yield from _calls(node, scope)
        for name in ("body", "orelse", "finalbody"):
            yield from self.body(getattr(node, name, []), scope)
        for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            yield from self.body(part.body, scope)

    def _text(self, node: ast.stmt) -> str:
        """A statement without layout; of a compound one, its head."""
        end = node.end_lineno or node.lineno
        inner = getattr(node, "body", None)
        if inner:
            end = max(inner[0].lineno - 1, node.lineno)
        elif isinstance(node, ast.Match):
            end = node.lineno
        return normal(" ".join(map(_without_comment, self._lines[node.lineno - 1 : end])))

    def _definition(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, scope: str
    ) -> Iterator[tuple[Atom, int]]:
        yield Atom(Kind.DEFINITION, scope, node.name), node.lineno
        inner = f"{scope}.{node.name}".lstrip(".")
        for decorator in node.decorator_list:
            text = normal("@" + self._lines[decorator.lineno - 1].strip().lstrip("@"))
            yield Atom(Kind.LINE, inner, text), decorator.lineno
        if not isinstance(node, ast.ClassDef):
            yield from _parameters(node.args, inner)
        yield from self.body(node.body, inner)


def _without_comment(line: str) -> str:
    """A line of Python without the comment at its end, which the statement is the same without."""
    if "#" not in line:
        return line
    return COMMENT.sub(lambda found: found[1] or "", line)


def normal(text: str) -> str:
    """The words and signs of a text, without what formatters add and take."""
    return " ".join(TOKEN.findall(text))


def _parameters(arguments: ast.arguments, scope: str) -> Iterator[tuple[Atom, int]]:
    named = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    for argument in (*named, arguments.vararg, arguments.kwarg):
        if argument is not None:
            yield Atom(Kind.PARAMETER, scope, argument.arg), argument.lineno


def _import(node: ast.Import | ast.ImportFrom, scope: str) -> Iterator[tuple[Atom, int]]:
    module = "." * getattr(node, "level", 0) + (getattr(node, "module", "") or "")
    for alias in node.names:
        name = f"{module}:{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name
        yield Atom(Kind.IMPORT, scope, name), node.lineno


def _fields(node: ast.Assign | ast.AnnAssign, scope: str) -> Iterator[tuple[Atom, int]]:
    """Names that a class body or `self` gets; locals are no fields, and are told apart by the
    caller's scope."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in targets:
        if isinstance(target, ast.Attribute) and dotted(target.value) == "self":
            yield Atom(Kind.FIELD, scope.rpartition(".")[0], "self." + target.attr), node.lineno
        elif isinstance(node, ast.AnnAssign):
            for name in names_in(target):
                yield Atom(Kind.FIELD, scope, name), node.lineno


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _calls(node: ast.stmt, scope: str) -> Iterator[tuple[Atom, int]]:
    """Calls and their keywords in a statement's own expressions, by the last part of what is
    called."""
    for call in _own_calls(node):
        name = dotted(call.func).rpartition(".")[2]
        if name and name not in BUILTINS:
            yield Atom(Kind.CALL, scope, name), call.lineno
        for keyword in call.keywords:
            if name and keyword.arg:
                yield Atom(Kind.KEYWORD, scope, f"{name}({keyword.arg}=)"), keyword.value.lineno


def _own_calls(node: ast.stmt) -> Iterator[ast.Call]:
    todo = _parts(node)
    while todo:
        item = todo.pop()
        if item.__class__ is ast.Call:
            yield item
        todo += _parts(item)


def _parts(node: ast.AST) -> list[ast.AST]:
    """The expressions right below a node that can hold calls. As `ast.iter_child_nodes`, which
    takes three times as long."""
    found: list[ast.AST] = []
    for value in node.__dict__.values():
        if value.__class__ is list:
            found += [one for one in value if isinstance(one, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return [one for one in found if not isinstance(one, LEAVES)]


LEAVES = (
    ast.stmt,
    ast.ExceptHandler,
    ast.expr_context,
    ast.Name,
    ast.Constant,
    ast.operator,
    ast.cmpop,
    ast.unaryop,
    ast.boolop,
)
"""What holds no call of the statement itself."""


def _text(path: str, text: str) -> Atoms:
    """Lines without their indentation, and headings of documents; of others no comments."""
    found: dict[Atom, int] = {}
    document, headed = path.endswith((".md", ".rst", ".txt")), path.endswith((".md", ".rst"))
    scope, fenced = "", False
    for number, raw in enumerate(text.splitlines(), 1):
        line = " ".join(raw.split())
        fenced ^= line.startswith("```")
        if headed and not fenced and line.startswith("#") and line.strip("# "):
            scope = line.strip("# ")
            found.setdefault(Atom(Kind.SECTION, "", scope), number)
        elif len(line) >= SHORTEST and (document or not line.startswith("#")):
            found.setdefault(Atom(Kind.LINE, scope, line), number)
    return found
