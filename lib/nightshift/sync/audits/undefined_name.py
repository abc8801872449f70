"""A name that a file reads and that nobody binds: an import or definition went with a side's
text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nightshift.merge.names import lines_of, undefined
from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.audits.index.facts import Facts
from nightshift.sync.audits.index.resolve import Resolver

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
    for name in sorted(undefined(text)):
        line = next(iter(lines_of(text, name)), 0)
        yield Fault(
            RULE, path, MESSAGE.format(name=name), line, subject=Subject(path, "", name, name)
        )
