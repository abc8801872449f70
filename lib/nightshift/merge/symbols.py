"""A Python file as a sequence of named sections: definitions, class members, imports, statements.

Sections partition the file line by line, so joining them gives the text back. Blank lines and
comments belong to the section that they stand above: they travel with what they explain. Reads
text only; decides nothing.
"""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from nightshift.merge.lines import Lines

DEFINITION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORT = (ast.Import, ast.ImportFrom)
HEAD = "head"
TAIL = "tail"


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of lines with a name that is unique among its siblings.

    :param kind: `class`, `def`, `import`, `head` (what stands before a class's first member),
        `tail`
        (what follows the last statement), or the statement's kind.
    :param binds: names that it binds in its own scope, conditional ones included.
    :param members: a class's sections in order, its head first; empty for everything else.
    """

    key: str
    kind: str
    name: str
    lines: Lines
    binds: frozenset[str] = frozenset()
    members: tuple[Section, ...] = ()


@lru_cache(maxsize=8)
def parse(text: str) -> ast.Module | None:
    """The syntax tree, or None where the text is no Python. Trees are shared: read them only."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=2048)
def parses(text: str) -> bool:
    """Whether a text is Python; remembered for longer than its tree."""
    return parse(text) is not None


def outline(lines: Lines) -> tuple[Section, ...] | None:
    """The sections of a Python file; None where it does not parse."""
    text = "".join(lines)
    tree = None if "\f" in text or "\r" in text else parse(text)
    if tree is None:
        return None
    end = _header_end(lines, tree.body)
    header = (Section(HEAD, HEAD, "", lines[:end]),) if end else ()
    return (*header, *_sections(tree.body, lines, end, len(lines)))


def _header_end(lines: Lines, body: Sequence[ast.stmt]) -> int:
    """Where the comments that open a file end: at the blank lines behind them."""
    first = _first_line(body[0]) - 1 if body else len(lines)
    blank = [n for n in range(first) if not lines[n].strip()]
    return blank[-1] + 1 if blank and any(line.strip() for line in lines[: blank[-1]]) else 0


def _sections(body: Sequence[ast.stmt], lines: Lines, start: int, end: int) -> Iterator[Section]:
    """Sections of a module or class body that owns lines[start:end]."""
    seen: Counter[str] = Counter()
    for group in _groups(body):
        stop = min(group[-1].end_lineno or end, end)
        kind, name = _label(group)
        stem = f"{kind}:{name}"
        key = f"{stem}#{seen[stem]}" if seen[stem] else stem
        seen[stem] += 1
        members = _members(group[0], lines, start, stop) if kind == "class" else ()
        yield Section(key, kind, name, lines[start:stop], frozenset(bound(group)), members)
        start = stop
    if start < end:
        yield Section(TAIL, TAIL, "", lines[start:end])


def _members(node: ast.stmt, lines: Lines, start: int, end: int) -> tuple[Section, ...]:
    """A class's head and members; nothing where they share a line."""
    assert isinstance(node, ast.ClassDef)
    first = _first_line(node.body[0]) - 1
    if first <= node.lineno - 1:
        return ()
    above = _comments_above(lines, first, node.lineno)
    head = Section(HEAD, HEAD, node.name, lines[start:above])
    return (head, *_sections(node.body, lines, above, end))


def _comments_above(lines: Lines, first: int, least: int) -> int:
    """The line where the comments and blank lines right above a statement begin."""
    while first > least and (
        not lines[first - 1].strip() or lines[first - 1].lstrip().startswith("#")
    ):
        first -= 1
    return first


def _groups(body: Sequence[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """Statements one by one, but for those that share a line, and for a field and its
    documentation."""
    group: list[ast.stmt] = []
    for node in body:
        if (
            group
            and _first_line(node) > (group[-1].end_lineno or 0)
            and not _documents(node, group[-1])
        ):
            yield group
            group = []
        group.append(node)
    if group:
        yield group


def _documents(node: ast.stmt, before: ast.stmt) -> bool:
    """Whether a statement is the string that explains the assignment above it (PEP 257, attribute
    docstrings)."""
    return isinstance(before, (ast.Assign, ast.AnnAssign)) and is_text(node)


def is_text(node: ast.stmt) -> bool:
    """Whether a statement is a bare string."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _first_line(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    lines: list[int] = [d.lineno for d in decorators]
    return min(node.lineno, *lines) if lines else node.lineno


def _label(group: Sequence[ast.stmt]) -> tuple[str, str]:
    """The kind and name of a group of statements."""
    node = group[0]
    if len(group) > 1 and not _documents(group[1], node):
        return "line", _words(node)
    if isinstance(node, DEFINITION):
        kind = "class" if isinstance(node, ast.ClassDef) else "def"
        return kind, node.name + _accessor(node)
    if isinstance(node, IMPORT):
        return "import", _module(node)
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return "assign", ",".join(ast.unparse(target) for target in targets)
    return type(node).__name__.lower(), _guarded(node) or _words(node)


def _module(node: ast.Import | ast.ImportFrom) -> str:
    if isinstance(node, ast.ImportFrom):
        return "." * node.level + (node.module or "")
    return " " + ", ".join(alias.name for alias in node.names)


def _guarded(node: ast.stmt) -> str:
    """What a `try` or `if` binds: it is known by that, whatever guards it."""
    if isinstance(node, ast.Try):
        return ",".join(sorted(bound(node.body)))
    return ",".join(sorted(bound([node]))) if isinstance(node, ast.If) else ""


def _accessor(node: ast.stmt) -> str:
    """`.setter` and the like: definitions that share a name on purpose."""
    names = [ast.unparse(d) for d in getattr(node, "decorator_list", [])]
    return "".join(
        "." + n.rsplit(".", 1)[1] for n in names if n.endswith((".setter", ".getter", ".deleter"))
    )


def _words(node: ast.stmt) -> str:
    """The first words of a statement, whatever its layout."""
    if is_text(node):
        return "text"
    return ast.unparse(node).split("\n", 1)[0][:60]


def bound(body: Sequence[ast.stmt]) -> set[str]:
    """Names that statements bind by import, assignment or definition, in blocks too, but in no
    inner scope."""
    names: set[str] = set()
    for node in body:
        if isinstance(node, DEFINITION):
            names.add(node.name)
        elif isinstance(node, IMPORT):
            names |= {alias.asname or alias.name.split(".")[0] for alias in node.names}
        else:
            names |= {
                n.id
                for n in ast.walk(node)
                if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
            }
            names |= bound([n for n in ast.iter_child_nodes(node) if isinstance(n, ast.stmt)])
            names |= {
                name for handler in getattr(node, "handlers", []) for name in bound(handler.body)
            }
    return names
