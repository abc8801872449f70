"""Small edits of a Python text at places that its syntax tree names. Text to text; keeps layout and
comments.

`ast` counts columns in UTF-8 bytes, so edits are made on bytes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from nightshift.sync.audits.index.syntax import DEFINITIONS, dotted, parse, parsed

Edit = tuple[int, int, bytes]
"""First byte, byte behind the last, and what stands there afterwards."""
Scoped = tuple[str, ast.Call]


def offsets(text: bytes) -> list[int]:
    """The byte that each line (0-based) starts at."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def apply(text: str, edits: Iterable[Edit]) -> str:
    """A text with edits made, the last one first."""
    data = text.encode("utf-8", "surrogateescape")
    for start, end, new in sorted(edits, reverse=True):
        data = data[:start] + new + data[end:]
    return data.decode("utf-8", "surrogateescape")


def rename_attribute(text: str, chain: str, new: str) -> str | None:
    """A text in which the last part of every `chain` is another name; None where it stands
    nowhere."""
    tree = parsed(text)
    if tree is None:
        return None
    data = text.encode("utf-8", "surrogateescape")
    starts = offsets(data)
    old = chain.rpartition(".")[2].encode()
    edits: list[Edit] = []
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and node.end_col_offset is not None
            and dotted(node) == chain
        ):
            end = starts[(node.end_lineno or 1) - 1] + node.end_col_offset
            if data[end - len(old) : end] == old:
                edits.append((end - len(old), end, new.encode()))
    return apply(text, edits) if edits else None


def add_keyword(text: str, call: ast.Call, keyword: str, value: str) -> str | None:
    """A text with one more keyword at the end of a call, laid out like the call; None where the
    call's end is written in a way that this cannot keep."""
    data = text.encode("utf-8", "surrogateescape")
    starts = offsets(data)
    end = starts[(call.end_lineno or 1) - 1] + (call.end_col_offset or 0) - 1
    new = f"{keyword}={value}".encode("utf-8", "surrogateescape")
    items: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    edit: Edit | None = (end, end, new)
    if items:
        last = max(items, key=lambda item: (item.end_lineno or 0, item.end_col_offset or 0))
        after = starts[(last.end_lineno or 1) - 1] + (last.end_col_offset or 0)
        indent = None if last.lineno == call.lineno else _column(data, starts, last)
        edit = _behind(data[after:end], after, new, indent)
    mended = apply(text, [edit]) if edit else ""
    return mended if mended and parse(mended) is not None else None


def replace_keyword(
    text: str, call: ast.Call, old: str, new: str | None, value: str | None
) -> str | None:
    """A text in which a keyword of a call has another name, or another name and value; without a
    new name it goes. None where that is not sure to keep the rest."""
    data = text.encode("utf-8", "surrogateescape")
    starts = offsets(data)
    items: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    items.sort(key=lambda item: (item.lineno, item.col_offset))
    at = next(n for n, i in enumerate(items) if isinstance(i, ast.keyword) and i.arg == old)
    start, end = _span(starts, items[at])
    if new is not None:
        kept = old if value is None else data[start:end].decode("utf-8", "surrogateescape")
        words = new if value is None else f"{new}={value}"
        edit: Edit = (start, start + len(kept.encode("utf-8", "surrogateescape")), words.encode())
    elif at + 1 < len(items):
        edit = (start, _span(starts, items[at + 1])[0], b"")
    else:
        edit = (_span(starts, items[at - 1])[1] if at else start, end, b"")
    mended = apply(text, [edit])
    return mended if b"#" not in data[edit[0] : edit[1]] and parse(mended) is not None else None


def _span(starts: Sequence[int], node: ast.expr | ast.keyword) -> tuple[int, int]:
    first = starts[node.lineno - 1] + node.col_offset
    return first, starts[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)


def _behind(rest: bytes, after: int, new: bytes, indent: int | None) -> Edit | None:
    """The edit that puts an argument behind the last one.

    :param rest: what stands between that one, which ends at `after`, and the end of the call.
    :param indent: of the new line that it gets; None where it stays on the line.
    """
    closed = rest.rfind(b")") + 1  # the last argument may stand in brackets of its own
    tail = rest[closed:]
    if tail.strip() not in (b"", b","):
        return None
    start, end = after + closed, after + len(rest)
    if indent is None:
        return start, end, b", " + new
    comma = b"," if b"," in tail else b""
    return start, end, b",\n" + b" " * indent + new + comma + tail.replace(b",", b"", 1)


def _column(data: bytes, starts: Sequence[int], node: ast.expr | ast.keyword) -> int:
    line = data[starts[node.lineno - 1] :].split(b"\n", 1)[0]
    return len(line) - len(line.lstrip())


def calls(tree: ast.Module, callee: str, scope: str | None = None) -> Iterator[ast.Call]:
    """The calls of a dotted name, in one scope or in all."""
    for where, call in _calls_of(tree):
        if (scope is None or where == scope) and dotted(call.func) == callee:
            yield call


@lru_cache(maxsize=16)
def _calls_of(tree: ast.Module) -> tuple[Scoped, ...]:
    """Many faults are about the same few files."""
    return tuple(scoped_calls(tree))


def scoped_calls(node: ast.AST, scope: str = "") -> Iterator[Scoped]:
    """All calls below a node, each with the dotted name of the scope that it stands in."""
    for child in ast.iter_child_nodes(node):
        inner = scope
        if isinstance(child, (*DEFINITIONS, ast.ClassDef)):
            inner = f"{scope}.{child.name}".lstrip(".")
        if isinstance(child, ast.Call):
            yield scope, child
        yield from scoped_calls(child, inner)


def find_class(tree: ast.Module, name: str) -> ast.ClassDef | None:
    """A class by its dotted name, outside of functions."""
    found: ast.ClassDef | None = None
    body: list[ast.stmt] = tree.body
    for part in name.split("."):
        found = next((n for n in body if isinstance(n, ast.ClassDef) and n.name == part), None)
        if found is None:
            return None
        body = found.body
    return found
