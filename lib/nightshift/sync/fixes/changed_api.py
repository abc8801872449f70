"""A call meets another API than it was written for: main's caller, dev's definition, or the other
way round.

What the log says (a method that an object lacks, a keyword that is not taken, an argument that is
missing) becomes a fault as the audits know it, also where no audit could follow the receiver. What
mends it is the repairs' to say; nothing is mended that leaves another fault behind.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import re2

from nightshift.effects.values import FileChange
from nightshift.ports import Formatter
from nightshift.sync.audits.call_mismatch import MISSING, UNKNOWN
from nightshift.sync.audits.compare import faults_in
from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.audits.index.facts import Parameter
from nightshift.sync.audits.index.resolve import Resolver
from nightshift.sync.audits.index.signature import accepts, clashes, without_first
from nightshift.sync.audits.index.syntax import dotted, parse, shape
from nightshift.sync.audits.index.tree import Overlay, TreeIndex
from nightshift.sync.audits.unknown_attribute import RULE as ATTRIBUTE
from nightshift.sync.fixes.cause import Cause, Failure, FileChanges, Trees, locate
from nightshift.sync.repairs.edits import rename_attribute, scoped_calls
from nightshift.sync.repairs.engine import AUDITED, repair
from nightshift.sync.repairs.proposal import Bench, text_in
from nightshift.sync.repairs.rename import candidates

NAME = "changed-api"
INIT = "__init__"

_ATTRIBUTE = re2.compile(
    r"AttributeError: (?:type object )?'([A-Za-z_]\w*)' (?:object )?has no attribute '(\w+)'"
)
_KEYWORD = re2.compile(
    r"TypeError: ([A-Za-z_][\w.]*)\(\) got an unexpected keyword argument '(\w+)'"
)
_ARGUMENT = re2.compile(
    r"TypeError: ([A-Za-z_][\w.]*)\(\) missing \d+ required (?:positional|keyword-only) "
    r"arguments?: '(\w+)'"
)
_FRAME = re2.compile(r'^\s*File "([^"]+)", line \d+|^(\S+\.py):\d+: in ')
_RAISED = re2.compile(r"^(\S+\.py):\d+: (?:AttributeError|TypeError)$")
_RULES = ((_ATTRIBUTE, ATTRIBUTE), (_KEYWORD, UNKNOWN), (_ARGUMENT, MISSING))


def find(line: str) -> Failure | None:
    """Python's words for a method, keyword or argument that caller and callee do not share."""
    for pattern, _ in _RULES:
        match = pattern.search(line)
        if match is not None:
            return Failure(NAME, symbol=match.group(2), module=match.group(1))
    return None


def fix(failure: Failure, trees: Trees, formatter: Formatter) -> FileChanges | None:
    """The calls as the definition is now, or the definition with what a side has of it."""
    rule = next((rule for pattern, rule in _RULES if pattern.search(failure.text)), None)
    if rule is None:
        return None
    bench = _bench(trees)
    faults = _faults(bench, failure, rule)
    texts = _renamed(bench, faults) if rule == ATTRIBUTE else {}
    if not texts:
        done = repair(bench, faults, (), lambda path: not trees.guarded(path))
        answered = {item.fault.key for item in done.done}
        texts = {
            path: data.decode("utf-8", "surrogateescape") for path, data in done.changes.items()
        }
        if not faults or not all(fault.key in answered for fault in faults):
            return None
    if any(trees.guarded(path) for path in texts) or _worse(bench, texts):
        return None
    return tuple(_change(bench, path, text, formatter) for path, text in sorted(texts.items()))


def _bench(trees: Trees) -> Bench:
    merged, target, source = (
        Resolver(TreeIndex(view, trees.cache))
        for view in (trees.merged, trees.target, trees.source)
    )
    base = None if trees.base is None else Resolver(TreeIndex(trees.base, trees.cache))
    return Bench(merged, target, source, base)


@dataclass(frozen=True, slots=True)
class _Place:
    """What the log is about: a class that lacks something, or what is called."""

    path: str
    name: str
    parameters: tuple[Parameter, ...] = ()

    @property
    def called(self) -> str:
        """The name under which it is called."""
        owner, _, last = self.name.rpartition(".")
        return owner.rpartition(".")[2] if last == INIT else last


def _faults(bench: Bench, failure: Failure, rule: str) -> list[Fault]:
    """The calls that the log tells of. None where it is not clear what they reach."""
    found = [*(_classes if rule == ATTRIBUTE else _callables)(bench.merged, failure.module)]
    if len(found) != 1:
        return []
    place = found[0]
    name = failure.symbol if rule == ATTRIBUTE else place.called
    faults: list[Fault] = []
    for path in _paths(bench.merged, failure, name, rule):
        tree = parse(text_in(bench.merged, path) or "")
        for scope, call in scoped_calls(tree) if tree else ():
            if _meant(call, name, failure.symbol, rule, place):
                subject = Subject(place.path, place.name, failure.symbol, dotted(call.func))
                faults.append(Fault(rule, path, failure.text, call.lineno, 0, scope, subject))
    return faults


def _classes(tree: Resolver, name: str) -> Iterator[_Place]:
    """The classes of a name."""
    for path, facts in tree.index.all_facts():
        for full in facts.classes:
            if full.rpartition(".")[2] == name:
                yield _Place(path, full)


def _callables(tree: Resolver, name: str) -> Iterator[_Place]:
    """The functions and methods of a qualified name."""
    owner, _, last = name.rpartition(".")
    for path, facts in tree.index.all_facts():
        if owner in facts.classes:
            methods = facts.classes[owner].methods
            if last in methods:
                yield _Place(path, name, without_first(methods[last].parameters or ()))
            elif last == INIT:
                yield _Place(path, name)
        elif not owner and name in facts.functions:
            yield _Place(path, name, facts.functions[name].parameters or ())


def _paths(tree: Resolver, failure: Failure, name: str, rule: str) -> Sequence[str]:
    """The files whose calls are meant: the one that the trace ends in, and all others where nothing
    else can have the name."""
    words = [path for path, facts in tree.index.all_facts() if name in facts.words]
    raised = _raised_in(failure)
    last = locate(raised, tree.index.entries) if raised else None
    if rule == ATTRIBUTE and not _defined(tree, name):
        return words
    return [path for path in words if path == last]


def _raised_in(failure: Failure) -> str:
    """The file whose line failed: pytest names it below the error, a trace above it; "" where
    neither does."""
    frames = [
        match.group(1) or match.group(2)
        for line in failure.excerpt
        if (match := _FRAME.search(line))
    ]
    below = [match.group(1) for line in failure.below if (match := _RAISED.search(line))]
    return next(iter([*below, *frames[-1:]]), "")


def _defined(tree: Resolver, name: str) -> bool:
    """Whether some class, module or assignment of the tree has an attribute of a name."""
    return tree.index.writes(name) or any(
        name in facts.names
        or any(name in (*c.methods, *c.fields, *c.attributes) for c in facts.classes.values())
        for _, facts in tree.index.all_facts()
    )


def _meant(call: ast.Call, name: str, symbol: str, rule: str, place: _Place) -> bool:
    """Whether a call fails as the log says."""
    text = dotted(call.func)
    if not text or text.rpartition(".")[2] != name:
        return False
    if rule == ATTRIBUTE:
        return "." in text
    if not place.parameters:
        return any(keyword.arg == symbol for keyword in call.keywords)
    return any(clash.name == symbol for clash in clashes(place.parameters, shape(call)))


def _renamed(bench: Bench, faults: Sequence[Fault]) -> dict[str, str]:
    """The files with the calls of a method renamed, where it is certain to what."""
    texts: dict[str, str] = {}
    for fault in faults:
        subject, text = fault.subject, texts.get(fault.path) or text_in(bench.merged, fault.path)
        new = candidates(bench, fault, _fits)
        if subject is None or text is None or len(new) != 1:
            return {}
        renamed = rename_attribute(text, subject.text, new[0])
        if renamed is not None:
            texts[fault.path] = renamed
    return texts


def _fits(tree: Resolver, fault: Fault, name: str) -> bool:
    """Whether the calls in a file could be ones of a method of the fault's class."""
    subject = fault.subject
    facts = tree.index.facts(subject.path) if subject else None
    method = facts.classes[subject.owner].methods.get(name) if facts and subject else None
    if subject is None or method is None or method.parameters is None:
        return False
    taken = without_first(method.parameters)
    parsed = parse(text_in(tree, fault.path) or "")
    calls = [call for _, call in scoped_calls(parsed)] if parsed else []
    meant = [call for call in calls if dotted(call.func) == subject.text]
    return bool(meant) and all(accepts(taken, shape(call)) for call in meant)


def _worse(bench: Bench, texts: dict[str, str]) -> bool:
    """Whether a changed file has a fault that it did not have."""
    index = bench.merged.index
    data = {path: text.encode("utf-8", "surrogateescape") for path, text in texts.items()}
    after = Resolver(TreeIndex(Overlay(index.view, data), index.cache))
    before = {fault.key for fault in faults_in(bench.merged, texts, AUDITED)}
    return any(fault.key not in before for fault in faults_in(after, texts, AUDITED))


def _change(bench: Bench, path: str, text: str, formatter: Formatter) -> FileChange:
    """The new text, in style where the old one was."""
    before = text_in(bench.merged, path) or ""
    styled = formatter(path, text) if formatter(path, before) == before else text
    return FileChange(path, styled.encode("utf-8", "surrogateescape"))


CAUSE = Cause(
    "caller and callee do not share an API any more",
    "has no attribute|got an unexpected keyword argument|required (?:positional|keyword-only) arg",
    find,
    fix,
    strong=True,
)
