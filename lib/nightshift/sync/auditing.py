"""The audits on the tree in the making: what they mend is laid over it, what they find is noted
(sync.md, phase 1 points 8 and 10).

Hands trees and history to `audits.run`; what is a fault and what is mended is decided there.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from sys import maxsize

from nightshift.policy.sync import SyncPolicy
from nightshift.ports import Git
from nightshift.sync.audits.index.tree import FactsCache
from nightshift.sync.audits.prefetch import prefetched
from nightshift.sync.audits.run import Monotonic, audit
from nightshift.sync.audits.side_history import SideHistory
from nightshift.sync.audits.values import AuditResult, Trees, TypeChecker
from nightshift.sync.draft import Draft
from nightshift.sync.findings import Finding
from nightshift.sync.sides import Sides, Tree


@dataclass(frozen=True, slots=True)
class Auditors:
    """What looks at the trees besides our own rules.

    :param check: a type checker; None where there is none.
    :param cache: what is known of files already, and what will be.
    """

    monotonic: Monotonic
    check: TypeChecker | None
    cache: FactsCache


def run(sides: Sides, policy: SyncPolicy, draft: Draft, auditors: Auditors) -> AuditResult:
    """Audit the draft, which is written for it, and lay the repairs over it."""
    draft.write()
    trees = (sides.base_tree, sides.target_tree, sides.source_tree, draft.entries())
    result = audit(
        Trees(*prefetched(sides.git.blobs, trees)),
        policy,
        monotonic=auditors.monotonic,
        history=SideHistory(sides),
        check=auditors.check,
        cache=auditors.cache,
    )
    for path, data in result.changes.items():
        known = (tree.get(path) for tree in (draft.entries(), *trees))
        mode = next((entry.mode for entry in known if entry is not None), "100644")
        draft.put(path, (mode, data))
    draft.write()
    return result


def followed(git: Git, findings: Sequence[Finding], then: Tree, now: Tree) -> list[Finding]:
    """Findings with the lines that their places have after formatting.

    :param then, now: the tree that they speak of, and what it has become; both written.
    """
    moved = {
        finding.path: (then[finding.path].oid, now[finding.path].oid)
        for finding in findings
        if finding.line and then.get(finding.path) != now.get(finding.path)
        if finding.path in then and finding.path in now
    }
    texts = git.blobs([oid for pair in moved.values() for oid in pair])
    lines = {path: _lines(*(texts[oid] for oid in pair)) for path, pair in moved.items()}
    return [
        (
            replace(finding, line=_new_line(lines[finding.path], finding.line))
            if finding.line and finding.path in lines
            else finding
        )
        for finding in findings
    ]


def _lines(then: bytes, now: bytes) -> list[tuple[int, int, int]]:
    """What two texts have in common: first line of each (0-based), and how many."""
    one, other = ([line.strip() for line in text.splitlines()] for text in (then, now))
    matches = SequenceMatcher(None, one, other).get_matching_blocks()
    return [(match.a, match.b, match.size) for match in matches]


def _new_line(common: Sequence[tuple[int, int, int]], line: int) -> int:
    """Where a line (1-based) is now; of one that is not there as it was, the one before it."""
    at = bisect(common, (line - 1, maxsize, 0)) - 1
    if at < 0:
        return 1
    then, now, count = common[at]
    return now + min(line - then, max(count, 1))
