"""A name that a file reads and that nobody binds: an import or definition went with a side's
text."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from nightshift.merge.names import undefined
from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.audits.index.facts import Facts
from nightshift.sync.audits.index.resolve import Resolver
from nightshift.sync.audits.index.syntax import parse

RULE = "undefined-name"
MESSAGE = "reads {name!r}, which nothing defines"
OWN = "files of the merge's own"


def tell(merged: Resolver, parents: Sequence[Resolver]) -> None:
    """Tell the merged tree's rule which files neither parent has as they are: only they can have
    such a fault."""
    merged.once[OWN] = frozenset(
        path
        for path in merged.index.python
        if all(p.index.entries.get(path) != merged.index.entries[path] for p in parents)
    )


def check(tree: Resolver, path: str, _: Facts) -> Iterator[Fault]:
    """Names without a binding. In a tree that was told nothing, every file that is asked about is
    read."""
    if path not in tree.once.get(OWN, frozenset({path})):
        return
    text = (tree.index.view.read(path) or b"").decode("utf-8", "surrogateescape")
    names = undefined(text)
    lines = _first_reads(text, names) if names else {}
    for name in sorted(names):
        message, line = MESSAGE.format(name=name), lines.get(name, 0)
        yield Fault(RULE, path, message, line, subject=Subject(path, "", name, name))


def _first_reads(text: str, names: Collection[str]) -> dict[str, int]:
    """The line that reads each name first; one in the text of an annotation has none."""
    found: dict[str, int] = {}
    tree = parse(text)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Name) and node.id in names:
            found[node.id] = min(node.lineno, found.get(node.id, node.lineno))
    return found
