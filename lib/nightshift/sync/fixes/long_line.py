"""A linter's complaint that a line is too long. A comment is wrapped; code is the formatter's."""

from __future__ import annotations

import textwrap

import re2

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


def find(line: str) -> Failure | None:
    """pylint's C0301, and E501 of flake8, pycodestyle and ruff."""
    match = _PATTERN.search(line)
    if match is None:
        return None
    path, number, limit = match.groups()
    return Failure(NAME, path=path, line=int(number), limit=int(limit))


def fix(failure: Failure, trees: Trees, formatter: Formatter) -> FileChanges | None:
    """The file formatted, or its comment wrapped; None where the line is code that stays long."""
    path = locate(failure.path, trees.merged.entries())
    if path is None or not ours(path, trees):
        return None
    before = read_text(trees.merged, path)
    if before is None:
        return None
    lines = before.split("\n")
    if not failure.line <= len(lines):
        return None
    comment = wrap_comment(lines[failure.line - 1], failure.limit)
    if comment is not None:
        after = "\n".join([*lines[: failure.line - 1], *comment, *lines[failure.line :]])
        return changed(path, before, after)
    after = formatter(path, before)
    shorter = all(len(line) <= failure.limit for line in after.split("\n"))
    return changed(path, before, after) if shorter else None


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
