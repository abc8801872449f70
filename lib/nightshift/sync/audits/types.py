"""What a type checker says of the merged tree and of neither parent. Runs no tool itself.

Its messages carry no line numbers, so they compare as they are; what a rule of ours already speaks
of in the same file is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from nightshift.sync.audits.fault import Fault
from nightshift.sync.audits.values import Complaint, Trees, TypeChecker

PREFIX = "type-checker"


def new_complaints(check: TypeChecker, trees: Trees, known: Collection[Fault]) -> list[Fault]:
    """The merge's own complaints, in order of path and line."""
    said = {(fault.path, name) for fault in known for name in _names(fault)}
    before = {_key(c) for tree in (trees.target, trees.source) for c in check(tree)}
    own = [c for c in check(trees.merged) if _key(c) not in before and not _is_said(c, said)]
    return [_fault(complaint) for complaint in _ordered(own)]


def _names(fault: Fault) -> Iterator[str]:
    if fault.subject is not None:
        yield fault.subject.name
        yield fault.subject.text.rpartition(".")[2]


def _is_said(complaint: Complaint, said: Collection[tuple[str, str]]) -> bool:
    """Whether the complaint quotes a name that a fault in its file is about."""
    quoted = complaint.message.split("`")[1::2]
    return any((complaint.path, text.rpartition(".")[2]) in said for text in quoted)


def _key(complaint: Complaint) -> tuple[str, str, str]:
    return (complaint.path, complaint.rule, complaint.message)


def _ordered(complaints: Iterable[Complaint]) -> list[Complaint]:
    return sorted(complaints, key=lambda c: (c.path, c.line, c.rule, c.message))


def _fault(complaint: Complaint) -> Fault:
    rule = f"{PREFIX}-{complaint.rule}"
    return Fault(rule, complaint.path, complaint.message, complaint.line)
