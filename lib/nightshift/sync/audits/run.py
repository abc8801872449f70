"""The audit of a merged tree, whole: faults, losses, repairs, dispositions (sync.md, phase 1,
points 8 and 10).

Pure: trees, history and a type checker come in as ports, changes and findings go out. The same
trees give the same answer. Orchestration only; each rule and each repair is a file of its own.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from nightshift.errors import HostError
from nightshift.policy.model import Side
from nightshift.policy.sync import SyncPolicy
from nightshift.ports import TreeView
from nightshift.sync.audits import dropped_keyword, files_named, lost_class, report, undefined_name
from nightshift.sync.audits.compare import new_faults
from nightshift.sync.audits.fault import Fault
from nightshift.sync.audits.index.facts import Facts
from nightshift.sync.audits.index.resolve import Resolver
from nightshift.sync.audits.index.tree import FactsCache, Overlay, TreeIndex
from nightshift.sync.audits.preservation.atoms import Atom, Kind
from nightshift.sync.audits.preservation.compare import AtomsCache, Loss, Merge, find_losses
from nightshift.sync.audits.preservation.intent import removed_by
from nightshift.sync.audits.preservation.losses import FileAtoms
from nightshift.sync.audits.rules import RULES, Rule
from nightshift.sync.audits.types import Checking
from nightshift.sync.audits.values import AuditResult, History, NoHistory, Trees, TypeChecker
from nightshift.sync.findings import Disposition, Finding
from nightshift.sync.paths import GUARDED, PathPolicy
from nightshift.sync.paths import Rule as PathRule
from nightshift.sync.repairs.engine import Repaired, repair
from nightshift.sync.repairs.proposal import Bench
from nightshift.sync.sides import other
from nightshift.sync.stopwatch import Stopwatch

Monotonic = Callable[[], float]
SOURCES_OWN = frozenset({PathRule.ALWAYS_SOURCE, PathRule.WHOLE_SOURCE})
TARGETS_OWN = GUARDED | {PathRule.WHOLE_TARGET, PathRule.APPEND}


def audit(
    trees: Trees,
    policy: SyncPolicy,
    *,
    monotonic: Monotonic,
    history: History | None = None,
    check: TypeChecker | None = None,
    cache: FactsCache | None = None,
) -> AuditResult:
    """Find what the merge broke or lost, mend what can be mended for certain, and say what became
    of each.

    :param history: evidence for what was meant; without it every loss stays open.
    :param check: a type checker; without it only our own rules look.
    :param cache: what is known of files already.
    """
    watch = Stopwatch(monotonic)
    with _no_collection(), ThreadPoolExecutor(1) as pool:
        one = _Audit(
            trees,
            policy,
            _bench(trees, policy, cache or FactsCache()),
            history=history or NoHistory(),
            checking=Checking(check, pool),
            watch=watch,
        )
        return replace(one.run(), seconds=dict(watch.seconds))


def _bench(trees: Trees, policy: SyncPolicy, cache: FactsCache) -> Bench:
    views = (trees.merged, trees.target, trees.source, trees.base)
    merged, target, source, base = (Resolver(TreeIndex(view, cache)) for view in views)
    return Bench(merged, target, source, base, given=partial(_given, PathPolicy(policy.paths)))


@contextmanager
def _no_collection() -> Iterator[None]:
    """Syntax trees are made and dropped by the thousand and hold no circles: looking for garbage
    among them takes half of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _given(paths: PathPolicy, path: str) -> Side | None:
    """The side that policy gives a path to."""
    rule = paths.rule(path)
    if rule in SOURCES_OWN:
        return Side.SOURCE
    lesson = any(one.path == path and one.take == "target" for one in paths.lessons)
    return Side.TARGET if lesson or rule in TARGETS_OWN else None


class _Audit:
    """One audit."""

    def __init__(
        self,
        trees: Trees,
        policy: SyncPolicy,
        bench: Bench,
        *,
        history: History,
        checking: Checking,
        watch: Stopwatch,
    ) -> None:
        self._trees, self._bench = trees, bench
        self._history, self._checking, self._step = history, checking, watch.step
        self._paths = PathPolicy(policy.paths)
        self._atoms = AtomsCache()
        self._unchecked = ""

    def run(self) -> AuditResult:
        """Everything, in order."""
        self._checking.start(self._trees.target, self._trees.source)
        with self._step("read"):
            list(self._bench.merged.index.all_facts())
        faults = self._faults()
        with self._step("losses"):
            losses = self._losses(self._trees.merged)
        dropped = {atom: f for _, atom, f in dropped_keyword.find(self._bench.merged, losses)}
        before = [*faults, *dropped.values()]
        with self._step("repairs"):
            done = repair(self._bench, before, self._paths.lessons, self._may_change)
        self._checking.merged(self._repaired(done))
        with self._step("losses"):
            after = self._losses(self._repaired(done)) if done.changes else losses
        done = self._without_answered(done, after)
        told = [*before, *done.left, *(item.fault for item in done.done)]
        losses, after = (_untold(found, dropped, told) for found in (losses, after))
        findings = [*self._kept(losses, after), *self._told(before, done)]
        findings.sort(key=lambda f: (f.path, f.line, f.rule, f.message))
        return AuditResult(done.changes, tuple(findings), unchecked=self._unchecked)

    def _faults(self) -> list[Fault]:
        """The merge's own faults, by our rules, in Python and in other texts."""
        bench = self._bench
        parents = (bench.target, bench.source)
        with self._step("lost-class"):
            lost_class.tell(bench.merged, parents)
        undefined_name.tell(bench.merged, parents)
        faults = new_faults(bench.merged, parents, bench.merged.index.python, self._timed())
        with self._step("other files"):
            own = {
                f.key: f
                for p in files_named.candidates(bench.merged)
                for f in files_named.check(bench.merged, p)
            }
            paths = {path for path, _, _ in own}
            for parent in parents:
                for path in paths:
                    for fault in files_named.check(parent, path):
                        own.pop(fault.key, None)
        return [*faults, *own.values()]

    def _timed(self) -> Mapping[str, Rule]:
        """The rules, each with its time taken."""

        def timed(name: str, rule: Rule) -> Rule:
            def run(tree: Resolver, path: str, facts: Facts) -> Iterator[Fault]:
                with self._step(name):
                    found = list(rule(tree, path, facts))
                return iter(found)

            return run

        return {name: timed(name, rule) for name, rule in RULES.items()}

    def _losses(self, merged: object) -> list[Loss]:
        trees = self._trees
        merge = Merge(trees.base, trees.target, trees.source, trees.merged)
        if merged is not trees.merged:
            merge = replace(merge, merged=merged)  # type: ignore[arg-type]
        found: list[Loss] = []
        for side in (Side.TARGET, Side.SOURCE):
            found += find_losses(merge, side, self._atoms, partial(self._is_given_away, side))
        return found

    def _is_given_away(self, side: Side, path: str) -> bool:
        """Whether policy gives a path to the other side."""
        return self._bench.given(path) is other(side)

    def _may_change(self, path: str) -> bool:
        return not self._paths.guarded(path)

    def _without_answered(self, done: Repaired, after: Sequence[Loss]) -> Repaired:
        """Dropped keywords that are back, or that what is called takes no longer, are not left."""
        tree = Resolver(TreeIndex(self._repaired(done), self._bench.merged.index.cache))
        still = {fault.key for _, _, fault in dropped_keyword.find(tree, after)}
        left = (f for f in done.left if f.rule != dropped_keyword.RULE or f.key in still)
        return replace(done, left=tuple(left))

    def _repaired(self, done: Repaired) -> TreeView:
        return Overlay(self._trees.merged, done.changes) if done.changes else self._trees.merged

    def _told(self, faults: Sequence[Fault], done: Repaired) -> Iterator[Finding]:
        """Findings of faults: mended ones, open ones, and what the type checker adds."""
        yield from report.repaired(done.done)
        yield from report.mended(faults, done.done, done.left)
        cache = self._bench.merged.index.cache
        bench = replace(self._bench, merged=Resolver(TreeIndex(self._repaired(done), cache)))
        yield from report.open_faults(bench, done.left)
        yield from report.open_faults(bench, self._complaints(done.left))

    def _complaints(self, known: Sequence[Fault]) -> list[Fault]:
        """What the type checker adds, once it is waited for; one that fails ends no audit."""
        try:
            with self._step("type checker"):
                return self._checking.own(known)
        except HostError as error:
            self._unchecked = error.what
            return []

    def _kept(self, losses: Sequence[Loss], after: Sequence[Loss]) -> Iterator[Finding]:
        """Findings of losses: restored by a repair, meant by the other side, or open."""
        still = {(lost.side, lost.path, atom) for lost in after for atom in lost.atoms}
        for lost in losses:
            back = [atom for atom in lost.atoms if (lost.side, lost.path, atom) not in still]
            if back:
                yield report.loss(lost.only(back), Disposition.RESTORED, ())
        with self._step("history"):
            meant = [finding for lost in after for finding in self._meant(lost)]
        yield from meant

    def _meant(self, lost: Loss) -> Iterator[Finding]:
        """A loss as far as the other side meant it, and as far as it did not."""
        theirs = other(lost.side)
        if lost.atom is None:
            commit = self._history.deletion(theirs, lost.path)
            disposition = Disposition.INTENDED if commit else Disposition.OPEN
            yield report.loss(lost, disposition, (commit,) if commit else ())
            return
        meant: dict[str, list[Atom]] = {}
        for atom in lost.atoms:
            commit = self._remover(theirs, lost.path, atom)
            meant.setdefault(commit, []).append(atom)
        for commit, atoms in meant.items():
            disposition = Disposition.INTENDED if commit else Disposition.OPEN
            yield report.loss(lost.only(atoms), disposition, (commit,) if commit else ())

    def _remover(self, theirs: Side, path: str, atom: Atom) -> str:
        past = self._history.past(theirs, path)
        trees = self._trees
        views = [trees.base, trees.target, trees.source]
        base, target, source = (self._atoms.of(v, v.entries(), path) or {} for v in views)
        own, now = (target, source) if theirs is Side.SOURCE else (source, target)
        return removed_by(path, atom, past, FileAtoms(own, base, now, {})) or ""


SMALL = frozenset({Kind.CALL, Kind.KEYWORD, Kind.LINE})


def _untold(
    losses: Sequence[Loss], dropped: Collection[Atom], faults: Sequence[Fault]
) -> list[Loss]:
    """The losses that no fault tells of already: what is lost in a body in which a fault stands is
    its story."""
    places = {(fault.path, fault.scope) for fault in faults}
    found: list[Loss] = []
    for loss in losses:
        atoms = loss.atoms
        told = [a for a in atoms if a.kind in SMALL and a.scope and (loss.path, a.scope) in places]
        found += loss.without([*told, *(atom for atom in atoms if atom in dropped)])
    return found
