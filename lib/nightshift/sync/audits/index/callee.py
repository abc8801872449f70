"""Which parameters calling something takes, where that is certain: functions, methods,
constructors."""

from __future__ import annotations

from dataclasses import dataclass

from nightshift.sync.audits.index.facts import Class, Kind, Parameter
from nightshift.sync.audits.index.resolve import ClassValue, FunctionValue, Resolver, Value
from nightshift.sync.audits.index.signature import without_first
from nightshift.sync.audits.index.syntax import last_part

CHANGING = frozenset({"overload", "singledispatch", "singledispatchmethod", "fixture"})

FORWARDED = 4
"""How often arguments are followed from function to function."""


@dataclass(frozen=True, slots=True)
class Callee:
    """What is called: where it is defined, under which name, and what it takes."""

    path: str
    name: str
    parameters: tuple[Parameter, ...]


def callee(tree: Resolver, value: Value, depth: int = 0) -> Callee | None:
    """What calling a value takes; None where that is not certain. A function that only hands its
    arguments on takes what the next one takes."""
    if isinstance(value, FunctionValue):
        return _function(tree, value, depth)
    if isinstance(value, ClassValue):
        return _constructor(tree, value)
    return None


def parameters_of(tree: Resolver, path: str, name: str) -> tuple[Parameter, ...] | None:
    """The parameters of a function, method or constructor by the name that `Callee` gives it, the
    first one of methods included; None where there is none, or it is not certain."""
    facts = tree.index.facts(path)
    if facts is None:
        return None
    owner, _, last = name.rpartition(".")
    cls = facts.classes.get(owner)
    found = cls.methods.get(last) if cls else facts.functions.get(name)
    if found is None and cls is not None and last == "__init__":
        reached = callee(tree, ClassValue(path, owner))
        return reached.parameters if reached else None
    return found.parameters if found else None


def _function(tree: Resolver, value: FunctionValue, depth: int) -> Callee | None:
    function = tree.function_of(value)
    if function is None or function.parameters is None:
        return None
    if any(last_part(d) in CHANGING or not d for d in function.decorators):
        return None
    if function.forwards is not None and depth < FORWARDED:
        reached = callee(tree, tree.value(value.path, function.forwards), depth + 1)
        if reached is not None:
            return reached
    taken = without_first(function.parameters) if value.bound else function.parameters
    return Callee(value.path, value.name, taken)


def _constructor(tree: Resolver, cls: ClassValue) -> Callee | None:
    facts = tree.class_of(cls)
    if _is_dataclass(facts) and "__init__" not in facts.methods:
        return _dataclass(tree, cls)
    if any(d for d in facts.decorators if not d):
        return None
    complete = tree.ancestry(cls)
    for one in complete or tree.known_part(cls):
        found = tree.class_of(one)
        if _is_dataclass(found) and "__init__" not in found.methods:
            return _dataclass(tree, one)
        if "__new__" in found.methods:
            return None
        init = found.methods.get("__init__")
        if init is not None:
            known = init.parameters
            return None if known is None else Callee(one.path, init.name, without_first(known))
    return None


def _is_dataclass(facts: Class) -> bool:
    return any(last_part(d) == "dataclass" for d in facts.decorators)


def _dataclass(tree: Resolver, cls: ClassValue) -> Callee | None:
    """The constructor that `dataclass` writes; None where a base is not wholly known."""
    line = tree.ancestry(cls)
    if line is None:
        return None
    taken: dict[str, Parameter] = {}
    for one in reversed(line):
        facts = tree.class_of(one)
        if not _is_dataclass(facts):
            continue
        for field in facts.fields.values():
            if field.annotation and "ClassVar" not in field.annotation:
                _add(taken, field.name, field.default, "KW_ONLY" in field.annotation)
    return Callee(cls.path, f"{cls.name}.__init__", tuple(taken.values()))


def _add(taken: dict[str, Parameter], name: str, default: str | None, marker: bool) -> None:
    if marker or (default and "init=False" in default):
        taken.pop(name, None)
        return
    if default is not None and default.startswith(("field(", "dataclasses.field(")):
        default = default if "default" in default else None
    taken[name] = Parameter(name, Kind.PLAIN, default)
