"""pylint over some files of a tree: the named messages, and no other, with settings of our own.

pylint can run code that a repository's settings name, so the repository's settings are not read:
the files alone are exported, and Python is started isolated, as another user where one is given.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from nightshift.adapters.tools.child import exported, run
from nightshift.errors import HostError
from nightshift.values import LintMessage

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
SECTIONS = {
    "max-line-length": "format",
    "ignore-long-lines": "format",
    "no-docstring-rgx": "basic",
    "docstring-min-length": "basic",
}
"""The settings that a caller may give: they are values, none of them loads or runs anything."""
ROOTS = ("src", "python")
"""Folders that a repository may keep its packages in."""
UNCERTAIN = "INFERENCE_FAILURE"
FEW = 20
"""So many files are not worth a second process."""
MOST_JOBS = 8


class Pylint:
    """The linter. Implements `ports.Linter`.

    :param as_user: the numeric user it runs as; None: the same as we.
    """

    def __init__(self, *, as_user: int | None = None, seconds: float = SECONDS) -> None:
        self._as_user, self._seconds = as_user, seconds

    def __call__(
        self,
        files: Mapping[str, bytes],
        messages: Sequence[str],
        settings: Mapping[str, str] = MappingProxyType({}),
        beside: Mapping[str, bytes] = MappingProxyType({}),
    ) -> Sequence[LintMessage]:
        """The named messages that files have, in order of path and line.

        :param settings: some of `SECTIONS`; others are not handed on.
        :param beside: files that these may import: read, not linted.
        :raises HostError: pylint could not be run.
        """
        wanted = [name for message in messages for name in GROUPS.get(message, (message,))]
        if not files or not wanted:
            return ()
        with exported({**beside, **files, SETTINGS: _settings(settings).encode()}) as root:
            answer = self._ask(root, wanted, sorted(files))
        return tuple(sorted(_messages(answer), key=lambda m: (m.path, m.line, m.symbol)))

    def _ask(self, root: Path, wanted: Sequence[str], paths: Sequence[str]) -> str:
        found = [path for path in paths if path.endswith(".py") and (root / path).is_file()]
        if not found:
            return ""
        jobs = min(os.cpu_count() or 1, MOST_JOBS) if len(found) > FEW else 1
        if jobs > 1:
            try:
                return self._run(root, wanted, found, jobs)
            except HostError as error:
                if error.transient:  # its time is over: alone it would take longer
                    raise
        return self._run(root, wanted, found, 1)

    def _run(self, root: Path, wanted: Sequence[str], paths: Sequence[str], jobs: int) -> str:
        command = [sys.executable, "-I", "-m", "pylint", f"--rcfile={SETTINGS}", "--disable=all"]
        command += [f"--enable={','.join(wanted)}", "--output-format=json2", "--persistent=n"]
        command += [f"--source-roots={','.join(_roots(root))}", f"--jobs={jobs}", "--", *paths]
        return run(
            "pylint", command, cwd=root, seconds=self._seconds, good=GOOD, as_user=self._as_user
        )


def _roots(root: Path) -> list[str]:
    """The folders from which modules are named, the innermost first."""
    return [*(name for name in ROOTS if (root / name).is_dir()), "."]


def _settings(given: Mapping[str, str]) -> str:
    """Settings as TOML. A value is a string there, which cannot end its line."""
    lines = []
    for name, section in SECTIONS.items():
        if name in given:
            value = json.dumps(given[name])
            lines.append(f"tool.pylint.{section}.{name} = {value}")
    return "\n".join(lines) + "\n"


def _messages(answer: str) -> Iterator[LintMessage]:
    try:
        items: Iterable[Mapping[str, Any]] = json.loads(answer)["messages"] if answer else ()
        for item in items:
            path, line = str(item["path"]), int(item["line"])
            certain = item.get("confidence") != UNCERTAIN
            symbol, words = str(item["symbol"]), str(item["message"])
            yield LintMessage(path, line, symbol, words, str(item["obj"]), certain)
    except (ValueError, KeyError, TypeError) as error:
        raise HostError(NO_ANSWER) from error
