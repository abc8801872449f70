"""A method that one side has renamed: its callers from the other side are renamed, if it is clear
to what.

A candidate is a method that the class has in the merged tree, that it lacks on the side which still
knows the old name, that the call fits, and that is like the old one in name or text. One candidate:
a repair. Two: a person's decision.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from difflib import SequenceMatcher

from nightshift.policy.model import Side
from nightshift.sync.audits.fault import Fault
from nightshift.sync.audits.index.callee import callee
from nightshift.sync.audits.index.facts import Class, Ref, Use
from nightshift.sync.audits.index.resolve import ClassValue, Resolver
from nightshift.sync.audits.index.signature import accepts
from nightshift.sync.audits.index.syntax import parsed
from nightshift.sync.repairs.edits import find_class, rename_attribute
from nightshift.sync.repairs.proposal import Bench, Proposal, text_in

NAME_LIKENESS = 0.6
TEXT_LIKENESS = 0.75
SHORTEST_BODY = 60
"""Characters of a body from which likeness means something."""
PART = re.compile(r"[a-z0-9]+|[A-Z][a-z0-9]*")
Fits = Callable[[Resolver, Fault, str], bool]
WHAT = "calls {new!r}, as {owner} names {old!r} now"


def propose(bench: Bench, fault: Fault) -> Proposal | None:
    """Rename the calls in one file, where there is one candidate."""
    found = candidates(bench, fault)
    subject, text = fault.subject, bench.text(fault.path)
    if len(found) != 1 or subject is None or text is None:
        return None
    renamed = rename_attribute(text, subject.text, found[0])
    if renamed is None:
        return None
    what = WHAT.format(new=found[0], owner=subject.owner, old=subject.name)
    return Proposal(fault.path, renamed, what)


def candidates(bench: Bench, fault: Fault, fits: Fits | None = None) -> tuple[str, ...]:
    """The methods that a missing one may have become, in order of their names.

    :param fits: whether the calls could be ones of a method; None: those that can be followed.
    """
    subject = fault.subject
    if subject is None or not subject.owner:
        return ()
    cls = ClassValue(subject.path, subject.owner)
    old = next(_knowing(bench, cls, subject.name), None)
    facts = _class(bench.merged, cls)
    if old is None or facts is None:
        return ()
    side, known = old
    fresh = [
        name for name in facts.methods if name not in known.methods and not name.startswith("__")
    ]
    fitting = [name for name in fresh if (fits or _fits)(bench.merged, fault, name)]
    like = [name for name in fitting if _alike(bench, side, cls, subject.name, name)]
    return tuple(sorted(like))


def _knowing(bench: Bench, cls: ClassValue, name: str) -> Iterator[tuple[Side, Class]]:
    """The sides whose class has the missing name."""
    for side in (Side.SOURCE, Side.TARGET):
        facts = _class(bench.side(side), cls)
        if facts is not None and name in facts.methods:
            yield side, facts


def _class(tree: Resolver, cls: ClassValue) -> Class | None:
    facts = tree.index.facts(cls.path)
    return facts.classes.get(cls.name) if facts else None


def _methods(tree: Resolver, cls: ClassValue) -> frozenset[str]:
    facts = _class(tree, cls)
    return frozenset(facts.methods) if facts else frozenset()


def _fits(tree: Resolver, fault: Fault, name: str) -> bool:
    """Whether every call of the missing method in the file could be one of the candidate."""
    facts = tree.index.facts(fault.path)
    uses = [use for use in facts.uses if _same(use, fault)] if facts else []
    for use in uses:
        value = tree.attribute(tree.value(fault.path, _receiver(use)), name)
        reached = callee(tree, value)
        if reached is None or use.call is None or not accepts(reached.parameters, use.call):
            return False
    return bool(uses)


def _same(use: Use, fault: Fault) -> bool:
    return fault.subject is not None and use.text == fault.subject.text and bool(use.ref.path)


def _receiver(use: Use) -> Ref:
    return replace(use.ref, path=use.ref.path[:-1])


def _alike(bench: Bench, side: Side, cls: ClassValue, old: str, new: str) -> bool:
    if alike(old, new):
        return True
    if bench.base is None or old not in _methods(bench.base, cls):
        return False  # what the other side never had it cannot have renamed
    before = _body(text_in(bench.side(side), cls.path), cls.name, old)
    after = _body(bench.text(cls.path), cls.name, new)
    if before == after != "" and _words(old) & _words(new):
        return True
    if min(len(before), len(after)) < SHORTEST_BODY:
        return False
    return SequenceMatcher(None, before, after).ratio() >= TEXT_LIKENESS


def alike(old: str, new: str) -> bool:
    """Whether two names are like each other: a word in common, and most letters."""
    close = SequenceMatcher(None, old, new).ratio() >= NAME_LIKENESS
    return bool(_words(old) & _words(new)) and close


def _words(name: str) -> set[str]:
    return set(PART.findall(name))


def _body(text: str | None, owner: str, name: str) -> str:
    tree = parsed(text or "")
    cls = find_class(tree, owner) if tree else None
    for node in cls.body if cls else ():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
            return "\n".join(ast.unparse(part) for part in node.body)
    return ""
