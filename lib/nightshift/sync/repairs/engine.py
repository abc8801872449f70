"""Repairs in rounds: propose, lay over the tree, audit again, undo what did not help.

A round takes every fault that some repair has an answer to, and judges all answers by one new
audit. A repair stays if its fault is gone and nothing new is wrong that has to do with its file.
Deterministic: faults are taken in the order of path and line, repairs in the order of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from nightshift.policy.sync import FileLesson
from nightshift.sync.audits import lost_class, undefined_name
from nightshift.sync.audits.compare import new_faults
from nightshift.sync.audits.fault import Fault
from nightshift.sync.audits.index.resolve import Resolver
from nightshift.sync.audits.index.tree import Overlay, TreeIndex
from nightshift.sync.audits.rules import RULES
from nightshift.sync.repairs import (
    adapt_call,
    lesson,
    lost_keyword,
    missing_argument,
    rename,
    restore_file,
    restore_function,
    restore_member,
    restore_name,
    restore_option,
)
from nightshift.sync.repairs.proposal import Bench, Done, Proposal

Repair = Callable[[Bench, Fault], Proposal | None]
DROPPED = "dropped-keyword"
"""A loss and no fault of a tree: it is answered when the keyword is back, which no audit of one
tree can see."""
JUDGES_NOT = {name: RULES[name] for name in ("unread-option", "lost-class", "mentions")}
"""Rules that look at the whole tree, and that no repair of ours is about."""
WHOLE_TREE = frozenset({"unread-option", "unread-field", "lost-class", "unknown-mention"})
"""What those rules report."""
AUDITED = {name: rule for name, rule in RULES.items() if name not in JUDGES_NOT}
"""The rules that judge a repair."""
JUDGED = frozenset(
    {
        "undefined-name",
        "unknown-import",
        "unknown-attribute",
        "unknown-keyword",
        "missing-argument",
        "too-many-arguments",
        "unknown-argument",
        "unknown-export",
        "base-against-implementer",
        "removed-twice",
    }
)
ROUNDS = 8
"""Rounds after which it ends in any case; three have been seen to do."""
FOLLOWED = 3
"""How often within a round a repair may need another one (a restored function its import)."""

REPAIRS: Mapping[str, tuple[Repair, ...]] = {
    "undefined-name": (restore_name.propose,),
    "unknown-import": (restore_name.propose, restore_file.propose),
    "unknown-export": (restore_name.propose,),
    "unknown-attribute": (rename.propose, restore_name.propose, restore_member.propose),
    "unknown-keyword": (
        restore_member.propose,
        adapt_call.renamed,
        restore_function.propose,
        adapt_call.left_out,
    ),
    "missing-argument": (missing_argument.propose, restore_function.propose),
    "unknown-argument": (restore_option.restored, restore_option.followed),
    DROPPED: (lost_keyword.propose,),
}


@dataclass(frozen=True, slots=True)
class Repaired:
    """What repairs came to.

    :param changes: path -> new bytes.
    :param done: the repairs that hold.
    :param left: the faults that are left, those that a repair uncovered among them.
    """

    changes: Mapping[str, bytes] = field(default_factory=dict)
    done: tuple[Done, ...] = ()
    left: tuple[Fault, ...] = ()


def repair(
    bench: Bench,
    faults: Sequence[Fault],
    lessons: tuple[FileLesson, ...],
    may_change: Callable[[str], bool],
) -> Repaired:
    """Repair what can be repaired for certain.

    :param faults: the merge's own faults.
    :param may_change: whether policy lets a path be edited.
    """
    shop = _Shop(bench, tuple(faults), lessons, may_change)
    for _ in range(ROUNDS):
        if not shop.round():
            break
    shop.finish()
    changes = {p: t.encode("utf-8", "surrogateescape") for p, t in sorted(shop.texts.items())}
    return Repaired(changes, tuple(shop.done), shop.faults)


class _Shop:
    """The state between rounds."""

    def __init__(
        self,
        bench: Bench,
        faults: tuple[Fault, ...],
        lessons: tuple[FileLesson, ...],
        may_change: Callable[[str], bool],
    ) -> None:
        self._start, self._bench, self.faults = bench, bench, faults
        self._lessons, self._may_change = lessons, may_change
        self._refused: set[tuple[str, ...]] = set()
        self.texts: dict[str, str] = {}
        self.done: list[Done] = []

    def round(self) -> bool:
        """One round; whether it changed anything."""
        proposed, followed = self._propose(), 0
        while proposed:
            texts = {**self.texts, **_last_texts(proposed)}
            tree, left = self._audit(texts, [d.proposal.path for d in proposed])
            more = self._follow_up(proposed, left) if followed < FOLLOWED else []
            if len(more) > len(proposed):
                proposed, followed = more, followed + 1
                continue
            bad = self._bad(proposed, left)
            if not bad:
                answered = {d.fault.key for d in proposed if d.fault.rule == DROPPED}
                self.texts = texts
                self.faults = tuple(f for f in left if f.key not in answered)
                self._bench = replace(self._start, merged=tree, texts={})
                self.done += proposed
                return True
            self._refused |= {_edit(d.fault, d.proposal) for d in bad}
            proposed = self._replay(d for d in proposed if d not in bad)
        return False

    def finish(self) -> None:
        """Look again at the faults that no repair was about: some may have gone with another
        one."""
        kept = {f.path for f in self.faults if f.rule not in JUDGED and f.path.endswith(".py")}
        if not self.texts or not kept:
            return
        parents = (self._start.target, self._start.source)
        lost_class.tell(self._bench.merged, parents)
        still = {fault.key for fault in new_faults(self._bench.merged, parents, kept, JUDGES_NOT)}
        self.faults = tuple(
            f
            for f in self.faults
            if f.rule not in WHOLE_TREE or f.path not in kept or f.key in still
        )

    def _propose(self) -> list[Done]:
        """An answer to every fault that has one; texts of one file build on each other."""
        return self._replay([Done(fault, Proposal("", "", "")) for fault in self.faults])

    def _follow_up(self, proposed: Sequence[Done], left: Sequence[Fault]) -> list[Done]:
        """The repairs, and the answers to what they uncover: a keyword may need a field that is
        lost too."""
        known = {f.key for f in self.faults} | {d.fault.key for d in proposed}
        uncovered = [Done(f, Proposal("", "", "")) for f in left if f.key not in known]
        return self._replay([*proposed, *uncovered]) if uncovered else []

    def _replay(self, wanted: Iterable[Done]) -> list[Done]:
        bench = replace(self._bench, texts={})
        proposed: list[Done] = []
        for item in wanted:
            answer = self._answer(bench, item.fault)
            if answer is not None:
                bench.texts[answer.path] = answer.text
                proposed.append(Done(item.fault, answer))
        return proposed

    def _answer(self, bench: Bench, fault: Fault) -> Proposal | None:
        for one in _answers(bench, fault, self._lessons):
            if one is None or not self._may_change(one.path):
                continue
            if _edit(fault, one) not in self._refused:
                return one
        return None

    def _audit(
        self, texts: Mapping[str, str], fresh: Iterable[str]
    ) -> tuple[Resolver, list[Fault]]:
        """The tree with new texts, and the faults of every file that these can concern."""
        start = self._start.merged.index
        changes = {p: t.encode("utf-8", "surrogateescape") for p, t in texts.items()}
        tree = Resolver(TreeIndex(Overlay(start.view, changes), start.cache))
        parents = (self._start.target, self._start.source)
        undefined_name.tell(tree, parents)
        paths = set(fresh) | {fault.path for fault in self.faults}
        for path in set(fresh):
            paths |= start.importers.get(path, frozenset())
        left = new_faults(tree, parents, paths, AUDITED)
        return tree, left + [f for f in self.faults if f.rule not in JUDGED]

    def _bad(self, proposed: Sequence[Done], left: Sequence[Fault]) -> list[Done]:
        """The repairs that did not help; where harm was done, the last one in the file that it came
        from."""
        before, after = {f.key for f in self.faults}, {f.key for f in left}
        bad = [d for d in proposed if d.fault.rule != DROPPED and d.fault.key in after]
        last = {d.proposal.path: d for d in proposed}
        for fault in left:
            if fault.key not in before:
                about = (fault.path, fault.subject.path if fault.subject else "")
                guilty = [last[path] for path in about if path in last] or list(last.values())
                bad += [one for one in guilty if one not in bad]
        return bad


def _answers(
    bench: Bench, fault: Fault, lessons: tuple[FileLesson, ...]
) -> Iterator[Proposal | None]:
    """The repairs of a fault in order, each tried when it is asked for."""
    yield lesson.propose(bench, fault, lessons)
    for one in REPAIRS.get(fault.rule, ()):
        yield one(bench, fault)


def _edit(fault: Fault, proposal: Proposal) -> tuple[str, ...]:
    """What makes it the same edit: it is not tried twice."""
    if proposal.edit:
        return (proposal.path, proposal.edit)
    return (*fault.key, proposal.what)


def _last_texts(proposed: Iterable[Done]) -> dict[str, str]:
    return {d.proposal.path: d.proposal.text for d in proposed}
