"""A class that is gone while a text of the tree (a registry, a configuration) still gives its name.

What makes a text the name of a class is that one of the merge's parents defines such a class
nearby: in the text's own folder, the one above, or one right below. Names like `RMSNorm` mean many
things farther away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.audits.index.facts import Facts
from nightshift.sync.audits.index.resolve import Resolver
from nightshift.sync.audits.index.tree import TreeIndex

RULE = "lost-class"
MESSAGE = "names the class {name!r}, which no file defines any more"
LOST = "lost classes"
CLASS = re.compile(rb"^[ \t]*class[ \t]+(\w+)", re.MULTILINE)


def tell(merged: Resolver, parents: Sequence[Resolver]) -> None:
    """Tell each tree's rule which classes a parent has and the merged tree has not, by name and
    folder, but for names that the tree itself defines: a parent that gives the name of a class it
    lacks means another one.

    A class of a file that is the same in both trees cannot be lost, so only the others are read.
    """
    here = merged.index
    before: set[tuple[str, str]] = set()
    for parent in parents:
        there = parent.index
        changed = [p for p in there.python if here.entries.get(p) != there.entries[p]]
        before |= set(_written(there, changed))
    texts = (
        {mention.text for _, facts in here.all_facts() for mention in facts.texts}
        if before
        else set()
    )
    before = {(name, folder) for name, folder in before if name in texts}
    for tree in (merged, *parents):
        own = {name for name, _ in _written(tree.index, tree.index.python)} if before else set()
        lost = {(name, folder) for name, folder in before if name not in own}
        tree.once[LOST] = frozenset(_key(n, near) for n, f in lost for near in (f, _above(f)))


def _written(index: TreeIndex, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The classes of files, by their text: parsing all of a parent for this would take seconds."""
    for path in paths:
        for name in CLASS.findall(index.view.read(path) or b""):
            yield name.decode("utf-8", "replace"), _above(path)


def _above(path: str) -> str:
    return path.rpartition("/")[0]


def _key(name: str, folder: str) -> str:
    return f"{name} in {folder}"


def check(tree: Resolver, path: str, facts: Facts) -> Iterator[Fault]:
    """Texts that give the name of a lost class."""
    lost = tree.once.get(LOST, frozenset())
    folder = _above(path)
    for mention in facts.texts if lost else ():
        if not lost.isdisjoint((_key(mention.text, folder), _key(mention.text, _above(folder)))):
            message = MESSAGE.format(name=mention.text)
            yield Fault(
                RULE, path, message, mention.line, 0, mention.scope, Subject(path, "", mention.text)
            )
