"""A linter misses a docstring: the one that a side has for the same definition is put back."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

import re2

from nightshift.merge.symbols import parse
from nightshift.ports import Formatter, TreeView
from nightshift.sync.fixes.cause import (
    Cause,
    Failure,
    FileChanges,
    Trees,
    changed,
    locate,
    ours,
    read_text,
)

NAME = "missing-docstring"
OF_FILE = "C0114"

_PATTERN = re2.compile(r"(?:^|\s)([^\s:]+\.pyi?):(\d{1,7}):\d{1,7}: (C011[456])\b")
_Owner = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class _Place:
    """A definition by its qualified name ("" is the file), with what it may carry a docstring
    in."""

    name: str
    node: _Owner

    def is_meant(self, code: str, line: int) -> bool:
        """Whether a message of pylint's at a line is about it."""
        if isinstance(self.node, ast.Module):
            return code == OF_FILE
        return code != OF_FILE and self.node.lineno == line


def find(line: str) -> Failure | None:
    """pylint's C0114, C0115 and C0116."""
    match = _PATTERN.search(line)
    if match is None:
        return None
    path, number, code = match.groups()
    return Failure(NAME, path=path, line=int(number), symbol=code)


def fix(failure: Failure, trees: Trees, _formatter: Formatter) -> FileChanges | None:
    """The docstring back, where the sides that have one agree; None elsewhere: none is made up."""
    path = locate(failure.path, trees.merged.entries())
    before = None if path is None else read_text(trees.merged, path)
    if path is None or before is None or not ours(path, trees):
        return None
    meant = (it for it in _places(before) if it.is_meant(failure.symbol, failure.line))
    place = next(meant, None)
    if place is None or not place.node.body or ast.get_docstring(place.node) is not None:
        return None
    column = place.node.body[0].col_offset
    found = {_docstring(side, path, place.name, column) for side in (trees.target, trees.source)}
    found -= {None}
    if len(found) != 1:
        return None
    return changed(path, before, _inserted(before, place.node, found.pop() or ""))


def _docstring(side: TreeView, path: str, name: str, column: int) -> str | None:
    """The lines of a side's docstring, where they stand at the same column."""
    text = read_text(side, path)
    place = next((item for item in _places(text or "") if item.name == name), None)
    if text is None or place is None or ast.get_docstring(place.node) is None:
        return None
    node = place.node.body[0]
    lines = text.split("\n")[node.lineno - 1 : node.end_lineno]
    alone = lines[0][: node.col_offset].strip() == ""
    return "\n".join(lines) if node.col_offset == column and alone else None


def _inserted(text: str, owner: _Owner, docstring: str) -> str:
    """The text with a docstring above the first statement of its owner, or the same text where that
    shares the owner's line."""
    lines = text.split("\n")
    first = owner.body[0]
    line = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", []))])
    if not isinstance(owner, ast.Module) and line == owner.lineno:
        return text
    blank = [""] if isinstance(owner, (ast.Module, ast.ClassDef)) else []
    return "\n".join([*lines[: line - 1], docstring, *blank, *lines[line - 1 :]])


def _places(text: str) -> Iterator[_Place]:
    tree = parse(text)
    if tree is not None:
        yield from _inside(_Place("", tree))


def _inside(place: _Place) -> Iterator[_Place]:
    yield place
    for node in place.node.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _inside(_Place(f"{place.name}.{node.name}", node))


CAUSE = Cause("a docstring is missing", "C011[456]", find, fix, strong=True)
