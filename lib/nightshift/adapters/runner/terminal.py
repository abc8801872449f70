"""A terminal instead of a runner, for local use: all is printed plainly, nothing is a command."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from nightshift.adapters.runner import commands

HIDDEN = "***"


class TerminalRunner:
    """`ports.Runner` on standard output. Masked secrets are hidden in all that is printed later."""

    def __init__(self) -> None:
        self._secrets: list[str] = []
        self._indent = ""

    def info(self, text: str) -> None:
        """Lines of log."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        encoding = sys.stdout.encoding or "utf-8"
        for line in commands.lines(text):
            shown = f"{self._indent}{line}".rstrip()
            print(shown.encode(encoding, "replace").decode(encoding), flush=True)

    def annotate(
        self, level: str, text: str, *, title: str = "", file: str = "", line: int = 0
    ) -> None:
        """A line that starts with its level."""
        place = f"{file}:{line}: " if file and line else f"{file}: " if file else ""
        heading = f"{title}: " if title else ""
        self.info(f"{level}: {place}{heading}{text}")

    @contextmanager
    def group(self, title: str) -> Iterator[None]:
        """A heading with its lines indented under it."""
        self.info(title)
        outer, self._indent = self._indent, f"{self._indent}  "
        try:
            yield
        finally:
            self._indent = outer

    def output(self, name: str, value: str) -> None:
        """A line `name=value`."""
        self.info(f"{name}={value}")

    def summary(self, markdown: str) -> None:
        """The summary as it is written."""
        self.info(markdown)

    def mask(self, secret: str) -> None:
        """Keep a secret out of what is printed from now on."""
        if secret.strip():
            self._secrets.append(secret)
