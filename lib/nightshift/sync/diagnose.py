"""A log's text → the failures it tells of, reduced to first causes. Pure, and linear in the text.

A new cause is one file in `sync/fixes/` and one line in the registry below.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

import re2

from nightshift.sync.fixes import (
    changed_api,
    circle,
    dependency,
    docstring,
    failing_test,
    formatting,
    import_name,
    infra,
    lint,
    long_line,
    unknown,
)
from nightshift.sync.fixes.cause import Cause, Failure
from nightshift.sync.logtext import Log

# The first cause that knows a line has it.
CAUSES: dict[str, Cause] = {
    formatting.NAME: formatting.CAUSE,
    circle.NAME: circle.CAUSE,
    import_name.NAME: import_name.CAUSE,
    changed_api.NAME: changed_api.CAUSE,
    long_line.NAME: long_line.CAUSE,
    docstring.NAME: docstring.CAUSE,
    lint.NAME: lint.CAUSE,
    infra.NAME: infra.CAUSE,
    dependency.NAME: dependency.CAUSE,
    failing_test.NAME: failing_test.CAUSE,
    unknown.NAME: unknown.CAUSE,
}

_HINT = re2.compile("|".join(f"(?:{cause.hint})" for cause in CAUSES.values()).encode())

CONTEXT_LINES, LINES_BELOW = 8, 3
MAX_FAILURES = 200
MAX_TELLING = 50_000
"""Lines of a log that are looked at closely, of those that may tell something."""

Signature = frozenset[tuple[str, str, str]]
"""What makes two runs fail the same way: (cause, name, module or file) of each failure."""


def diagnose(log: str) -> tuple[Failure, ...]:
    """All different failures that a log tells of, in its order, at most MAX_FAILURES."""
    text, found = Log(log), dict[Failure, Failure]()
    for place, line in islice(text.places(_HINT), MAX_TELLING):
        failure = _find(line)
        if failure is not None and failure not in found:
            excerpt = (*text.above(place, CONTEXT_LINES), line)
            found[failure] = replace(failure, excerpt=excerpt, below=text.below(place, LINES_BELOW))
            if len(found) == MAX_FAILURES:
                break
    return tuple(found.values())


def first_causes(failures: Sequence[Failure]) -> tuple[Failure, ...]:
    """The failures that explain the others.

    Trouble with the network explains errors that nothing else explains, and is noise beside a
    failure of the code. An import that fails explains the tests that fail in the same log.
    """
    if any(CAUSES[item.cause].strong for item in failures):
        kept = [item for item in failures if CAUSES[item.cause].strong]
        causes = [item for item in kept if item.cause != failing_test.NAME]
        return tuple(causes or kept)
    retried = [item for item in failures if CAUSES[item.cause].retry]
    return tuple(retried or failures)


def transient(failures: Sequence[Failure]) -> bool:
    """Whether running CI again may help: the first causes are all of the machine or network."""
    causes = first_causes(failures)
    return bool(causes) and all(CAUSES[item.cause].retry for item in causes)


def signature(failures: Iterable[Failure]) -> Signature:
    """What to compare with the same check elsewhere. Empty where nothing tells them apart."""
    return frozenset(
        (item.cause, item.symbol, item.module or _place(item))
        for item in failures
        if not CAUSES[item.cause].retry
    )


def _find(line: str) -> Failure | None:
    for cause in CAUSES.values():
        failure = cause.find(line)
        if failure is not None:
            return failure
    return None


def _place(failure: Failure) -> str:
    """A file by its name: its folder is another one on each machine."""
    return failure.path.replace("\\", "/").rpartition("/")[2]
