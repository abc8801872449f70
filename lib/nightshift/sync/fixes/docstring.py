"""A linter misses a docstring: the one that a side has for the same definition is put back.

Where neither side has one, a stub can be written: a line that says no more than the name does.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
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
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_Owner = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Place:
    """What may carry a docstring: a definition by its qualified name ("" is the file)."""

    name: str
    node: _Owner

    def is_meant(self, of_file: bool, line: int) -> bool:
        """Whether a message of pylint's at a line is about it."""
        if isinstance(self.node, ast.Module):
            return of_file
        return not of_file and self.node.lineno == line


def find(line: str) -> Failure | None:
    """pylint's C0114, C0115 and C0116."""
    match = _PATTERN.search(line)
    if match is None:
        return None
    path, number, code = match.groups()
    return Failure(NAME, path=path, line=int(number), symbol=code)


def fix(failure: Failure, trees: Trees, _formatter: Formatter) -> FileChanges | None:
    """The docstring back, where the sides that have one agree; a stub where neither has one and
    policy wants it; None elsewhere."""
    path = locate(failure.path, trees.merged.entries())
    before = None if path is None else read_text(trees.merged, path)
    if path is None or before is None or not ours(path, trees):
        return None
    place = missing(before, failure.line, of_file=failure.symbol == OF_FILE)
    if place is None:
        return None
    lines = text_for(path, place, trees)
    return None if lines is None else changed(path, before, added(before, place, lines))


def text_for(path: str, place: Place, trees: Trees) -> str | None:
    """The docstring for a definition, as lines: a side's, or a stub; None where sides differ, or
    policy wants no stub."""
    found = from_sides(path, place, (trees.target, trees.source))
    if len(found) == 1:
        return found.pop()
    return stub(path, place) if trees.stubs and not found else None


def missing(text: str, line: int, *, of_file: bool) -> Place | None:
    """What a message at a line is about, where it has no docstring."""
    meant = (place for place in _places(text) if place.is_meant(of_file, line))
    place = next(meant, None)
    if place is None or not place.node.body or ast.get_docstring(place.node) is not None:
        return None
    return place


def from_sides(path: str, place: Place, sides: Iterable[TreeView]) -> set[str]:
    """The docstrings, as lines of their files, that sides have for a definition, indented for where
    it stands now."""
    column = place.node.body[0].col_offset
    texts = [read_text(side, path) for side in sides]
    return {lines for text in texts if text for lines in _docstrings(text, place.name, column)}


def _docstrings(text: str, name: str, column: int) -> Iterator[str]:
    for place in _places(text):
        if place.name == name and ast.get_docstring(place.node) is not None:
            node = place.node.body[0]
            lines = text.split("\n")[node.lineno - 1 : node.end_lineno]
            if lines[0][: node.col_offset].strip() == "":
                yield "\n".join(_moved(line, node.col_offset, column) for line in lines)


def _moved(line: str, before: int, after: int) -> str:
    """A line indented more or less, so far as it is indented."""
    bare = line.lstrip(" ")
    indent = len(line) - len(bare) - before + after
    return " " * max(0, indent) + bare if bare else line


def stub(path: str, place: Place) -> str:
    """A docstring of one line, indented: the name in words, which is certain to be true."""
    name = place.name.rpartition(".")[2] or _stem(path)
    words = " ".join(_WORDS.findall(name)) or name
    return " " * place.node.body[0].col_offset + f'"""{words[:1].upper()}{words[1:]}."""'


def _stem(path: str) -> str:
    """The last part of a module's dotted name."""
    folder, _, name = path.removesuffix(".py").rpartition("/")
    return folder.rpartition("/")[2] if name == "__init__" and folder else name


def added(text: str, place: Place, docstring: str) -> str:
    """The text with a docstring above the first statement of its owner, or the same text where that
    does not begin its line."""
    lines, owner = text.split("\n"), place.node
    first = owner.body[0]
    line = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", []))])
    if not isinstance(owner, ast.Module) and lines[line - 1][: first.col_offset].strip():
        return text
    blank = [""] if isinstance(owner, (ast.Module, ast.ClassDef)) else []
    return "\n".join([*lines[: line - 1], docstring, *blank, *lines[line - 1 :]])


def _places(text: str) -> Iterator[Place]:
    tree = parse(text)
    if tree is not None:
        yield from _inside(Place("", tree))


def _inside(place: Place) -> Iterator[Place]:
    yield place
    yield from _below(place.name, place.node)


def _below(name: str, node: ast.AST) -> Iterator[Place]:
    """The definitions in a scope, those under a condition or in a `try` too."""
    for item in ast.iter_child_nodes(node):
        if isinstance(item, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _inside(Place(f"{name}.{item.name}", item))
        elif not isinstance(item, ast.expr):
            yield from _below(name, item)


CAUSE = Cause("a docstring is missing", "C011[456]", find, fix, strong=True)
