"""Handlers for what opens a scope: functions, classes, lambdas, comprehensions."""

from __future__ import annotations

import ast

from nightshift.sync.audits.index.facts import Event, Ref, Root
from nightshift.sync.audits.index.reader import ClassDraft, Reader
from nightshift.sync.audits.index.scopes import Binding, How, Pending, Scope
from nightshift.sync.audits.index.syntax import (
    annotation,
    chain,
    dotted,
    function,
    last_part,
    parameters,
)

CLASS_FIRST = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
LOOKING = frozenset({"get", "keys", "values", "items", "count", "index"})
OPENING_METHODS = frozenset({"__getattr__", "__getattribute__", "__setattr__"})


def read_function(reader: Reader, node: ast.AST) -> None:
    """`def`, at any depth."""
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    reader.all(node.decorator_list)
    reader.all([d for d in (*node.args.defaults, *node.args.kw_defaults) if d is not None])
    name = f"{reader.scope.name}.{node.name}".lstrip(".")
    owner = reader.owner if reader.scope.kind == "class" else None
    if owner is not None or reader.scope is reader.module:
        reader.draft.define(function(node, name), owner)
    if owner is not None and node.name in OPENING_METHODS:
        owner.open = True
    if reader.scope is reader.module and node.name == "__getattr__":
        reader.draft.dynamic = True
    reader.bind(node.name, reader.local(node.name))
    scope = Scope("function", name, reader.scope, reader.scope.owner)
    _bind_parameters(reader.scope, scope, node.args)
    _bind_first(scope, node, owner)
    if owner is None and reader.scope is reader.module:
        reader.draft.forwards[name] = _forwarded(node, scope)
    with reader.inside(scope, reader.owner):
        reader.all(node.body)


def _forwarded(node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Binding:
    """What a function hands `*args, **kwargs` on to, which are all of its parameters and which it
    only looks at otherwise."""
    taken = [parameter.name for parameter in parameters(node.args)]
    if len(taken) != 2 or node.args.vararg is None or node.args.kwarg is None:
        return None
    inside = [inner for statement in node.body for inner in ast.walk(statement)]
    uses = sum(isinstance(inner, ast.Name) and inner.id in taken for inner in inside)
    uses -= sum(_looks_at(inner, taken) for inner in inside)
    found = [inner for inner in inside if isinstance(inner, ast.Call) and _hands_on(inner, taken)]
    named = chain(found[0].func) if len(found) == 1 and uses == 2 else None
    return Pending(How.ALIAS, named[0], named[1], scope) if named else None


def _looks_at(node: ast.AST, taken: list[str]) -> bool:
    """`kwargs.get(…)`, `kwargs[…]`, `… in kwargs`."""
    if isinstance(node, ast.Attribute):
        looked_at: list[ast.expr] = [node.value] if node.attr in LOOKING else []
    elif isinstance(node, ast.Subscript):
        looked_at = [node.value] if isinstance(node.ctx, ast.Load) else []
    else:
        looked_at = node.comparators if isinstance(node, ast.Compare) else []
    return any(isinstance(one, ast.Name) and one.id in taken for one in looked_at)


def _hands_on(call: ast.Call, taken: list[str]) -> bool:
    handed = [a.value for a in call.args if isinstance(a, ast.Starred)]
    handed += [k.value for k in call.keywords if k.arg is None]
    names = [value.id for value in handed if isinstance(value, ast.Name)]
    return names == taken and len(call.args) == len(call.keywords) == 1


def _bind_parameters(outer: Scope, scope: Scope, arguments: ast.arguments) -> None:
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        named = annotation(argument.annotation)
        how = Pending(How.ANNOTATED, named[0], named[1], outer) if named else None
        scope.bindings[argument.arg] = how
    for star in (arguments.vararg, arguments.kwarg):
        if star is not None:
            scope.bindings[star.arg] = Ref(Root.ARGUMENTS, star.arg)


def _bind_first(
    scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef, owner: ClassDraft | None
) -> None:
    """The first parameter of a method is the instance or the class."""
    decorators = {dotted(d) for d in node.decorator_list}
    plain = [*node.args.posonlyargs, *node.args.args]
    if owner is None or not plain or "staticmethod" in decorators:
        return
    to_class = "classmethod" in decorators or node.name in CLASS_FIRST
    scope.bindings[plain[0].arg] = Ref(Root.CLASS if to_class else Root.SELF, owner.name)


def read_class(reader: Reader, node: ast.AST) -> None:
    """`class`; one inside a function is read, but nobody can name it from outside."""
    assert isinstance(node, ast.ClassDef)
    reader.all(node.decorator_list)
    reader.all(node.bases)
    reader.all([k.value for k in node.keywords])
    name = f"{reader.scope.name}.{node.name}".lstrip(".")
    draft = ClassDraft(
        name,
        node.lineno,
        [_pending(reader.scope, base) for base in node.bases if dotted(base) != "object"],
        tuple(dotted(d) for d in node.decorator_list),
        open=any(not _harmless(k) for k in node.keywords),
    )
    if reader.scope.kind != "function":
        if name in reader.draft.classes:
            draft.open = True
        reader.draft.classes[name] = draft
    reader.scope.bind(node.name, reader.local(node.name))
    scope = Scope("class", name, reader.scope, name)
    with reader.inside(scope, draft):
        reader.all(node.body)
    if reader.at_import:
        reader.draft.events.append(Event(node.name))


def _harmless(keyword: ast.keyword) -> bool:
    return keyword.arg == "metaclass" and last_part(dotted(keyword.value)) == "ABCMeta"


def _pending(scope: Scope, node: ast.expr) -> Binding:
    if isinstance(node, ast.Subscript):  # Generic[T] and the like
        node = node.value
    found = chain(node)
    return Pending(How.ALIAS, found[0], found[1], scope) if found else None


def read_lambda(reader: Reader, node: ast.AST) -> None:
    """`lambda`."""
    assert isinstance(node, ast.Lambda)
    scope = Scope("function", reader.scope.name, reader.scope, reader.scope.owner)
    _bind_parameters(reader.scope, scope, node.args)
    with reader.inside(scope, reader.owner):
        reader.children(node.args)
        reader.visit(node.body)


def read_comprehension(reader: Reader, node: ast.AST) -> None:
    """Comprehensions and generator expressions: their names are their own."""
    scope = Scope("function", reader.scope.name, reader.scope, reader.scope.owner)
    with reader.inside(scope, reader.owner):
        reader.children(node)
