"""A call that lacks an argument which the definition requires: the other side's call shows which,
or the other side's definition has a default for it."""

from __future__ import annotations

import ast

from nightshift.policy.model import Side
from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.audits.index.syntax import DEFINITIONS, parse, parsed
from nightshift.sync.repairs.edits import Edit, add_keyword, apply, calls, find_class, offsets
from nightshift.sync.repairs.proposal import Bench, Proposal, text_in

AS_CALLED = "{text!r} is handed {name}= as the {side} does"
AS_DEFINED = "{name!r} of {owner} has the {side}'s default"


def propose(bench: Bench, fault: Fault) -> Proposal | None:
    """Hand over the argument as the other side does, else give the parameter the other side's
    default."""
    if fault.subject is None:
        return None
    return _as_called(bench, fault, fault.subject) or _as_defined(bench, fault.subject)


def _as_called(bench: Bench, fault: Fault, subject: Subject) -> Proposal | None:
    text = bench.text(fault.path)
    tree = parsed(text or "")
    if text is None or tree is None:
        return None
    for side in (Side.TARGET, Side.SOURCE):
        value = keyword_value(text_in(bench.side(side), fault.path), subject, fault.scope)
        lacking = [
            c for c in calls(tree, subject.text, fault.scope) if subject.name not in _keywords(c)
        ]
        if value is not None and len(lacking) == 1:
            mended = add_keyword(text, lacking[0], subject.name, value)
            if mended is not None:
                what = AS_CALLED.format(text=subject.text, name=subject.name, side=side.value)
                return Proposal(fault.path, mended, what, side)
    return None


def keyword_value(text: str | None, subject: Subject, scope: str) -> str | None:
    """What a side hands over under a keyword in a scope; None where its calls there differ, or are
    none."""
    tree = parsed(text or "")
    found = {
        ast.get_source_segment(text or "", keyword.value) or ast.unparse(keyword.value)
        for call in (calls(tree, subject.text, scope) if tree else ())
        for keyword in call.keywords
        if keyword.arg == subject.name
    }
    return found.pop() if len(found) == 1 else None


def _keywords(call: ast.Call) -> set[str]:
    return {k.arg for k in call.keywords if k.arg}


def _as_defined(bench: Bench, subject: Subject) -> Proposal | None:
    text = bench.text(subject.path)
    for side in (Side.TARGET, Side.SOURCE):
        default = _default(text_in(bench.side(side), subject.path), subject)
        if text is not None and default is not None:
            mended = _with_default(text, subject, default)
            if mended is not None:
                what = AS_DEFINED.format(name=subject.name, owner=subject.owner, side=side.value)
                return Proposal(subject.path, mended, what, side)
    return None


def _function(text: str | None, name: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    tree = parsed(text or "")
    owner, _, last = name.rpartition(".")
    holder = (find_class(tree, owner) if owner else tree) if tree else None
    found = [
        n for n in (holder.body if holder else ()) if isinstance(n, DEFINITIONS) and n.name == last
    ]
    return found[0] if len(found) == 1 else None


def _default(text: str | None, subject: Subject) -> str | None:
    """A parameter's default on one side, where it is a plain constant: others may not exist
    here."""
    function = _function(text, subject.owner)
    if function is None:
        return None
    arguments = function.args
    plain = [*arguments.posonlyargs, *arguments.args]
    pairs = [
        *zip(plain[len(plain) - len(arguments.defaults) :], arguments.defaults, strict=True),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    for argument, default in pairs:
        if argument.arg == subject.name and isinstance(default, ast.Constant):
            return ast.unparse(default)
    return None


def _with_default(text: str, subject: Subject, default: str) -> str | None:
    """The text with a default for a parameter; None where Python would not allow it there."""
    function = _function(text, subject.owner)
    if function is None:
        return None
    every = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    for argument in every:
        if argument.arg == subject.name:
            data = text.encode("utf-8", "surrogateescape")
            end = offsets(data)[(argument.end_lineno or 1) - 1] + (argument.end_col_offset or 0)
            sign = " = " if argument.annotation else "="
            edit: Edit = (end, end, f"{sign}{default}".encode())
            mended = apply(text, [edit])
            return mended if parse(mended) is not None else None
    return None
