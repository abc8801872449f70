"""What a reference means across the files of a tree. Answers only where the answer is certain.

`Unknown` is the usual answer: an outside package, a value nobody can follow, a class that may be
changed at run time. `Missing` is a claim: the container is wholly known and lacks the name.
"""

from __future__ import annotations

from dataclasses import dataclass

from nightshift.sync.audits.index.facts import Class, Facts, Field, Function, Ref, Root
from nightshift.sync.audits.index.syntax import last_part
from nightshift.sync.audits.index.tree import TreeIndex

DEPTH = 16
PLAIN_BASES = frozenset({"object", "ABC", "Generic", "Protocol"})


@dataclass(frozen=True, slots=True)
class Module:
    """A module or package of the tree."""

    name: str


@dataclass(frozen=True, slots=True)
class ClassValue:
    """A class of the tree."""

    path: str
    name: str


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class of the tree, or of one of its subclasses."""

    of: ClassValue


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A function of the tree. `bound`: its first parameter is already filled."""

    path: str
    name: str
    bound: bool
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """A name that its container certainly lacks."""

    container: Module | ClassValue
    name: str


class Unknown:
    """Nothing certain."""


UNKNOWN = Unknown()
Value = Module | ClassValue | Instance | FunctionValue | Missing | Unknown


def _is_itself(ref: Ref, name: str) -> bool:
    """Whether a package imports one of its own modules from itself."""
    return ref.root is Root.IMPORT and ref.name == name and not ref.path


class Resolver:
    """Answers for one tree; remembers its answers."""

    def __init__(self, index: TreeIndex) -> None:
        self.index = index
        self._known: dict[tuple[str, Ref], Value] = {}
        self._lines: dict[ClassValue, tuple[ClassValue, ...] | None] = {}
        self.once: dict[str, frozenset[str]] = {}
        """Sets that rules work out once for the whole tree, by the rule's name for them."""

    def value(self, path: str, ref: Ref, depth: int = 0) -> Value:
        """What a reference in a file means."""
        key = (path, ref)
        if key not in self._known:
            self._known[key] = UNKNOWN  # what refers to itself in a circle is unknown
            self._known[key] = self._value(path, ref, depth)
        return self._known[key]

    def _value(self, path: str, ref: Ref, depth: int) -> Value:
        if depth > DEPTH:
            return UNKNOWN
        value = self._root(path, ref, depth)
        for name in ref.path:
            if isinstance(value, (Missing, Unknown)):
                return UNKNOWN if isinstance(value, Missing) else value
            value = self.attribute(value, name, depth + 1)
        return value

    def _root(self, path: str, ref: Ref, depth: int) -> Value:
        if ref.root is Root.IMPORT:
            return self.member(self.index.of_ref(path, ref), ref.name, depth + 1)
        if ref.root is Root.MODULE:
            name = self.index.of_ref(path, ref)
            return Module(name) if self.index.knows(name) else UNKNOWN
        if ref.root is Root.LOCAL:
            return self._local(path, ref.name)
        if ref.root in (Root.SELF, Root.CLASS, Root.SUPER):
            return self._own(path, ref)
        if ref.root in (Root.RESULT, Root.ANNOTATED) and ref.of is not None:
            value = self.value(path, ref.of, depth + 1)
            return Instance(value) if isinstance(value, ClassValue) else UNKNOWN
        return UNKNOWN

    def _local(self, path: str, name: str) -> Value:
        facts = self.index.facts(path)
        if facts is None:
            return UNKNOWN
        if name in facts.classes:
            return UNKNOWN if name in facts.functions else ClassValue(path, name)
        return FunctionValue(path, name, False) if name in facts.functions else UNKNOWN

    def _own(self, path: str, ref: Ref) -> Value:
        facts = self.index.facts(path)
        if facts is None or ref.name not in facts.classes:
            return UNKNOWN
        own = ClassValue(path, ref.name)
        if ref.root is Root.SUPER:
            return self._above(own, ref)
        return Instance(own) if ref.root is Root.SELF else own

    def _above(self, own: ClassValue, ref: Ref) -> Value:
        """`super()` of a class with one base, which is all that is certain."""
        line = self.ancestry(own)
        bases = self.class_of(own).bases
        return Instance(line[1]) if line and len(line) > 1 and len(bases) == 1 and ref else UNKNOWN

    def member(self, module: str, name: str, depth: int = 0) -> Value:
        """A name of a module."""
        inner = f"{module}.{name}"
        facts = self.index.module(module)
        if facts is None:
            if inner in self.index.modules or inner in self.index.packages:
                return Module(inner)
            is_folder = module in self.index.packages and module not in self.index.modules
            return Missing(Module(module), name) if is_folder else UNKNOWN
        if name in facts.names:
            path = self.index.modules[module]
            ref = facts.names[name]
            if ref is not None and _is_itself(ref, name) and self.index.of_ref(path, ref) == module:
                return Module(inner) if self.index.knows(inner) else UNKNOWN
            return UNKNOWN if ref is None else self._passed_on(self.value(path, ref, depth))
        if self.index.knows(inner):
            return Module(inner)
        return self._from_star(module, facts, name, depth)

    def _from_star(self, module: str, facts: Facts, name: str, depth: int) -> Value:
        if facts.dynamic or depth > DEPTH:
            return UNKNOWN
        path = self.index.modules[module]
        for found in facts.imports:
            if found.name != "*" or found.scope:
                continue
            target = self.index.target(path, found)
            if self.index.module(target) is None:
                return UNKNOWN
            value = self.member(target, name, depth + 1)
            if not isinstance(value, Missing):
                return value
        return UNKNOWN if name.startswith("__") else Missing(Module(module), name)

    @staticmethod
    def _passed_on(value: Value) -> Value:
        """A name that a module imports in vain is that module's fault, and not its importers'."""
        return UNKNOWN if isinstance(value, Missing) else value

    def attribute(self, value: Value, name: str, depth: int = 0) -> Value:
        """An attribute of a value."""
        if isinstance(value, Module):
            return self.member(value.name, name, depth)
        if isinstance(value, ClassValue):
            return self._class_attribute(value, name, False, depth)
        if isinstance(value, Instance):
            return self._class_attribute(value.of, name, True, depth)
        return UNKNOWN

    def _class_attribute(self, of: ClassValue, name: str, instance: bool, depth: int) -> Value:
        line = self.ancestry(of)
        for cls in line or self.known_part(of):
            facts = self.class_of(cls)
            if name in facts.attributes:
                ref = facts.attributes[name]
                return (
                    UNKNOWN
                    if ref is None
                    else self._passed_on(self.value(cls.path, ref, depth + 1))
                )
            if name in facts.methods:
                return self._method(cls, facts.methods[name], instance)
            if name in facts.fields:
                return self._field(cls, facts.fields[name], depth)
            if f"{cls.name}.{name}" in self._facts(cls).classes:
                return ClassValue(cls.path, f"{cls.name}.{name}")
        sure = line is not None and not (name.startswith("__") and name.endswith("__"))
        return Missing(of, name) if sure else UNKNOWN

    @staticmethod
    def _method(of: ClassValue, method: Function, instance: bool) -> Value:
        kinds = set(method.decorators)
        if any(last_part(k) in ("property", "cached_property", "setter", "getter") for k in kinds):
            return UNKNOWN
        bound = "staticmethod" not in kinds and (instance or "classmethod" in kinds)
        return FunctionValue(of.path, method.name, bound, of.name)

    def _field(self, cls: ClassValue, field: Field, depth: int) -> Value:
        if field.type is None or not field.annotation:
            return UNKNOWN
        return self._passed_on(self.value(cls.path, field.type, depth + 1))

    def _facts(self, cls: ClassValue) -> Facts:
        facts = self.index.facts(cls.path)
        assert facts is not None
        return facts

    def class_of(self, cls: ClassValue) -> Class:
        """The class behind a value."""
        return self._facts(cls).classes[cls.name]

    def function_of(self, function: FunctionValue) -> Function | None:
        """The function behind a value."""
        facts = self.index.facts(function.path)
        if facts is None:
            return None
        if not function.owner:
            return facts.functions.get(function.name)
        owner = facts.classes.get(function.owner)
        return owner.methods.get(function.name.rpartition(".")[2]) if owner else None

    def ancestry(self, cls: ClassValue) -> tuple[ClassValue, ...] | None:
        """A class and all of its bases, nearest first; None where some base is not of this tree, or
        where attributes may come from elsewhere."""
        if cls not in self._lines:
            self._lines[cls] = None
            self._lines[cls] = self._ancestry(cls)
        return self._lines[cls]

    def _ancestry(self, cls: ClassValue) -> tuple[ClassValue, ...] | None:
        facts = self.class_of(cls)
        if facts.open:
            return None
        line = [cls]
        for base in facts.bases:
            if base is None:
                return None
            if self._is_plain(cls.path, base):
                continue
            value = self.value(cls.path, base)
            above = self.ancestry(value) if isinstance(value, ClassValue) else None
            if above is None:
                return None
            line += [one for one in above if one not in line]
        return tuple(line)

    def _is_plain(self, path: str, base: Ref) -> bool:
        """A base of the standard library that adds no attributes."""
        name = (base.path or (base.name,))[-1]
        outside = base.root in (Root.IMPORT, Root.MODULE) and not self.index.knows(
            self.index.of_ref(path, base)
        )
        return outside and name in PLAIN_BASES

    def known_part(
        self, cls: ClassValue, seen: frozenset[ClassValue] = frozenset()
    ) -> tuple[ClassValue, ...]:
        """A class and its bases up to the first one that is not of this tree: what comes first is
        certain."""
        line = [cls]
        for base in self.class_of(cls).bases:
            value = UNKNOWN if base is None else self.value(cls.path, base)
            if not isinstance(value, ClassValue) or value in seen or value == cls:
                break
            line += [c for c in self.known_part(value, seen | {cls}) if c not in line]
        return tuple(line)
