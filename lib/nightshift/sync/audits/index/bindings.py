"""Handlers for what binds names without opening a scope: assignments, imports, loops, `with`,
`except`."""

from __future__ import annotations

import ast

from nightshift.sync.audits.index.facts import Event, Field, Import, Mention, Ref, Root
from nightshift.sync.audits.index.reader import Reader
from nightshift.sync.audits.index.scopes import Binding, How, Nothing, Pending
from nightshift.sync.audits.index.syntax import (
    annotation,
    chain,
    dotted,
    is_none,
    last_part,
    names_in,
)

SWALLOWING = frozenset({"ImportError", "ModuleNotFoundError", "AttributeError", "Exception"})


def binding_of(reader: Reader, node: ast.expr | None) -> Binding:
    """What a name is when it is set to an expression."""
    if node is None or is_none(node):
        return Nothing.NOTHING
    called = isinstance(node, ast.Call)
    found = chain(node.func if isinstance(node, ast.Call) else node)
    if found is None:
        return None
    return Pending(How.RESULT if called else How.ALIAS, found[0], found[1], reader.scope)


def read_assign(reader: Reader, node: ast.AST) -> None:
    """`a = b = value`."""
    assert isinstance(node, ast.Assign)
    reader.visit(node.value)
    for target in node.targets:
        if _is_exports(reader, target):
            _read_exports(reader, node.value)
        _bind_target(reader, target, binding_of(reader, node.value), node.value)


def read_annotated(reader: Reader, node: ast.AST) -> None:
    """`a: X = value`."""
    assert isinstance(node, ast.AnnAssign)
    if node.value is not None:
        reader.visit(node.value)
    named = annotation(node.annotation)
    binding = Pending(How.ANNOTATED, named[0], named[1], reader.scope) if named else None
    if isinstance(node.target, ast.Name) and reader.scope.kind == "class" and reader.owner:
        default = None if node.value is None else ast.unparse(node.value)
        name = node.target.id
        field = Field(name, node.lineno, ast.unparse(node.annotation), default)
        reader.owner.fields[name] = (field, binding)
        reader.scope.bind(name, None)
    else:
        _bind_target(reader, node.target, binding, node.value)


def read_augmented(reader: Reader, node: ast.AST) -> None:
    """`a += value`: what `a` is then is not followed."""
    assert isinstance(node, ast.AugAssign)
    reader.visit(node.value)
    if _is_exports(reader, node.target):
        _read_exports(reader, node.value)
        return
    _bind_target(reader, node.target, None, node.value)


def _bind_target(
    reader: Reader, target: ast.expr, binding: Binding, value: ast.expr | None
) -> None:
    if isinstance(target, ast.Name):
        if reader.scope.kind == "class" and reader.owner:
            reader.owner.fields[target.id] = (Field(target.id, target.lineno), binding)
        reader.bind(target.id, binding)
    elif isinstance(target, ast.Attribute):
        _bind_attribute(reader, target, binding)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for item in target.elts:
            _bind_target(reader, item, None, value)
    elif isinstance(target, ast.Starred):
        _bind_target(reader, target.value, None, value)
    else:
        reader.visit(target)


def _bind_attribute(reader: Reader, target: ast.Attribute, binding: Binding) -> None:
    found = chain(target)
    if found is None:
        reader.visit(target.value)
        return
    name, path = found
    if len(path) > 1:
        reader.use(name, path[:-1], target, None)
    holder = reader.scope.holder(name)
    bound = holder.bindings[name] if holder else None
    if isinstance(bound, Ref) and bound.root in (Root.SELF, Root.CLASS) and len(path) == 1:
        draft = reader.draft.classes.get(bound.name) or reader.owner
        if draft is not None:
            draft.attributes.setdefault(path[0], []).append(binding)
    else:
        reader.draft.writes.add(path[-1])


def _is_exports(reader: Reader, target: ast.expr) -> bool:
    return reader.scope is reader.module and isinstance(target, ast.Name) and target.id == "__all__"


def _read_exports(reader: Reader, value: ast.expr) -> None:
    if isinstance(value, (ast.List, ast.Tuple)):
        for item in value.elts:
            if isinstance(item, ast.Constant) and isinstance(item.value, str):
                reader.draft.exports.append(Mention(item.value, item.lineno))


def read_import(reader: Reader, node: ast.AST) -> None:
    """`import a.b as c`."""
    assert isinstance(node, ast.Import)
    for alias in node.names:
        bound = alias.asname or alias.name.partition(".")[0]
        _import(
            reader, Import(alias.name, 0, "", bound, node.lineno, reader.guarded, reader.scope.name)
        )
        module = alias.name if alias.asname else bound
        reader.scope.bind(bound, Ref(Root.MODULE, module=module))


def read_import_from(reader: Reader, node: ast.AST) -> None:
    """`from a.b import c as d`."""
    assert isinstance(node, ast.ImportFrom)
    for alias in node.names:
        bound = alias.asname or alias.name
        module, level = node.module or "", node.level
        where = (node.lineno, reader.guarded, reader.scope.name)
        _import(reader, Import(module, level, alias.name, bound, *where))
        if alias.name != "*":
            reader.scope.bind(bound, Ref(Root.IMPORT, alias.name, module, level))


def _import(reader: Reader, found: Import) -> None:
    reader.draft.imports.append(found)
    if reader.at_import:
        reader.draft.events.append(Event(found.bound, found))


def read_loop(reader: Reader, node: ast.AST) -> None:
    """`for` loops and the `for` of comprehensions."""
    assert isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension))
    _bind_target(reader, node.target, None, None)
    reader.visit(node.iter)
    if isinstance(node, ast.comprehension):
        reader.all(node.ifs)
    else:
        reader.all(node.body)
        reader.all(node.orelse)


def read_with_item(reader: Reader, node: ast.AST) -> None:
    """`with a as b`."""
    assert isinstance(node, ast.withitem)
    reader.visit(node.context_expr)
    if node.optional_vars is not None:
        _bind_target(reader, node.optional_vars, None, None)


def read_walrus(reader: Reader, node: ast.AST) -> None:
    """`(a := b)`."""
    assert isinstance(node, ast.NamedExpr)
    reader.visit(node.value)
    _bind_target(reader, node.target, None, node.value)


def read_global(reader: Reader, node: ast.AST) -> None:
    """`global` and `nonlocal`: the name is set from more than one place."""
    assert isinstance(node, (ast.Global, ast.Nonlocal))
    reader.scope.forget(node.names)
    if isinstance(node, ast.Global):
        reader.module.forget(node.names)


def read_match_name(reader: Reader, node: ast.AST) -> None:
    """Names that a `match` pattern binds."""
    assert isinstance(node, (ast.MatchAs, ast.MatchStar, ast.MatchMapping))
    name = node.rest if isinstance(node, ast.MatchMapping) else node.name
    if name:
        reader.bind(name, None)
    reader.children(node)


def read_delete(reader: Reader, node: ast.AST) -> None:
    """`del name` makes the name uncertain; `del a.b[c]` takes an item out."""
    assert isinstance(node, ast.Delete)
    for target in node.targets:
        reader.scope.forget(names_in(target))
        reader.visit(target)


def read_try(reader: Reader, node: ast.AST) -> None:
    """`try`: what it expects to fail is guarded."""
    assert isinstance(node, (ast.Try, ast.TryStar))
    with reader.guard(any(_swallows(handler.type) for handler in node.handlers)):
        reader.all(node.body)
    for handler in node.handlers:
        if handler.name:
            reader.scope.forget([handler.name])
        with reader.guard(_swallows(handler.type)):
            reader.all(handler.body)
    reader.all(node.orelse)
    reader.all(node.finalbody)


def _swallows(caught: ast.expr | None) -> bool:
    if caught is None:
        return True
    kinds = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(last_part(dotted(kind)) in SWALLOWING for kind in kinds)


def read_if(reader: Reader, node: ast.AST) -> None:
    """`if`: under TYPE_CHECKING nothing runs; under `hasattr` a name may be missing."""
    assert isinstance(node, ast.If)
    reader.visit(node.test)
    if last_part(dotted(node.test)) == "TYPE_CHECKING":
        with reader.checking():
            reader.all(node.body)
    else:
        with reader.guard(_asks(node.test)):
            reader.all(node.body)
    reader.all(node.orelse)


def _asks(test: ast.expr) -> bool:
    return any(isinstance(n, ast.Name) and n.id in ("hasattr", "callable") for n in ast.walk(test))
