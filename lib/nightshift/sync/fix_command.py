"""The policy's `fix-command`: a way out for what no rule can mend. Pure; the port runs it.

It is given the sync branch's tree and, in a file beside it, the failures as JSON. What it writes
into the tree's own files is a fix like any other: it passes the invariants or is not pushed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from nightshift.effects.values import FileChange
from nightshift.ports import Commands
from nightshift.sync.facts import FailedCheck, OurPull
from nightshift.sync.fixes.cause import Failure, Overlay, Trees
from nightshift.sync.repair import Repair
from nightshift.sync.sides import LINK, SUBMODULE

FAILURES = ".nightshift-failures.json"
"""Where the command finds the failures, in the folder that it is started in."""

SCHEMA_VERSION = 1
NOTHING = "it changed nothing"


def told(pull: OurPull, failed: Sequence[FailedCheck]) -> bytes:
    """The failures as JSON. What came out of logs is foreign text."""
    data = {
        "schema_version": SCHEMA_VERSION,
        "pull_request": pull.pull.number,
        "head": pull.head,
        "source": pull.marker.source,
        "target": pull.marker.target,
        "source_sha": pull.marker.source_sha,
        "target_sha": pull.marker.target_sha,
        "checks": [_check(check) for check in failed],
    }
    return json.dumps(data, indent=2).encode()


def run(commands: Commands, command: str, trees: Trees, failures: bytes) -> Repair:
    """What the command makes of the merged tree."""
    merged = trees.merged
    tree = Overlay(merged, {FAILURES: failures})
    ran = commands(command, tree, _wanted(trees))
    changes = [FileChange(path, data) for path, data in ran.changes.items()]
    changes += [FileChange(path, None) for path in ran.removed]
    changes.sort(key=lambda change: change.path)
    problem = ran.problem or ("" if changes else NOTHING)
    return Repair(
        tuple(changes), by_command=True, problem=problem, output=tuple(ran.output.splitlines())
    )


def _wanted(trees: Trees) -> frozenset[str]:
    """The paths that it may change: plain files, but for those that policy keeps as they are."""
    return frozenset(
        path
        for path, entry in trees.merged.entries().items()
        if entry.mode not in (LINK, SUBMODULE) and path != FAILURES and not trees.guarded(path)
    )


def _check(check: FailedCheck) -> dict[str, object]:
    item = check.item
    return {
        "name": item.name,
        "workflow": item.check.workflow,
        "conclusion": item.conclusion.lower(),
        "url": item.check.url,
        "failures": [_failure(failure) for failure in check.failures],
    }


def _failure(failure: Failure) -> dict[str, object]:
    return {
        "cause": failure.cause,
        "path": failure.path,
        "line": failure.line,
        "symbol": failure.symbol,
        "module": failure.module,
        "lines": list(failure.excerpt),
    }
