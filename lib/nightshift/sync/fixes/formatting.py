"""A formatter's check failed: black or isort would write the file differently."""

from __future__ import annotations

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
from nightshift.sync.fixes.circle import makes_circle

NAME = "formatting"

_BLACK = re2.compile(r"(?:^|\s)would reformat (\S.*)$")
_ISORT = re2.compile(r"(?:^|\s)ERROR: (.+?) Imports are incorrectly sorted")


def find(line: str) -> Failure | None:
    """black's `would reformat FILE`, isort's `ERROR: FILE Imports are incorrectly sorted`."""
    match = _BLACK.search(line) or _ISORT.search(line)
    return Failure(NAME, path=match.group(1).strip()) if match else None


def fix(failure: Failure, trees: Trees, formatter: Formatter) -> FileChanges | None:
    """The file in the repository's style, where it is one that the merge changed and the style
    makes no circle of imports."""
    path = locate(failure.path, trees.merged.entries())
    if path is None or not ours(path, trees):
        return None
    before = read_text(trees.merged, path)
    if before is None:
        return None
    after = formatter(path, before)
    return None if makes_circle(trees, path, after) else changed(path, before, after)


CAUSE = Cause(
    "a file is not in the repository's style",
    "would reformat|Imports are incorrectly sorted",
    find,
    fix,
    strong=True,
)
