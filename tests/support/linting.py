"""A linter that needs no process: long lines and missing docstrings of public functions and
classes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from nightshift.errors import HostError
from nightshift.values import LintMessage

_NAMED = ast.ClassDef | ast.FunctionDef


@dataclass
class FakeLinter:
    """`ports.Linter`, with what it was asked for.

    :param fails: whether it cannot be run.
    :param doubtful: whether it is certain of no docstring.
    """

    fails: bool = False
    doubtful: bool = False
    asked: list[tuple[list[str], tuple[str, ...], dict[str, str]]] = field(default_factory=list)

    def __call__(
        self,
        files: Mapping[str, bytes],
        messages: Sequence[str],
        settings: Mapping[str, str],
        beside: Mapping[str, bytes],
    ) -> Sequence[LintMessage]:
        del beside
        self.asked.append((sorted(files), tuple(messages), dict(settings)))
        if self.fails:
            raise HostError("it did not start.")
        width = int(settings.get("max-line-length", "100"))
        found = [m for path in sorted(files) for m in _messages(path, files[path].decode(), width)]
        return [replace(m, certain=not (self.doubtful and m.obj)) for m in found]


def _messages(path: str, text: str, width: int) -> Iterator[LintMessage]:
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > width and "disable=line-too-long" not in line:
            words = f"Line too long ({len(line)}/{width})"
            yield LintMessage(path, number, "line-too-long", words)
    yield from _undocumented(path, ast.parse(text), "")


def _undocumented(path: str, node: ast.AST, scope: str) -> Iterator[LintMessage]:
    for item in ast.iter_child_nodes(node):
        if isinstance(item, _NAMED):
            kind = "class" if isinstance(item, ast.ClassDef) else "function"
            name = f"{scope}{item.name}"
            if not item.name.startswith("_") and ast.get_docstring(item) is None:
                words = f"Missing {kind} docstring"
                yield LintMessage(path, item.lineno, f"missing-{kind}-docstring", words, name)
            yield from _undocumented(path, item, f"{name}.")
