"""Which files can have a new message at all: a linter takes a fifth of a second a file, and most
files that a merge changes have no long line and no definition without a docstring that are new.

A file that is left out has none for certain; one that is not is the linter's to judge.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from nightshift.merge.symbols import parse
from nightshift.sync.lint_settings import DEFAULT_WIDTH, PRIVATE, WIDTH

LONG_LINE, OF_FILE = "line-too-long", "missing-module-docstring"
DOCSTRINGS = frozenset({OF_FILE, "missing-class-docstring", "missing-function-docstring"})
OLD_NAME = "missing-docstring"
KNOWN = DOCSTRINGS | {LONG_LINE, OLD_NAME}


def may_have_new(
    data: bytes, before: bytes | None, messages: Collection[str], settings: Mapping[str, str]
) -> bool:
    """Whether a linter may say of a file what it does not say of the file before.

    :param messages: the names of the messages that count; of those that are not `KNOWN` nothing is
        certain.
    """
    wanted = frozenset(messages)
    if wanted - KNOWN:
        return True
    if LONG_LINE in wanted:
        width = int(settings.get(WIDTH, DEFAULT_WIDTH))
        if _long(data, width) - _long(before or b"", width):
            return True
    if not wanted - {LONG_LINE}:
        return False
    now = _bare(data, settings)
    new = None if now is None else now - (_bare(before, settings) or Counter())
    of_file = bool(wanted & {OF_FILE, OLD_NAME})
    return new is None or any(name or of_file for name in new)


def _long(data: bytes, width: int) -> Counter[bytes]:
    """The lines that have more bytes than a line may have characters."""
    return Counter(line.strip() for line in data.split(b"\n") if len(line) > width)


def _bare(data: bytes | None, settings: Mapping[str, str]) -> Counter[str] | None:
    """The qualified names of what has no docstring, "" for the file; None where it is no Python."""
    tree = None if data is None else parse(data.decode("utf-8", "replace"))
    return None if tree is None else Counter(_names(tree, "", PRIVATE not in settings))


def _names(node: ast.AST, scope: str, public_only: bool) -> Iterator[str]:
    if isinstance(node, ast.Module) and ast.get_docstring(node) is None:
        yield ""
    for item in ast.iter_child_nodes(node):
        if isinstance(item, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{scope}{item.name}"
            hidden = public_only and item.name.startswith("_")
            if not hidden and ast.get_docstring(item, clean=False) is None:
                yield name
            yield from _names(item, f"{name}.", public_only)
        elif not isinstance(item, ast.expr):
            yield from _names(item, scope, public_only)
