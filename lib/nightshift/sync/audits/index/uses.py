"""Handlers for what reads names: attributes, calls, texts."""

from __future__ import annotations

import ast
import re
import sys

from nightshift.sync.audits.index.bindings import binding_of
from nightshift.sync.audits.index.facts import Mention, Removal, Shape
from nightshift.sync.audits.index.reader import Reader
from nightshift.sync.audits.index.syntax import Chain, chain, dotted, shape

REMOVERS = frozenset({"remove", "pop", "popleft", "popitem", "discard"})
OPTION_METHODS = frozenset({"add_argument", "add_option", "set_defaults"})
PARTIAL = "partial"
SPECIFIED = frozenset({"params", "kwargs"})
"""Keywords under which a dictionary of arguments is handed to what makes the call."""
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,79}")
DOTTED = re.compile(r"[A-Za-z_]\w*(?:[.:][A-Za-z_]\w*)+")
CLASS_NAME = re.compile(r"_?[A-Z][a-z0-9A-Z_]*[a-z][A-Za-z0-9]*")
FILE_NAME = re.compile(r"(?:[\w.-]+/)+[\w.-]+\.(?:py|sh|ya?ml|json|toml|md|rst|txt|cfg)")
LONGEST = 160


def read_name(reader: Reader, node: ast.AST) -> None:
    """A bare name: a word that somebody uses."""
    assert isinstance(node, ast.Name)
    if isinstance(node.ctx, ast.Load):
        reader.draft.words.add(sys.intern(node.id))
        if node.id in ("globals", "exec"):
            reader.draft.dynamic = True


def read_attribute(reader: Reader, node: ast.AST) -> None:
    """`a.b.c`, read."""
    assert isinstance(node, ast.Attribute)
    _reference(reader, node, None)


def _reference(reader: Reader, node: ast.Attribute, call: Shape | None) -> None:
    reader.draft.words.update(_attributes(node))
    if node.attr == "__dict__" and reader.owner is not None:
        reader.owner.open = True
    found = chain(node)
    if found is not None:
        reader.draft.words.add(sys.intern(found[0]))
        reader.use(found[0], found[1], node, call)
    else:
        inner: ast.expr = node
        while isinstance(inner, ast.Attribute):
            inner = inner.value
        reader.visit(inner)


def _attributes(node: ast.expr) -> list[str]:
    names = []
    while isinstance(node, ast.Attribute):
        if isinstance(node.ctx, ast.Load):
            names.append(sys.intern(node.attr))
        node = node.value
    return names


def read_call(reader: Reader, node: ast.AST) -> None:
    """`f(...)`."""
    assert isinstance(node, ast.Call)
    if isinstance(node.func, ast.Name):
        reader.draft.words.add(sys.intern(node.func.id))
        reader.use(node.func.id, (), node.func, shape(node))
        _builtin(reader, node, node.func.id)
    elif isinstance(node.func, ast.Attribute):
        _reference(reader, node.func, shape(node))
        _removal(reader, node.func)
        if node.func.attr in OPTION_METHODS:
            _option(reader, node, node.func.attr)
            return
    else:
        reader.visit(node.func)
    _build(reader, node)
    reader.draft.fed += [
        binding_of(reader, a) for a in node.args if isinstance(a, (ast.Name, ast.Attribute))
    ]
    reader.all(node.args)
    reader.all([k.value for k in node.keywords])


def _build(reader: Reader, node: ast.Call) -> None:
    """A call that another one makes later: `partial(f, k=1)`, `Spec(module=C, params={"k": 1})`.

    Which arguments come in addition is not known: only what is handed over here can be wrong.
    """
    if dotted(node.func).rpartition(".")[2] == PARTIAL and node.args:
        form = shape(node)
        later = Shape(max(form.positional - 1, 0), form.star, form.keywords, True)
        _later(reader, chain(node.args[0]), node.args[0], later)
    for keyword in node.keywords:
        if keyword.arg in SPECIFIED and isinstance(keyword.value, ast.Dict):
            keys = [key.value for key in keyword.value.keys if isinstance(key, ast.Constant)]
            names = tuple(key for key in keys if isinstance(key, str))
            for part in (*node.args, *(k.value for k in node.keywords)):
                found = chain(part)
                if found is not None and CLASS_NAME.fullmatch((found[0], *found[1])[-1]):
                    _later(reader, found, part, Shape(0, True, names, True))


def _later(reader: Reader, found: Chain | None, node: ast.expr, form: Shape) -> None:
    if found is not None:
        reader.use(found[0], found[1], node, form)


def _builtin(reader: Reader, node: ast.Call, name: str) -> None:
    """`hasattr(x, "name")` tests a name, `setattr(x, …)` may set any."""
    texts = [
        a.value for a in node.args[1:2] if isinstance(a, ast.Constant) and isinstance(a.value, str)
    ]
    if name == "hasattr":
        reader.draft.tested.update(texts)
    elif name in ("setattr", "vars", "delattr"):
        reader.draft.writes.update(texts)
        if reader.owner is not None and not texts:
            reader.owner.open = True
        if reader.owner is not None and node.args and dotted(node.args[0]) == "self":
            for text in texts:
                reader.owner.attributes.setdefault(text, []).append(None)
    elif name == "globals":
        reader.draft.dynamic = True


def _option(reader: Reader, node: ast.Call, method: str) -> None:
    """The name under which a parser hands an option out."""
    line = node.lineno
    names = (
        [k.arg for k in node.keywords if k.arg] if method == "set_defaults" else _destinations(node)
    )
    reader.draft.options += [Mention(name, line, reader.scope.name) for name in names]
    for keyword in node.keywords:
        if keyword.arg not in ("dest", "help", "metavar"):
            reader.visit(keyword.value)


def _destinations(node: ast.Call) -> list[str]:
    for keyword in node.keywords:
        if keyword.arg == "dest":
            return [keyword.value.value] if _is_text(keyword.value) else []  # type: ignore[attr-defined]
    flags = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    long = [flag for flag in flags if flag.startswith("--")] or flags
    return [long[0].lstrip("-").replace("-", "_")] if long else []


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _removal(reader: Reader, function: ast.Attribute) -> None:
    container = dotted(function.value)
    if function.attr in REMOVERS and "." in container:
        reader.draft.removals.append(Removal(reader.scope.name, container, function.lineno))


def read_subscript(reader: Reader, node: ast.AST) -> None:
    """`a.b[c]`; deleting it takes an item out of `a.b`."""
    assert isinstance(node, ast.Subscript)
    container = dotted(node.value)
    if isinstance(node.ctx, ast.Del) and "." in container:
        reader.draft.removals.append(Removal(reader.scope.name, container, node.lineno))
    reader.children(node)


def read_text(reader: Reader, node: ast.AST) -> None:
    """A text that may name something."""
    assert isinstance(node, ast.Constant)
    text = node.value
    if not isinstance(text, str) or not 0 < len(text) <= LONGEST:
        return
    if IDENTIFIER.fullmatch(text):
        reader.draft.words.add(sys.intern(text))
    if CLASS_NAME.fullmatch(text) or DOTTED.fullmatch(text) or FILE_NAME.fullmatch(text):
        reader.draft.texts.append(Mention(text, node.lineno, reader.scope.name))
