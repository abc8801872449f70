"""The facts of one Python file. Reads text only; imports nothing of what it reads."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace

from nightshift.sync.audits.index import bindings, definitions, uses
from nightshift.sync.audits.index.facts import (
    Class,
    Facts,
    Field,
    Function,
    Import,
    Mention,
    Ref,
    Root,
    Use,
)
from nightshift.sync.audits.index.reader import ClassDraft, Draft, Handler, RawUse, Reader
from nightshift.sync.audits.index.scopes import Binding, How, Nothing, Pending, explained
from nightshift.sync.audits.index.syntax import parse

HANDLERS: dict[type[ast.AST], Handler] = {
    ast.FunctionDef: definitions.read_function,
    ast.AsyncFunctionDef: definitions.read_function,
    ast.ClassDef: definitions.read_class,
    ast.Lambda: definitions.read_lambda,
    ast.ListComp: definitions.read_comprehension,
    ast.SetComp: definitions.read_comprehension,
    ast.DictComp: definitions.read_comprehension,
    ast.GeneratorExp: definitions.read_comprehension,
    ast.Assign: bindings.read_assign,
    ast.AnnAssign: bindings.read_annotated,
    ast.AugAssign: bindings.read_augmented,
    ast.Import: bindings.read_import,
    ast.ImportFrom: bindings.read_import_from,
    ast.For: bindings.read_loop,
    ast.AsyncFor: bindings.read_loop,
    ast.comprehension: bindings.read_loop,
    ast.withitem: bindings.read_with_item,
    ast.NamedExpr: bindings.read_walrus,
    ast.Global: bindings.read_global,
    ast.Nonlocal: bindings.read_global,
    ast.MatchAs: bindings.read_match_name,
    ast.MatchStar: bindings.read_match_name,
    ast.MatchMapping: bindings.read_match_name,
    ast.Delete: bindings.read_delete,
    ast.Try: bindings.read_try,
    ast.TryStar: bindings.read_try,
    ast.If: bindings.read_if,
    ast.Name: uses.read_name,
    ast.Attribute: uses.read_attribute,
    ast.Call: uses.read_call,
    ast.Subscript: uses.read_subscript,
    ast.Constant: uses.read_text,
}

NAMESPACE = "Namespace"
"""The class of what an argument parser gives, in the standard library."""
HOLDERS = ("args",)
"""Variables of this name hold parsed arguments, as nearly everybody calls them."""


def extract(data: bytes | str) -> Facts | None:
    """The facts of a file, None where it does not parse."""
    tree = parse(data)
    if tree is None:
        return None
    reader = Reader(HANDLERS)
    try:
        reader.all(tree.body)
    except RecursionError:
        return None
    return _facts(reader)


def _facts(reader: Reader) -> Facts:
    draft = reader.draft
    return Facts(
        names={name: explained(b) for name, b in reader.module.bindings.items()},
        functions={name: _function(draft, found) for name, found in draft.functions.items()},
        classes={name: _class(found) for name, found in draft.classes.items()},
        imports=tuple(draft.imports),
        uses=tuple(_uses(draft.uses)),
        events=tuple(draft.events),
        exports=tuple(draft.exports),
        dynamic=draft.dynamic,
        options=tuple(draft.options),
        fed=tuple(_fed(draft)),
        reads=tuple(_reads(draft)),
        writes=frozenset(draft.writes),
        texts=tuple(draft.texts),
        removals=tuple(draft.removals),
        words=frozenset(draft.words),
    )


def _function(draft: Draft, found: Function) -> Function:
    forwards = explained(draft.forwards.get(found.name))
    return found if forwards is None else replace(found, forwards=forwards)


def _class(draft: ClassDraft) -> Class:
    return Class(
        draft.name,
        draft.line,
        tuple(explained(base) for base in draft.bases),
        draft.decorators,
        draft.methods,
        {name: _field(field, binding) for name, (field, binding) in draft.fields.items()},
        {name: _attribute(bound) for name, bound in draft.attributes.items()},
        draft.open,
    )


def _field(field: Field, binding: Binding) -> Field:
    return Field(field.name, field.line, field.annotation, field.default, explained(binding))


def _attribute(bound: list[Binding]) -> Ref | None:
    """What an attribute is, where everything that sets it agrees."""
    telling = [explained(b) for b in bound if not isinstance(b, Nothing)]
    return telling[0] if telling and all(ref == telling[0] for ref in telling) else None


def _uses(raw: Iterable[RawUse]) -> Iterable[Use]:
    for use in raw:
        ref = use.scope.explain(use.name)
        if ref is not None and ref.root is not Root.ARGUMENTS:
            text = ".".join((use.name, *use.path))
            name = use.scope.name
            yield Use(ref.then(*use.path), text, name, use.line, use.column, use.call, use.guarded)


def _reads(draft: Draft) -> Iterable[Mention]:
    """Attributes read from what holds parsed arguments; those that the file tests for are its own
    affair."""
    skip = draft.tested | draft.writes
    for use in draft.uses:
        if use.path and use.path[0] not in skip and not use.guarded and _holds_arguments(use):
            yield Mention(use.path[0], use.line, use.scope.name)


def _holds_arguments(use: RawUse) -> bool:
    holder = use.scope.holder(use.name)
    if holder is None:
        return False
    bound = holder.bindings[use.name]
    if isinstance(bound, Pending):
        if bound.how is How.ANNOTATED:
            return (bound.path or (bound.name,))[-1] == NAMESPACE
        called = (bound.path or (bound.name,))[-1]
        return bound.how is How.RESULT and called.endswith("args")
    return bound is None and use.name in HOLDERS


def _fed(draft: Draft) -> Iterable[Ref]:
    """What is handed to calls, in files that define options: a parser may be filled from a
    class."""
    if draft.options or any(_is_parser(found) for found in draft.imports):
        for binding in draft.fed:
            ref = explained(binding)
            if ref is not None and ref.root in (Root.IMPORT, Root.LOCAL, Root.MODULE):
                yield ref


def _is_parser(found: Import) -> bool:
    return found.module == "argparse"
