"""Imports run in a circle: where sorting the imports of an `__init__.py` made it, their old order
is put back there (sync.md, phase 3).

The order that is right is not in the log: it is that of a side's file. It is taken only if imports
fail now and, worked out from the texts, do not any more afterwards.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

import re2

from nightshift.ports import Formatter, TreeView
from nightshift.sync.audits.import_order import failures
from nightshift.sync.audits.index.resolve import Resolver
from nightshift.sync.audits.index.tree import FactsCache, TreeIndex
from nightshift.sync.fixes.cause import (
    Cause,
    Failure,
    FileChanges,
    Overlay,
    Trees,
    changed,
    locate,
    ours,
    read_text,
)
from nightshift.sync.fixes.definitions import Statement, statements

NAME = "import-circle"
PACKAGE = "__init__.py"

_PATTERN = re2.compile(
    r"cannot import name '([^']+)' from partially initialized module '([^']+)'|"
    r"partially initialized module '([^']+)' has no attribute '([^']+)'"
)
_FRAME = re2.compile(r'^\s*File "([^"]+)", line \d+|^([^\s:]+\.py):\d+: in ')


def find(line: str) -> Failure | None:
    """Python's words on a module that is imported while it is being imported."""
    match = _PATTERN.search(line)
    if match is None:
        return None
    name, module, other_module, attribute = match.groups()
    return Failure(NAME, symbol=name or attribute or "", module=module or other_module or "")


def fix(failure: Failure, trees: Trees, _formatter: Formatter) -> FileChanges | None:
    """The one `__init__.py` with its imports in a side's order, where that ends the circle."""
    files = list(dict.fromkeys(_files(failure, trees.merged)))
    cache = FactsCache()
    before = _failing(trees.merged, files, cache)
    if not before:
        return None
    for path in (path for path in files if path.rpartition("/")[2] == PACKAGE):
        text = read_text(trees.merged, path)
        if text is None or not ours(path, trees):
            continue
        for after in _orders(text, path, (trees.target, trees.source)):
            left = _failing(_with(trees.merged, path, after), files, cache)
            if left < before:
                return changed(path, text, after)
    return None


def makes_circle(trees: Trees, path: str, after: str) -> bool:
    """Whether an edit of a package's `__init__.py` makes imports fail that did not before."""
    if path.rpartition("/")[2] != PACKAGE:
        return False
    cache = FactsCache()
    before = _failing(trees.merged, [path], cache)
    return not _failing(_with(trees.merged, path, after), [path], cache) <= before


def _with(tree: TreeView, path: str, text: str) -> Overlay:
    return Overlay(tree, {path: text.encode("utf-8")})


def _failing(
    tree: TreeView, files: Iterable[str], cache: FactsCache
) -> frozenset[tuple[str, str, str]]:
    """The imports that fail when one of the files is imported first."""
    return frozenset(fault.key for fault in failures(Resolver(TreeIndex(tree, cache)), files))


def _files(failure: Failure, tree: TreeView) -> Iterator[str]:
    """The files that the failure may come from: of the module and the packages above it, and those
    that the lines above it name."""
    entries = tree.entries()
    parts = failure.module.split(".")
    for length in range(len(parts), 0, -1):
        stem = "/".join(parts[:length])
        for name in (f"{stem}/{PACKAGE}", f"{stem}.py"):
            if name in entries:
                yield name
    for line in failure.excerpt:
        match = _FRAME.search(line)
        path = locate(match.group(1) or match.group(2), entries) if match else None
        if path is not None:
            yield path


def _orders(text: str, path: str, sides: Sequence[TreeView]) -> Iterator[str]:
    """The text with its imports in the order in which each side has them."""
    for side in sides:
        theirs = read_text(side, path)
        here, there = statements(text), statements(theirs or "")
        if here and there:
            after = _ordered(text, here, [_key(item) for item in there])
            if after != text:
                yield after


def _ordered(text: str, here: Sequence[Statement], order: Sequence[str]) -> str:
    """The imports that both have, once each, in the places that they have here and the order of the
    other text; all else stays."""
    keys = [_key(item) for item in here]
    shared = {
        key
        for one, other in zip(here, here[1:], strict=False)
        if other.node.lineno <= one.last
        for key in (_key(one), _key(other))
    }
    once = {key for key in keys if keys.count(key) == 1 and order.count(key) == 1}
    both = once - shared - {""}
    places = [item for item, key in zip(here, keys, strict=True) if key in both]
    wanted = sorted(places, key=lambda item: order.index(_key(item)))
    lines = text.split("\n")
    result, at = list[str](), 0
    for place, item in zip(places, wanted, strict=True):
        result += [*lines[at : place.first - 1], *lines[item.first - 1 : item.last]]
        at = place.last
    return "\n".join([*result, *lines[at:]])


def _key(item: Statement) -> str:
    """What an import imports from; "" for what is no import."""
    node = item.node
    if isinstance(node, ast.ImportFrom):
        return f"{'.' * node.level}{node.module or ''}"
    if isinstance(node, ast.Import):
        return ",".join(sorted(alias.name for alias in node.names))
    return ""


CAUSE = Cause("imports run in a circle", "partially initialized module", find, fix, strong=True)
