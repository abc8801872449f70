"""ty, the type checker, over a tree: what it says of calls, attributes and imports.

The repository's own settings are not read: the question is not whether its types are right, but
whether the merge broke something. ty runs none of the code it reads. Implements
`sync.audits.values.TypeChecker`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from nightshift.adapters.tools.child import beside_python, exported, run
from nightshift.errors import HostError
from nightshift.ports import TreeView
from nightshift.sync.audits.values import Complaint

RULES = (
    "unknown-argument",
    "missing-argument",
    "too-many-positional-arguments",
    "parameter-already-assigned",
    "missing-attribute",
    "import-not-found",
    "positional-only-parameter-as-kwarg",
    "not-callable",
)
"""What breaks at run time. What is only wrongly typed is none of ours."""
SETTINGS = "ty.toml"
SECONDS = 300.0
DONE = frozenset({0, 1})
PYTHON = (".py", ".pyi")
LINK, SUBMODULE = "120000", "160000"
NOTHING_KNOWN = "`(...) -> Unknown`"
"""The type of what a decorator without annotations gives back. It may be the class that it was
given, so that an attribute which ty misses there may well be there."""
NO_ANSWER = "ty gave an answer that cannot be read."


def checker() -> Ty | None:
    """The checker that is installed with us; None where it is not."""
    return Ty() if Path(beside_python("ty")).is_file() else None


class Ty:
    """The checker.

    :param python_version: the version whose standard library is assumed.
    """

    def __init__(self, *, python_version: str = "3.12", seconds: float = SECONDS) -> None:
        self._python_version, self._seconds = python_version, seconds

    def __call__(self, view: TreeView) -> Sequence[Complaint]:
        """Everything that ty says of a tree, in its order.

        :raises HostError: ty could not be run.
        """
        entries = view.entries()
        plain = (p for p, e in entries.items() if e.mode not in (LINK, SUBMODULE))
        files = {path: view.read(path) or b"" for path in plain if path.endswith(PYTHON)}
        if not files:
            return ()
        with exported({**files, SETTINGS: _settings().encode()}) as root:
            return tuple(_complaints(self._ask(root)))

    def _ask(self, root: Path) -> str:
        command = [
            beside_python("ty"),
            "check",
            "--config-file",
            SETTINGS,
            "--project",
            ".",
            "--python-version",
            self._python_version,
            "--output-format",
            "gitlab",
            "--no-progress",
            "--exit-zero",
            ".",
        ]
        return run("ty", command, cwd=root, seconds=self._seconds, good=DONE)


def _settings() -> str:
    lines = ["[rules]", 'all = "ignore"', *(f'{rule} = "error"' for rule in RULES)]
    return "\n".join(lines) + "\n"


def _complaints(answer: str) -> Iterable[Complaint]:
    try:
        items: list[Mapping[str, Any]] = json.loads(answer or "[]")
        for item in items:
            place = item["location"]
            rule = str(item["check_name"])
            message = str(item["description"]).removeprefix(f"{rule}: ")
            line = int(place["positions"]["begin"]["line"])
            if rule in RULES and NOTHING_KNOWN not in message:  # nor what it says of its settings
                yield Complaint(str(place["path"]), line, rule, message)
    except (ValueError, KeyError, TypeError) as error:
        raise HostError(NO_ANSWER) from error
