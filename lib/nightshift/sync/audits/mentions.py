"""Texts in Python that name a module, a class or a file of the tree which is not there: `importlib`
strings, registries, patches in tests."""

from __future__ import annotations

from collections.abc import Iterator

from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.audits.index.facts import Facts
from nightshift.sync.audits.index.resolve import Missing, Module, Resolver, Value
from nightshift.sync.audits.index.tree import TreeIndex

RULE = "unknown-mention"
MESSAGE = "names {text!r}, which does not exist"


def check(tree: Resolver, path: str, facts: Facts) -> Iterator[Fault]:
    """Texts that point nowhere, where it is certain that they should point somewhere."""
    for mention in facts.texts:
        if points_nowhere(tree, mention.text):
            message = MESSAGE.format(text=mention.text)
            subject = Subject(path, "", mention.text, mention.text)
            yield Fault(RULE, path, message, mention.line, 0, mention.scope, subject)


def points_nowhere(tree: Resolver, text: str) -> bool:
    """Whether a dotted name begins like a package of the tree and leads to nothing in it."""
    if "/" in text:
        return file_is_missing(tree.index, text)
    if "." not in text:
        return False
    parts = text.replace(":", ".").split(".")
    known = 0
    while known < len(parts) and tree.index.knows(".".join(parts[: known + 1])):
        known += 1
    if known < 2:  # one word alone may be anything
        return False
    value: Value = Module(".".join(parts[:known]))
    for name in parts[known:]:
        value = tree.attribute(value, name)
        if isinstance(value, Missing):
            return True
    return False


def file_is_missing(index: TreeIndex, text: str) -> bool:
    """Whether a path from the root of the tree leads to no file though its folder exists."""
    path = text.removeprefix("./")
    if ".." in path or path in index.entries:
        return False
    return path.rpartition("/")[0] in index.folders
