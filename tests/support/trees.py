"""Trees of files as dictionaries, for rooms that read a `TreeView`, and an audit of four of
them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from nightshift.merge.cascade import Past
from nightshift.policy.model import Side
from nightshift.policy.sync import SyncPolicy
from nightshift.sync.audits.index.resolve import Resolver
from nightshift.sync.audits.index.tree import FactsCache, TreeIndex
from nightshift.sync.audits.run import audit
from nightshift.sync.audits.values import AuditResult, Trees, TypeChecker
from nightshift.sync.findings import Finding
from nightshift.values import Entry

Files = Mapping[str, str]


class Tree:
    """A tree that lives in memory."""

    def __init__(self, files: Files) -> None:
        self._data = {path: text.encode() for path, text in files.items()}

    def entries(self) -> Mapping[str, Entry]:
        """path -> entry; object ids follow from the bytes."""
        oids = {path: hashlib.sha1(data).hexdigest() for path, data in self._data.items()}
        return {path: Entry("100644", oid) for path, oid in oids.items()}

    def read(self, path: str) -> bytes | None:
        """A file's bytes."""
        return self._data.get(path)


def resolver(files: Files) -> Resolver:
    """A tree, indexed."""
    return Resolver(TreeIndex(Tree(files), FactsCache()))


class Told:
    """A history that says what a test wants it to."""

    def __init__(self, past: Mapping[tuple[Side, str], Sequence[Past]]) -> None:
        self._past = past

    def past(self, side: Side, path: str) -> Sequence[Past]:
        """The versions that were told."""
        return self._past.get((side, path), ())

    def deletion(self, side: Side, path: str) -> str:
        """The commit of an empty version."""
        return next((one.commit for one in self.past(side, path) if not one.data), "")


def audited(
    base: Files,
    target: Files,
    source: Files,
    merged: Files,
    *,
    policy: SyncPolicy | None = None,
    history: Told | None = None,
    check: TypeChecker | None = None,
) -> AuditResult:
    """The audit of four trees. What `target`, `source` and `merged` do not name is as in `base`."""
    trees = Trees(*(Tree({**base, **files}) for files in ({}, target, source, merged)))
    rules = policy or SyncPolicy(mode="sync")
    return audit(trees, rules, monotonic=lambda: 0.0, history=history, check=check)


def told(result: AuditResult) -> list[tuple[str, str, str]]:
    """(rule, disposition, path) of every finding, in order."""
    return [(f.rule, f.disposition.value, f.path) for f in result.findings]


def only(result: AuditResult) -> Finding:
    """The one finding of a result."""
    (finding,) = result.findings
    return finding
