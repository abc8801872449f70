"""An argument that is read and that no parser defines: the option that the merge dropped is put
back at its place, or the read follows an option that one side has renamed.

Put back only where nobody took it out on purpose. Followed only where the merge base had the old
name, one side has it no more, and that side's parser has one new name that is like it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from nightshift.policy.model import Side
from nightshift.sync.audits.fault import Fault
from nightshift.sync.audits.index.resolve import Resolver
from nightshift.sync.audits.index.syntax import DEFINITIONS, parsed
from nightshift.sync.repairs.edits import rename_attribute
from nightshift.sync.repairs.proposal import Bench, Proposal, text_in
from nightshift.sync.repairs.rename import alike
from nightshift.sync.sides import other

BACK = "the option {name!r} put back from the {side}"
FOLLOWED = "reads args.{new}, as the {side} names the option {old!r} now"
HOLDER = "args"


def restored(bench: Bench, fault: Fault) -> Proposal | None:
    """The option's definition, behind the one that stands before it on the side that has it."""
    name = fault.subject.name if fault.subject else ""
    for side in (Side.TARGET, Side.SOURCE):
        for path in _files(bench.side(side), name):
            on_purpose = _has(bench.base, path, name) and not _has(
                bench.side(other(side)), path, name
            )
            text, origin = bench.text(path), text_in(bench.side(side), path)
            line = _options(bench.side(side), path).get(name, 0)
            if text and origin and not on_purpose:
                mended = _put_back(text, origin, line)
                if mended is not None:
                    return Proposal(path, mended, BACK.format(name=name, side=side.value), side)
    return None


def followed(bench: Bench, fault: Fault) -> Proposal | None:
    """The read under the option's new name."""
    old, text = fault.subject.name if fault.subject else "", bench.text(fault.path)
    found = {
        (new, side)
        for path in (_files(bench.base, old) if bench.base else ())
        for side in (Side.TARGET, Side.SOURCE)
        for new in _new_names(bench, side, path, old)
    }
    if len(found) != 1 or text is None:
        return None
    new, side = found.pop()
    mended = rename_attribute(text, f"{HOLDER}.{old}", new)
    what = FOLLOWED.format(new=new, old=old, side=side.value)
    return None if mended is None else Proposal(fault.path, mended, what, side)


def _new_names(bench: Bench, side: Side, path: str, old: str) -> list[str]:
    """The options that a side has in the place of one that it renamed."""
    here = _options(bench.side(side), path)
    before = _options(bench.base, path) if bench.base else {}
    if not here or old in here:
        return []
    now = _options(bench.merged, path)
    return [name for name in now if name in here and name not in before and alike(old, name)]


def _files(tree: Resolver, name: str) -> Iterator[str]:
    """The files that define an option."""
    for path, facts in tree.index.all_facts():
        if any(option.text == name for option in facts.options):
            yield path


def _has(tree: Resolver | None, path: str, name: str) -> bool:
    return tree is not None and name in _options(tree, path)


def _options(tree: Resolver, path: str) -> dict[str, int]:
    """Options that a file defines, each with its line."""
    facts = tree.index.facts(path)
    return {option.text: option.line for option in (facts.options if facts else ())}


def _put_back(text: str, origin: str, line: int) -> str | None:
    """The text with the statement of `origin` that begins in a line, in the function of the same
    name, behind the nearest statement before it that is still there; None where none is."""
    there, here = parsed(origin), parsed(text)
    place = next(_bodies(there, line), None) if there else None
    if here is None or place is None:
        return None
    scope, body, at = place
    new = origin.split("\n")[body[at].lineno - 1 : body[at].end_lineno]
    for elder in reversed(body[:at]):
        for inner in (inner for name, inner in _functions(here, "") if name == scope):
            end = _end(inner, elder)
            if end:
                lines = text.split("\n")
                return "\n".join([*lines[:end], *new, *lines[end:]])
    return None


def _end(body: Sequence[ast.stmt], like: ast.stmt) -> int:
    """The last line of the one statement that is the same as another; 0 where there is none."""
    same = [node for node in body if ast.dump(node) == ast.dump(like)]
    return (same[0].end_lineno or 0) if len(same) == 1 else 0


def _bodies(tree: ast.Module, line: int) -> Iterator[tuple[str, Sequence[ast.stmt], int]]:
    """The function whose body holds the statement that begins in a line: its name, its statements,
    and which of them it is."""
    for name, body in _functions(tree, ""):
        for at, node in enumerate(body):
            if node.lineno == line and isinstance(node, ast.Expr):
                yield name, body, at


def _functions(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, scope: str
) -> Iterator[tuple[str, list[ast.stmt]]]:
    """Every function with its dotted name and body, and the module's own."""
    if not isinstance(node, ast.ClassDef):
        yield scope, node.body
    for child in node.body:
        if isinstance(child, (*DEFINITIONS, ast.ClassDef)):
            yield from _functions(child, f"{scope}.{child.name}".lstrip("."))
