"""Another complaint of a linter or type checker. Reported: what it wants is not in its words."""

from __future__ import annotations

import re2

from nightshift.sync.fixes.cause import Cause, Failure

NAME = "lint"

_CODE = r"\d{1,7}(?::\d{1,7})?: (?:[A-Z]{1,4}\d{3,5}\b|error: )"
_PATTERN = re2.compile(
    r"(?:^|\s)([^\s:]+\.pyi?):(\d{1,7})(?::\d{1,7})?: ([A-Z]{1,4}\d{3,5}|error): ?(.*)"
)


def find(line: str) -> Failure | None:
    """`FILE:LINE:COLUMN: CODE …` of pylint, flake8 and ruff, `FILE:LINE: error: …` of mypy."""
    match = _PATTERN.search(line)
    if match is None:
        return None
    path, number, code, words = match.groups()
    return Failure(NAME, path=path, line=int(number), symbol=f"{code} {words}".strip())


CAUSE = Cause("a linter or type checker complains", rf"\.pyi?:{_CODE}", find, strong=True)
