"""Base classes and their implementers: a method that overrides another must take what the base's
callers hand over, and an abstract method needs an implementation."""

from __future__ import annotations

from collections.abc import Iterator

from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.audits.index.facts import Class, Facts, Function, Kind, Parameter
from nightshift.sync.audits.index.resolve import ClassValue, Resolver
from nightshift.sync.audits.index.signature import POSITIONAL
from nightshift.sync.audits.index.syntax import last_part

RULE = "base-against-implementer"
LACKS = "{own} lacks the parameter {name!r}, which {base} of {path} takes"
WANTS = "{own} requires the parameter {name!r}, which {base} of {path} does not know"
ABSTRACT = "{own} does not implement {name!r}, which is abstract in {base} of {path}"
ABSTRACT_MARKS = frozenset({"abstractmethod", "abstractproperty"})


def check(tree: Resolver, path: str, facts: Facts) -> Iterator[Fault]:
    """Overrides that do not agree with what they override."""
    for cls in facts.classes.values():
        own = ClassValue(path, cls.name)
        above = tree.known_part(own)[1:]
        for method in cls.methods.values():
            yield from _override(tree, path, method, above)
        yield from _unimplemented(tree, path, cls)


def _override(
    tree: Resolver, path: str, method: Function, above: tuple[ClassValue, ...]
) -> Iterator[Fault]:
    name = method.name.rpartition(".")[2]
    if name.startswith("__") or method.parameters is None:
        return
    for cls in above:
        base = tree.class_of(cls).methods.get(name)
        if base is None:
            continue
        if base.parameters is not None and _same_kind(method, base):
            for text, parameter in _clashes(method.parameters, base.parameters):
                where = {"own": method.name, "base": base.name, "path": cls.path}
                message = text.format(name=parameter, **where)
                subject = Subject(cls.path, cls.name, parameter, name)
                yield Fault(RULE, path, message, method.line, 0, method.name, subject)
        return


def _same_kind(one: Function, other: Function) -> bool:
    marks = [{d for d in f.decorators if d not in ABSTRACT_MARKS} for f in (one, other)]
    return marks[0] == marks[1] and not any("property" in d for d in marks[0])


def _clashes(own: tuple[Parameter, ...], base: tuple[Parameter, ...]) -> Iterator[tuple[str, str]]:
    """Keywords that callers of the base may use, and arguments that they do not know to give."""
    own_kinds = {p.kind for p in own}
    base_names = {p.name for p in base}
    if Kind.KEYWORDS not in own_kinds and Kind.VARIADIC not in own_kinds:
        names = {p.name for p in own}
        if len(own) < len([p for p in base if p.kind in (*POSITIONAL, Kind.KEYWORD_ONLY)]):
            yield from ((LACKS, p.name) for p in base[1:] if _named(p) and p.name not in names)
    if not {p.kind for p in base} & {Kind.KEYWORDS, Kind.VARIADIC} and len(own) > len(base):
        for parameter in own[1:]:
            if _named(parameter) and parameter.default is None and parameter.name not in base_names:
                yield WANTS, parameter.name


def _named(parameter: Parameter) -> bool:
    return parameter.kind in (Kind.PLAIN, Kind.KEYWORD_ONLY)


def _unimplemented(tree: Resolver, path: str, cls: Class) -> Iterator[Fault]:
    """Abstract methods that a class without abstract methods of its own leaves open."""
    line = tree.ancestry(ClassValue(path, cls.name))
    if line is None or len(line) < 2 or any(_is_abstract(m) for m in cls.methods.values()):
        return
    seen = set(cls.methods) | set(cls.fields) | set(cls.attributes)
    for one in line[1:]:
        base = tree.class_of(one)
        for name, method in base.methods.items():
            if name not in seen and _is_abstract(method):
                message = ABSTRACT.format(own=cls.name, name=name, base=base.name, path=one.path)
                yield Fault(
                    RULE, path, message, cls.line, 0, cls.name, Subject(one.path, base.name, name)
                )
        seen |= set(base.methods) | set(base.fields)


def _is_abstract(method: Function) -> bool:
    return any(last_part(d) in ABSTRACT_MARKS for d in method.decorators)
