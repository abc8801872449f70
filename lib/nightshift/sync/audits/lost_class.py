"""A class that is gone while a text of the tree (a registry, a configuration) still gives its name.

What makes a text the name of a class is that one of the merge's parents defines such a class; which is why
the rule is told their class names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.audits.index.facts import Facts
from nightshift.sync.audits.index.resolve import Resolver
from nightshift.sync.audits.index.tree import TreeIndex

RULE = "lost-class"
MESSAGE = "names the class {name!r}, which no file defines any more"
LOST = "lost classes"


def tell(merged: Resolver, parents: Sequence[Resolver]) -> None:
    """Tell the merged tree's rule which class names its parents have and it has not.

    A class of a file that is the same in both trees cannot be lost, so only the others are read.
    """
    here = merged.index
    before: set[str] = set()
    for parent in parents:
        there = parent.index
        changed = [p for p in there.python if here.entries.get(p) != there.entries[p]]
        before |= _classes(there, changed)
    merged.once[LOST] = frozenset(before - _classes(here, here.python)) if before else frozenset()


def _classes(index: TreeIndex, paths: Iterable[str]) -> set[str]:
    every = (index.facts(path) for path in paths)
    return {name.rpartition(".")[2] for facts in every if facts for name in facts.classes}


def check(tree: Resolver, path: str, facts: Facts) -> Iterator[Fault]:
    """Texts that give the name of a lost class."""
    lost = tree.once.get(LOST, frozenset())
    for mention in facts.texts:
        if mention.text in lost:
            message = MESSAGE.format(name=mention.text)
            yield Fault(RULE, path, message, mention.line, 0, mention.scope, Subject(path, "", mention.text))
