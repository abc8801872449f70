"""What parsed arguments can hold: options, what is set on them, and fields of classes that fill a
parser."""

from __future__ import annotations

from collections.abc import Iterator

from nightshift.sync.audits.index.resolve import ClassValue, Resolver

DEFINED = "defined options"


def defined(tree: Resolver) -> frozenset[str]:
    """Every name that some parser of the tree defines, or some file sets."""
    if DEFINED not in tree.once:
        tree.once[DEFINED] = frozenset(_defined(tree))
    return tree.once[DEFINED]


def _defined(tree: Resolver) -> Iterator[str]:
    for path, facts in tree.index.all_facts():
        yield from (option.text for option in facts.options)
        yield from facts.writes
        for ref in facts.fed:
            value = tree.value(path, ref)
            if isinstance(value, ClassValue):
                yield from _fields(tree, value)


def _fields(tree: Resolver, cls: ClassValue) -> Iterator[str]:
    for one in tree.known_part(cls):
        yield from tree.class_of(one).fields
