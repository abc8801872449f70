"""pylint over some files of a tree: the named messages, and no other, with settings of our own.

pylint can run code that a repository's settings name, so the repository's settings are not read:
the files alone are exported, and Python is started isolated, as another user where one is given.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nightshift.adapters.tools.child import exported, run
from nightshift.errors import HostError

SETTINGS = "pylint.toml"
SECONDS = 600.0
UNUSABLE = 32
GOOD = frozenset(range(UNUSABLE))
"""pylint's exit code is a set of bits; 32 alone says that it was called wrongly."""
GROUPS = {
    "missing-docstring": (
        "missing-module-docstring",
        "missing-class-docstring",
        "missing-function-docstring",
    )
}
"""Old names of messages that are several now."""
NO_ANSWER = "pylint gave an answer that cannot be read."
DEFAULT_WIDTH = 100


@dataclass(frozen=True, slots=True)
class LintMessage:
    """One message. `symbol` is its name, `obj` the dotted name of what it is about."""

    path: str
    line: int
    symbol: str
    message: str
    obj: str = ""


class Pylint:
    """The linter.

    :param as_user: the numeric user it runs as; None: the same as we.
    """

    def __init__(self, *, as_user: int | None = None, seconds: float = SECONDS) -> None:
        self._as_user, self._seconds = as_user, seconds

    def __call__(
        self, files: Mapping[str, bytes], messages: Sequence[str], width: int = DEFAULT_WIDTH
    ) -> Sequence[LintMessage]:
        """The named messages that files have, in order of path and line.

        :param width: characters a line may have.
        :raises HostError: pylint could not be run.
        """
        wanted = [name for message in messages for name in GROUPS.get(message, (message,))]
        if not files or not wanted:
            return ()
        with exported({**files, SETTINGS: _settings(width).encode()}) as root:
            answer = self._ask(root, wanted, sorted(files))
        return tuple(sorted(_messages(answer), key=lambda m: (m.path, m.line, m.symbol)))

    def _ask(self, root: Path, wanted: Sequence[str], paths: Sequence[str]) -> str:
        command = [sys.executable, "-I", "-m", "pylint", f"--rcfile={SETTINGS}", "--disable=all"]
        command += [f"--enable={','.join(wanted)}", "--output-format=json2", "--persistent=n", "--"]
        found = [path for path in paths if path.endswith(".py") and (root / path).is_file()]
        if not found:
            return ""
        return run(
            "pylint",
            [*command, *found],
            cwd=root,
            seconds=self._seconds,
            good=GOOD,
            as_user=self._as_user,
        )


def _settings(width: int) -> str:
    return f"[tool.pylint.format]\nmax-line-length = {width}\n"


def _messages(answer: str) -> Iterator[LintMessage]:
    try:
        items: Iterable[Mapping[str, Any]] = json.loads(answer)["messages"] if answer else ()
        for item in items:
            path, line = str(item["path"]), int(item["line"])
            yield LintMessage(
                path, line, str(item["symbol"]), str(item["message"]), str(item["obj"])
            )
    except (ValueError, KeyError, TypeError) as error:
        raise HostError(NO_ANSWER) from error
