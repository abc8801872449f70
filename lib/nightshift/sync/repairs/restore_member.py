"""A method, or a field of a class, that the merge dropped: put back alone, at its place in the
class.

Not where the class's other side had deleted it on purpose, and not where the method may have been
renamed: then two decisions are possible, and they are a person's.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from nightshift.policy.model import Side
from nightshift.sync.audits.fault import Fault
from nightshift.sync.audits.index.syntax import names_in, parsed
from nightshift.sync.repairs.edits import find_class
from nightshift.sync.repairs.proposal import Bench, Proposal, text_in
from nightshift.sync.repairs.rename import candidates

WHAT = "{owner}.{name} put back from the {side}"
DATACLASS_INIT = ".__init__"


def propose(bench: Bench, fault: Fault) -> Proposal | None:
    """Put back the member that a class lacks."""
    subject = fault.subject
    if subject is None or not subject.owner or candidates(bench, fault):
        return None
    owner = subject.owner.removesuffix(DATACLASS_INIT)
    for side in (Side.TARGET, Side.SOURCE):
        origin = text_in(bench.side(side), subject.path)
        text = bench.text(subject.path)
        if (
            origin
            and text
            and not _dropped_on_purpose(bench, side, subject.path, owner, subject.name)
        ):
            mended = put_back(text, origin, owner, subject.name)
            if mended is not None:
                what = WHAT.format(owner=owner, name=subject.name, side=side.value)
                return Proposal(subject.path, mended, what, side)
    return None


def _dropped_on_purpose(bench: Bench, side: Side, path: str, owner: str, name: str) -> bool:
    """Whether both had it before, and the other side deleted it."""
    other = Side.SOURCE if side is Side.TARGET else Side.TARGET
    had = bench.base is not None and _member(text_in(bench.base, path), owner, name) is not None
    return had and _member(text_in(bench.side(other), path), owner, name) is None


def put_back(text: str, origin: str, owner: str, name: str) -> str | None:
    """The text with a member of a class of `origin`; None where it is there, or its place is
    not."""
    there, here = _class(origin, owner), _class(text, owner)
    if there is None or here is None or _find(here.body, name) is not None:
        return None
    node = _find(there.body, name)
    if node is None:
        return None
    block = _block(origin, there, node)
    lines = text.split("\n")
    at = _place(there.body, node, here, lines)
    spaced = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    before = [""] if spaced and lines[at - 1].strip() else []
    after = [""] if spaced and at < len(lines) and lines[at].strip() else []
    mended = "\n".join([*lines[:at], *before, *block, *after, *lines[at:]])
    return mended if _member(mended, owner, name) is not None else None


def _class(text: str | None, owner: str) -> ast.ClassDef | None:
    tree = parsed(text or "")
    return find_class(tree, owner) if tree else None


def _member(text: str | None, owner: str, name: str) -> ast.stmt | None:
    cls = _class(text, owner)
    return _find(cls.body, name) if cls else None


def _find(body: Sequence[ast.stmt], name: str) -> ast.stmt | None:
    found = [node for node in body if name in _names(node)]
    return found[0] if len(found) == 1 else None


def _names(node: ast.stmt) -> list[str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.AnnAssign):
        return list(names_in(node.target))
    return [n for t in node.targets for n in names_in(t)] if isinstance(node, ast.Assign) else []


def _first(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(item.lineno for item in decorators)])


def _block(text: str, cls: ast.ClassDef, node: ast.stmt) -> list[str]:
    """A member's lines, with the comments right above it and the text that explains a field below
    it."""
    lines, first, last = text.split("\n"), _first(node) - 1, node.end_lineno or node.lineno
    while lines[first - 1].lstrip().startswith("#"):
        first -= 1
    index = cls.body.index(node)
    below = cls.body[index + 1] if index + 1 < len(cls.body) else None
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and below is not None and _is_text(below):
        last = below.end_lineno or last
    block = lines[first:last]
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and not lines[first - 1].strip():
        block = ["", *block]
    return block


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _place(
    there: Sequence[ast.stmt], node: ast.stmt, here: ast.ClassDef, lines: Sequence[str]
) -> int:
    """Below which line it goes: below its nearest elder sibling that is still here, else at the
    class's end."""
    for elder in reversed(there[: there.index(node)]):
        for name in _names(elder):
            sibling = _find(here.body, name)
            if sibling is not None:
                return _end(here.body, sibling)
    last = here.body[-1]
    return last.end_lineno or len(lines)


def _end(body: Sequence[ast.stmt], node: ast.stmt) -> int:
    """A member's last line, with the text that explains it."""
    index = list(body).index(node)
    below = body[index + 1] if index + 1 < len(body) else None
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and below is not None and _is_text(below):
        return below.end_lineno or below.lineno
    return node.end_lineno or node.lineno
