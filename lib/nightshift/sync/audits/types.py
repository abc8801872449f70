"""What a type checker says of the merged tree and of neither parent. Runs no tool itself, and reads
no file that is not read already: a port is not to be asked from two threads.

Its messages carry no line numbers, so they compare as they are; what a rule of ours already speaks
of in the same file is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future

from nightshift.ports import TreeView
from nightshift.sync.audits.fault import Fault
from nightshift.sync.audits.values import Complaint, TypeChecker

PREFIX = "type-checker"


class Checking:
    """A type checker at work beside us: it takes as long as all our rules do, and a processor of
    its own. What it says depends on the trees alone, not on when it says it.

    :param check: None where there is none: it then says nothing.
    """

    def __init__(self, check: TypeChecker | None, pool: Executor) -> None:
        self._check, self._pool = check, pool
        self._parents: list[Future[Sequence[Complaint]]] = []
        self._merged: Future[Sequence[Complaint]] | None = None
        self._paths: frozenset[str] = frozenset()

    def start(self, *parents: TreeView) -> None:
        """Look at the parents."""
        self._paths = frozenset(path for tree in parents for path in tree.entries())
        if self._check is not None:
            self._parents = [self._pool.submit(self._check, tree) for tree in parents]

    def merged(self, tree: TreeView) -> None:
        """Look at the merged tree."""
        if self._check is not None:
            self._merged = self._pool.submit(self._check, tree)

    def own(self, known: Collection[Fault]) -> list[Fault]:
        """The merge's own complaints, in order of path and line; waits for them.

        :param known: the faults that are told already.
        :raises HostError: the checker gave no answer.
        """
        now = self._merged.result() if self._merged else ()
        before = {_key(c) for one in self._parents for c in one.result()}
        anywhere = {key[1:] for key in before}  # a file may have a new name
        said = {(fault.path, name) for fault in known for name in _names(fault)}
        own = [c for c in now if _key(c) not in before and not _is_said(c, said)]
        own = [c for c in own if c.path in self._paths or _key(c)[1:] not in anywhere]
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
