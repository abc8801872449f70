"""A name or module cannot be imported: the merge dropped it, and one side still has it.

That class, function, constant or module alone is brought back, from the side that has it. Where
both have it and differ, nothing is certain.
"""

from __future__ import annotations

from collections.abc import Iterable

import re2

from nightshift.effects.values import FileChange
from nightshift.ports import Formatter, TreeView
from nightshift.sync.fixes.cause import Cause, Failure, FileChanges, Trees, changed, read_text
from nightshift.sync.fixes.restore import restore

NAME = "import-name"

_NAME = re2.compile(r"ImportError: cannot import name '([^']+)' from '([^']+)'(?: \(([^)]*)\))?")
_MODULE = re2.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")
_ATTRIBUTE = re2.compile(r"AttributeError: module '([\w.]+)' has no attribute '(\w+)'")


def find(line: str) -> Failure | None:
    """Python's three ways to say so."""
    if match := _NAME.search(line):
        symbol, module, path = match.groups()
        return Failure(NAME, path=path or "", symbol=symbol, module=module)
    if match := _MODULE.search(line):
        return Failure(NAME, module=match.group(1))
    if match := _ATTRIBUTE.search(line):
        return Failure(NAME, symbol=match.group(2), module=match.group(1))
    return None


def fix(failure: Failure, trees: Trees, formatter: Formatter) -> FileChanges | None:
    """The definition, import or file back where the merge dropped it."""
    if not failure.symbol:
        return _restore_file(_files_of(failure.module), trees)
    submodule = f"{failure.module}.{failure.symbol}"
    return _restore_name(failure, trees, formatter) or _restore_file(_files_of(submodule), trees)


def _restore_name(failure: Failure, trees: Trees, formatter: Formatter) -> FileChanges | None:
    path = _only(trees.merged, _files_of(failure.module))
    before = None if path is None else read_text(trees.merged, path)
    if path is None or before is None:
        return None
    versions = {
        _restored(failure.symbol, before, side, path) for side in (trees.target, trees.source)
    }
    found = versions - {None}
    if len(found) != 1:
        return None
    after = found.pop() or before
    clean = formatter(path, before) == before
    return changed(path, before, formatter(path, after) if clean else after)


def _restored(symbol: str, before: str, side: TreeView, path: str) -> str | None:
    origin = read_text(side, path)
    return None if origin is None else restore(symbol, before, origin)


def _restore_file(files: Iterable[str], trees: Trees) -> FileChanges | None:
    """A module's file that one side has and the merged tree lacks."""
    candidates = list(files)
    if _matches(trees.merged, candidates):
        return None
    found = {
        (path, side.read(path))
        for side in (trees.target, trees.source)
        for path in _matches(side, candidates)
    }
    if len(found) != 1:
        return None
    path, data = found.pop()
    return None if data is None else (FileChange(path, data),)


def _files_of(module: str) -> tuple[str, str]:
    stem = module.replace(".", "/")
    return f"{stem}.py", f"{stem}/__init__.py"


def _matches(tree: TreeView, tails: Iterable[str]) -> list[str]:
    """The files that a module's name may stand for, at the root or below a source folder."""
    ends = tuple(tails)
    slashed = tuple(f"/{end}" for end in ends)
    return [path for path in tree.entries() if path in ends or path.endswith(slashed)]


def _only(tree: TreeView, tails: Iterable[str]) -> str | None:
    """The one file that a module's name stands for: at the root, or the only one below a folder."""
    ends = tuple(tails)
    found = _matches(tree, ends)
    at_root = [path for path in found if path in ends]
    return next(iter(at_root), None) or (found[0] if len(found) == 1 else None)


CAUSE = Cause(
    "a name cannot be imported",
    "cannot import name|No module named|has no attribute",
    find,
    fix,
    strong=True,
)
