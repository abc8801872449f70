"""The audits on the tree in the making: what they mend is laid over it, what they find is noted
(sync.md, phase 1 points 8 and 10).

Hands trees and history to `audits.run`; what is a fault and what is mended is decided there.
"""

from __future__ import annotations

from dataclasses import dataclass

from nightshift.policy.sync import SyncPolicy
from nightshift.sync.audits.index.tree import FactsCache
from nightshift.sync.audits.prefetch import prefetched
from nightshift.sync.audits.run import Monotonic, audit
from nightshift.sync.audits.side_history import SideHistory
from nightshift.sync.audits.values import AuditResult, Trees, TypeChecker
from nightshift.sync.draft import Draft
from nightshift.sync.sides import Sides


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
        draft.put(path, (draft.entries()[path].mode, data))
    return result
