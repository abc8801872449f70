"""Makes the candidate: merge, decide each conflict, bring back, format, check, commit.
Orchestration only.

Git and the formatters come in as ports, the time as a value: the same two commits under the same
policy give the same merge commit, whenever and wherever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum

from nightshift.errors import UserError
from nightshift.merge.resolution import Confidence, Resolution
from nightshift.policy.model import Severity, Side
from nightshift.policy.sync import SyncPolicy
from nightshift.policy.texts import filled
from nightshift.ports import Git, Linter, Style, StyleOf
from nightshift.sync import (
    auditing,
    by_policy,
    by_text,
    by_tree,
    circles,
    deleted,
    formatting,
    invariants,
    lessons,
    lint,
    notable,
    reconcile,
    squash,
)
from nightshift.sync.audits.index.tree import FactsCache
from nightshift.sync.audits.values import TypeChecker
from nightshift.sync.candidate import Candidate, Restored, Stats
from nightshift.sync.draft import Decision, Draft
from nightshift.sync.findings import Finding
from nightshift.sync.paths import PathPolicy
from nightshift.sync.sides import Sides, Tree, sides
from nightshift.sync.stopwatch import Stopwatch
from nightshift.values import Identity

SAME = "source and target are the same."
MEND_SAME = "Name two branches."
OPEN_FINDINGS = "open-findings"
STILL_OPEN = "{count} finding(s) are open, and policy says that none may be."

# What the procedure asks for and this version does not do. Each is named in the report.
AUDITS = "The audits were left out, as asked."
TYPES = "The type checker was not run: {why}"
NO_CHECKER = "none is installed."
LINT = "pylint was not run on the paths that policy names: {why}"
NO_LINTER = "this run has none."
STOPPED_EARLY = "Formatting was left out, as asked."


class Until(IntEnum):
    """How far to go: the steps build on each other."""

    MERGE = 1
    AUDIT = 2
    FORMAT = 3


@dataclass(frozen=True, slots=True)
class Tools:
    """What `prepare` needs besides git.

    :param style_of: makes a repository's style from its configuration.
    :param monotonic: seconds that never go back, for the report.
    :param check: a type checker for the audit; None where there is none.
    :param linter: runs pylint; None where there is none.
    :param sources: looks into git sources, and regenerates their lock.
    """

    style_of: StyleOf
    monotonic: Callable[[], float]
    check: TypeChecker | None = None
    linter: Linter | None = None
    sources: reconcile.SourceTools = reconcile.SourceTools()


@dataclass(slots=True)
class _Ledger:
    """What has been decided and found so far."""

    decided: set[str] = field(default_factory=set)
    resolutions: list[Resolution] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    restored: list[Restored] = field(default_factory=list)
    formatted: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    not_done: list[str] = field(default_factory=list)

    def forget(self, paths: Iterable[str]) -> None:
        """Take back what was decided on some paths."""
        gone = frozenset(paths)
        self.resolutions = [item for item in self.resolutions if item.path not in gone]

    def note(self, decisions: Iterable[Decision]) -> None:
        """Take down decisions that are laid over the draft."""
        for decision in decisions:
            self.decided.add(decision.path)
            self.resolutions += decision.resolutions
            self.findings += decision.findings


def merge_date(git: Git, target: str, source: str) -> datetime:
    """The date of the merge of two tips: that of the later one, so that making it again, after a
    run that was killed or elsewhere, gives the same commit.

    :raises UserError: a name that does not exist.
    """
    return max(git.commit(git.resolve(name)).committed_at for name in (target, source))


def prepare(
    git: Git,
    policy: SyncPolicy,
    target: str,
    source: str,
    *,
    at: datetime,
    tools: Tools,
    until: Until = Until.FORMAT,
) -> Candidate | None:
    """Merge a source into a target, in the object database.

    :param target, source: branch, tag or commit.
    :param at: the merge commit's date.
    :returns: the candidate; None where the target holds all of the source already.
    :raises UserError: a name that does not exist, two that are the same, histories that never met.
    """
    if target == source:
        raise UserError(SAME, where=target, mend=MEND_SAME)
    watch = Stopwatch(tools.monotonic)
    ends = git.resolve(target), git.resolve(source)
    if git.is_ancestor(ends[1], ends[0]):
        return None
    with watch.step("git"):
        both = sides(git, policy.wins, *ends)
    work = _Work(both, policy, tools, watch)
    work.merge()
    if until >= Until.AUDIT:
        work.audit()
        work.reconcile()
    if until >= Until.FORMAT:
        work.format()
        work.lint()
    return work.candidate((target, source), at, until)


class _Work:
    """One candidate in the making."""

    def __init__(self, both: Sides, policy: SyncPolicy, tools: Tools, watch: Stopwatch) -> None:
        self._sides, self._policy, self._tools, self._watch = both, policy, tools, watch
        self._paths = PathPolicy(policy.paths)
        self._draft = Draft(both.git, both.merge.tree, both.merged_tree)
        self._ledger = _Ledger()
        self._facts = FactsCache()
        self._audited: tuple[Sequence[Finding], Tree] = ((), {})

    def merge(self) -> None:
        """Decide every path in question."""
        with self._watch.step("policy"):
            self._lay(by_policy.decide(self._sides, self._paths))
        with self._watch.step("tree"):
            outcome = by_tree.decide(self._sides, frozenset(self._ledger.decided))
            self._lay(outcome.decisions)
        with self._watch.step("text"):
            style = formatting.formatter(self._target_style()) if outcome.texts else None
            self._lay(list(by_text.decide(self._sides, outcome.texts, style)))
            second = list(by_text.again(self._sides, outcome.texts, self._draft, style))
            self._ledger.forget(decision.path for decision in second)
            self._lay(second)
        with self._watch.step("lessons"):
            self._lay(list(lessons.decide(self._sides, self._paths, self._draft)))
        with self._watch.step("deleted"):
            back = deleted.restore(self._sides, self._paths, self._draft)
            self._ledger.note(item.decision for item in back)
            self._ledger.restored += [item.restored for item in back]
        self._ledger.findings += squash.landed_by_squash(self._sides, self._policy)

    def audit(self) -> None:
        """Find what the merge broke or lost, and mend what can be mended for certain."""
        check = self._tools.check
        auditors = auditing.Auditors(self._tools.monotonic, check, self._facts)
        with self._watch.step("audit"):
            done = auditing.run(self._sides, self._policy, self._draft, auditors)
        self._watch.add("audit", done.seconds)
        self._audited = (done.findings, dict(self._draft.entries()))
        why = done.unchecked if check else NO_CHECKER
        self._ledger.not_done += [TYPES.format(why=why)] if why else []

    def reconcile(self) -> None:
        """Bring the git sources that the target lacks, and have their lock made anew."""
        rules = self._policy.sources
        if rules is None:
            return
        with self._watch.step("sources"):
            tools = self._tools.sources
            done = reconcile.run(self._sides, self._draft, rules, tools, self._facts)
        self._ledger.findings += done.findings
        self._ledger.allowed = done.paths

    def format(self) -> None:
        """Bring the files that policy names into the repository's style."""
        with self._watch.step("format"):
            style = self._style()
            if style is None:
                return
            self._draft.write()
            before = dict(self._draft.entries())
            done = formatting.run(self._sides, self._paths, self._draft, self._policy.format, style)
            self._ledger.findings += done.findings
        with self._watch.step("circles"):
            self._undo_circles(before, done.paths)
            self._draft.write()
        now = self._draft.entries()
        self._ledger.formatted = tuple(p for p in done.paths if now[p] != before.get(p))

    def lint(self) -> None:
        """Mend what pylint says on the paths that policy names, where that is certain."""
        rules, linter = self._policy.lint, self._tools.linter
        if not rules.paths or rules.severity is Severity.OFF:
            return
        if linter is None:
            self._ledger.not_done.append(LINT.format(why=NO_LINTER))
            return
        with self._watch.step("lint"):
            self._draft.write()
            before = dict(self._draft.entries())
            tools = lint.LintTools(linter, self._style())
            done = lint.run(self._sides, self._paths, self._draft, rules, tools)
            self._ledger.findings += done.findings
            self._ledger.not_done += [LINT.format(why=done.problem)] if done.problem else []
            self._undo_circles(before, done.paths)

    def _undo_circles(self, before: Tree, formatted: Sequence[str]) -> None:
        """Where sorting made imports fail, put the old order back."""
        rules, git = self._policy.format, self._sides.git
        others = tuple(tool for tool in rules.tools if tool != circles.SORTER)
        if others == rules.tools:
            return
        unsorted = self._tools.style_of(self._draft.read(rules.config), (), others)
        self._ledger.findings += circles.undo(
            git, before, self._draft, formatted, unsorted=unsorted, cache=self._facts
        )

    def candidate(self, names: tuple[str, str], at: datetime, until: Until) -> Candidate:
        """Write the tree, check it, commit it, say what was done."""
        both, git = self._sides, self._sides.git
        with self._watch.step("write"):
            tree = self._draft.write()
            now = git.tree(tree).entries()
            self._ledger.findings += auditing.followed(git, *self._audited, now)
        with self._watch.step("invariants"):
            self._check(tree)
        with self._watch.step("commit"):
            commit = self._commit(tree, names, at)
            stats = self._stats(commit)
        merged = git.tree(tree).entries()
        asked = self._ledger.decided | {item.path for item in both.merge.conflicts}
        return Candidate(
            target_ref=names[0],
            source_ref=names[1],
            target=both.target,
            source=both.source,
            merge_bases=both.bases,
            commit=commit,
            tree=tree,
            conflicts=tuple(item.path for item in both.merge.conflicts),
            resolutions=_least_sure_first(self._ledger.resolutions),
            findings=tuple(self._ledger.findings),
            taken_from_source=notable.wholly(asked, merged, both, Side.SOURCE),
            kept_from_target=notable.wholly(asked, merged, both, Side.TARGET),
            restored=tuple(self._ledger.restored),
            formatted=self._ledger.formatted,
            notable=notable.changes(both.target_tree, merged),
            stats=stats,
            seconds=dict(self._watch.seconds),
            steps_not_done=self._not_done(until),
            git_messages=notable.git_words(both, names),
        )

    def _lay(self, decisions: Sequence[Decision]) -> None:
        self._draft.apply(decisions)
        self._ledger.note(decisions)

    def _target_style(self) -> Style | None:
        """The draft's own configuration may be in conflict still while texts are merged."""
        tree = self._sides.git.tree(self._sides.target)
        return formatting.style(tree, self._policy.format, self._tools.style_of)

    def _style(self) -> Style | None:
        return formatting.style(self._draft, self._policy.format, self._tools.style_of)

    def _check(self, tree: str) -> None:
        git, both, rules = self._sides.git, self._sides, self._policy.invariants
        self._ledger.findings += invariants.check(
            self._paths,
            rules,
            merged=git.tree(tree),
            target=git.tree(both.target),
            source=git.tree(both.source),
            allowed=self._ledger.allowed,
        )
        still_open = [item for item in self._ledger.findings if item.open]
        if still_open and rules.open_findings is Severity.ABORT:
            words = STILL_OPEN.format(count=len(still_open))
            self._ledger.findings.append(Finding(OPEN_FINDINGS, Severity.ABORT, "", words))

    def _commit(self, tree: str, names: tuple[str, str], at: datetime) -> str:
        rules, both = self._policy.commit, self._sides
        date = at.strftime(self._policy.date_format)
        message = filled(rules.message, target=names[0], source=names[1], date=date)
        who = Identity(rules.name, rules.email)
        parents = (both.target, both.source)
        return both.git.commit_tree(tree, parents, f"{message}\n", who, at)

    def _stats(self, commit: str) -> Stats:
        both = self._sides
        python = [n for n in both.git.numstat(both.target, commit) if n[2].endswith(".py")]
        return Stats(
            commits=len(both.git.commits([both.target], both.source)),
            python_lines_added=sum(added for added, _, _ in python),
            python_lines_deleted=sum(deleted_ for _, deleted_, _ in python),
            python_files=len(python),
        )

    def _not_done(self, until: Until) -> tuple[str, ...]:
        policy = self._policy
        asked = (
            (AUDITS, until < Until.AUDIT),
            (STOPPED_EARLY, until < Until.FORMAT and policy.format.scope != "off"),
        )
        return (*self._ledger.not_done, *(step for step, wanted in asked if wanted))


def _least_sure_first(resolutions: Iterable[Resolution]) -> tuple[Resolution, ...]:
    order = (Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)
    return tuple(
        sorted(resolutions, key=lambda r: (order.index(r.confidence), r.path, r.span or (0, 0)))
    )
