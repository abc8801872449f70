"""Import circles that sorting has made in an `__init__.py`: the order is put back there, and
nowhere else (sync.md, phase 1 point 11).

Whether an import fails is worked out from the texts (`audits.import_order`); nothing is run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from nightshift.policy.model import Severity
from nightshift.ports import Git, Style
from nightshift.sync.audits.import_order import RULE, made_by_sorting
from nightshift.sync.audits.index.facts import Facts
from nightshift.sync.audits.index.resolve import Resolver
from nightshift.sync.audits.index.tree import FactsCache, TreeIndex
from nightshift.sync.audits.prefetch import Prefetched
from nightshift.sync.draft import Draft
from nightshift.sync.findings import Disposition, Finding
from nightshift.sync.sides import Tree

SORTER = "isort"
UNDONE = "sorted, it {message}: the order of its imports is left as it was."
_PACKAGE = "__init__.py"


def undo(
    git: Git,
    before: Tree,
    draft: Draft,
    changed: Collection[str],
    *,
    unsorted: Style,
    cache: FactsCache,
) -> tuple[Finding, ...]:
    """Put the old order back in every package whose import fails now and did not before.

    :param before: the tree before it was formatted, written; the draft is written here.
    :param changed: the files that were formatted.
    :param unsorted: the style without the sorting of imports.
    """
    packages = [path for path in sorted(changed) if path.rpartition("/")[2] == _PACKAGE]
    if not packages:
        return ()
    draft.write()
    then, now = (_resolver(git, tree, changed, cache) for tree in (before, draft.entries()))
    found: list[Finding] = []
    for path in packages:
        if _order(then.index.facts(path)) != _order(now.index.facts(path)):
            found += _undo(then, now, draft, path, unsorted)
    return tuple(found)


def _undo(
    then: Resolver, now: Resolver, draft: Draft, path: str, unsorted: Style
) -> Iterator[Finding]:
    faults = made_by_sorting(then, now, frozenset({path}))
    old = then.index.view.read(path)
    if faults and old is not None:
        text = unsorted.one(path, old.decode("utf-8", "surrogateescape")).text
        mode = draft.entries()[path].mode
        draft.put(path, (mode, text.encode("utf-8", "surrogateescape")))
        words = UNDONE.format(message=f"{faults[0].path}: {faults[0].message}")
        yield Finding(
            RULE, Severity.WARN, path, words, disposition=Disposition.REPAIRED, evidence=()
        )


def _order(facts: Facts | None) -> tuple[object, ...]:
    """What importing a file does, wherever it is written."""
    events = facts.events if facts else ()
    return tuple((e.bound, e.imported and replace(e.imported, line=0)) for e in events)


def _resolver(git: Git, tree: Tree, changed: Collection[str], cache: FactsCache) -> Resolver:
    """A tree, with the files that nobody has read yet read at once."""
    store = dict(git.blobs([tree[path].oid for path in changed if path in tree]))
    return Resolver(TreeIndex(Prefetched(tree, store, git.blobs), cache))
