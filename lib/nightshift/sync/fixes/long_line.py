"""A linter's complaint that a line is too long. A comment or a docstring's line is wrapped; code is
the formatter's."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator

import re2

from nightshift.merge.symbols import parse
from nightshift.ports import Formatter
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

NAME = "long-line"

_PATTERN = re2.compile(
    r"(?:^|\s)([^\s:]+\.pyi?):(\d{1,7}):\d{1,7}: (?:C0301|E501):? (?i:line too long) "
    r"\(\d{1,6} ?[/>] ?(\d{1,6})"
)
_SHORTEST = 20
_ITEM = re2.compile(
    r"^\s*(?:[-*+] |\d{1,3}[.)] |:[a-z]+ |\*{0,2}[A-Za-z_][\w.]*(?: ?\([^()]*\))?: )"
)
_LAID_OUT = ("```", ">>>", "::\n", ".. ", "|", "+--")
"""What tells that the lines of a docstring are no running text."""
_HANGING = 4


def find(line: str) -> Failure | None:
    """pylint's C0301, and E501 of flake8, pycodestyle and ruff."""
    match = _PATTERN.search(line)
    if match is None:
        return None
    path, number, limit = match.groups()
    return Failure(NAME, path=path, line=int(number), limit=int(limit))


def fix(failure: Failure, trees: Trees, formatter: Formatter) -> FileChanges | None:
    """The file formatted, or its comment or docstring wrapped; None where the line is code that
    stays long."""
    path = locate(failure.path, trees.merged.entries())
    if path is None or not ours(path, trees):
        return None
    before = read_text(trees.merged, path)
    if before is None or failure.line > before.count("\n") + 1:
        return None
    after = wrapped(before, failure.line, failure.limit)
    if after is not None:
        return changed(path, before, after)
    after = formatter(path, before)
    shorter = all(len(line) <= failure.limit for line in after.split("\n"))
    return changed(path, before, after) if shorter else None


def wrapped(text: str, number: int, limit: int) -> str | None:
    """The text with one line (1-based) wrapped; None where that line is neither a comment nor the
    running text of a docstring, or has words that are too long."""
    lines = text.split("\n")
    if not 0 < number <= len(lines):
        return None
    new = wrap_comment(lines[number - 1], limit) or _wrap_docstring(text, number, limit)
    return None if new is None else "\n".join([*lines[: number - 1], *new, *lines[number:]])


def _wrap_docstring(text: str, number: int, limit: int) -> list[str] | None:
    """A docstring's line in lines of the limit. What it says but for white space stays."""
    lines, tree = text.split("\n"), parse(text)
    found = None if tree is None else next(_docstrings_at(tree, number), None)
    line = lines[number - 1]
    if found is None or "\\" in line or any(mark in str(found.value) for mark in _LAID_OUT):
        return None
    indent = line[: len(line) - len(line.lstrip())]
    after = lines[number] if number < (found.end_lineno or 0) else ""
    new = textwrap.wrap(
        line.strip(),
        width=limit,
        initial_indent=indent,
        subsequent_indent=_next_indent(line, indent, after),
        break_long_words=False,
        break_on_hyphens=False,
    )
    fits = len(new) > 1 and all(len(item) <= limit for item in new)
    return new if fits and _same(found, [*lines[: number - 1], *new, *lines[number:]]) else None


def _next_indent(line: str, indent: str, after: str) -> str:
    """How what is wrapped goes on: an item of a list as its own next line does, else indented."""
    if not _ITEM.search(line):
        return indent
    deeper = after[: len(after) - len(after.lstrip())]
    return deeper if after.strip() and len(deeper) > len(indent) else indent + " " * _HANGING


def _docstrings_at(tree: ast.Module, number: int) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        first = body[0] if isinstance(body, list) and body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            found = first.value
            if isinstance(found.value, str) and found.lineno <= number <= (found.end_lineno or 0):
                yield found


def _same(before: ast.Constant, lines: list[str]) -> bool:
    """Whether the docstring that begins where one did says the same."""
    tree = parse("\n".join(lines))
    after = None if tree is None else next(_docstrings_at(tree, before.lineno), None)
    return after is not None and str(after.value).split() == str(before.value).split()


def wrap_comment(line: str, limit: int) -> list[str] | None:
    """A line that is nothing but a comment, in lines of the limit; None where it is anything else,
    such as a directive or an address that cannot be broken."""
    text = line.strip()
    indent = line[: len(line) - len(line.lstrip())]
    if not text.startswith("# ") or limit - len(indent) < _SHORTEST or _is_directive(text):
        return None
    head = f"{indent}# "
    lines = textwrap.wrap(
        text[2:],
        width=limit,
        initial_indent=head,
        subsequent_indent=head,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines if len(lines) > 1 and all(len(item) <= limit for item in lines) else None


def _is_directive(comment: str) -> bool:
    word = comment[2:].split(maxsplit=1)[0].lower().rstrip(":")
    return word in {"type", "noqa", "pylint", "fmt", "isort", "pragma", "mypy", "ruff", "nosec"}


CAUSE = Cause("a line is too long", "C0301|E501", find, fix, strong=True)
