"""Reads the checks of the head, and what stands behind those that failed: logs, trees, the
target's CI.

Reads no log before the gate says that something failed. What it keeps between rounds cannot change:
what a finished job's log tells, what a commit's tree breaks, how merged pull requests ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from nightshift.policy.sync import SyncPolicy
from nightshift.ports import Formatter, Git, PullReader, TreeView
from nightshift.sync import invariants
from nightshift.sync.audits.index.tree import FactsCache
from nightshift.sync.checks import CheckKey, Normal, newest
from nightshift.sync.diagnose import diagnose, first_causes, signature, transient
from nightshift.sync.facts import Ci, FailedCheck, OurPull
from nightshift.sync.findings import Finding
from nightshift.sync.fixes.cause import Failure, Overlay, Trees
from nightshift.sync.gate import State, Verdict, doubt, judge
from nightshift.sync.marker import Marker
from nightshift.sync.paths import PathPolicy
from nightshift.sync.preexisting import Evidence, Past
from nightshift.sync.preexisting import judge as judge_past
from nightshift.sync.repair import Repair, plan
from nightshift.sync.trigger import by_us
from nightshift.values import Check, CheckKind, Comment, PullRequest, Rollup

NEVER_RAN = frozenset({"CANCELLED", "STALE"})
"""Conclusions of a job that somebody or something ended before it could say anything."""

CLOSED_LOOKED_AT = 10
"""So many closed pull requests are read for each merged one that is wanted: GitHub gives them by
when they were last touched, and those that landed last are wanted."""

NO_TIME = datetime.min.replace(tzinfo=UTC)


class CiReader:
    """The CI of one sync."""

    def __init__(
        self, github: PullReader, git: Git, policy: SyncPolicy, formatter: Formatter
    ) -> None:
        self._github, self._git = github, git
        self._policy, self._formatter = policy, formatter
        self._paths = PathPolicy(policy.paths)
        self._logs: dict[int, tuple[Failure, ...]] = {}
        self._repairs: dict[tuple[str, tuple[Failure, ...]], Repair] = {}
        self._broken: dict[str, tuple[Finding, ...]] = {}
        self._facts = FactsCache()
        self._merged: list[PullRequest] | None = None
        self._past: dict[int, dict[CheckKey, Normal]] = {}

    def read(self, pull: OurPull, asked: tuple[Comment, ...], rollup: Rollup) -> Ci:
        """What the checks of a pull request's head amount to.

        :param asked: the comments that asked for CI on it.
        """
        retried_at = _retried_at(pull, asked)
        since = asked[0].created_at if asked else None
        verdict = judge(rollup, pull.head, self._policy.ci, retried_at=retried_at)
        if verdict.state is State.FAILED and not verdict.needs_maintainer:
            failed = tuple(self._look_into(verdict))
            repair = self._repair(pull, failed)
            evidence = () if repair.may_push else tuple(self._evidence(failed))
            accepted = [item.key for item in evidence]
            verdict = judge(rollup, pull.head, self._policy.ci, accepted, retried_at)
            ci = Ci(verdict, failed, evidence, repair, since)
        else:
            ci = Ci(verdict, since=since)
        if verdict.state is not State.GREEN:
            return ci
        doubted = self._doubted(pull.head, verdict)
        if doubted:
            return replace(ci, verdict=doubt(verdict, doubted))
        return replace(ci, broken=self._invariants(pull))

    def _doubted(self, sha: str, verdict: Verdict) -> tuple[str, ...]:
        """The sentinels of which REST says something else than the rollup."""
        return tuple(
            item.name
            for item in (*verdict.passed, *verdict.accepted)
            if item.name in self._policy.ci.sentinels and item.check.kind is CheckKind.RUN
            if not confirms(item, self._github.check_runs(sha, item.name))
        )

    def _look_into(self, verdict: Verdict) -> Iterator[FailedCheck]:
        """The failed checks; of those that collect others only if nothing else failed."""
        sentinels = self._policy.ci.sentinels
        jobs = [item for item in verdict.failed if item.name not in sentinels]
        for item in jobs:
            failures = self._failures(item)
            ended = item.conclusion in NEVER_RAN and not item.external
            yield FailedCheck(item, failures, transient(failures) or (ended and not failures))
        if not jobs:
            yield from (FailedCheck(item, gate=True) for item in verdict.failed)

    def _failures(self, item: Normal) -> tuple[Failure, ...]:
        job = item.check.job_id
        if job is None:
            return ()
        if job not in self._logs:
            self._logs[job] = diagnose(self._github.job_log(job))
        return self._logs[job]

    def _repair(self, pull: OurPull, failed: tuple[FailedCheck, ...]) -> Repair:
        """What mends the first causes of all failed checks, held against the invariants."""
        causes = [
            failure
            for check in failed
            if not check.transient
            for failure in first_causes(check.failures)
        ]
        key = (pull.head, tuple(dict.fromkeys(causes)))
        if key not in self._repairs:
            trees = self._trees(pull)
            repair = plan(key[1], trees, self._formatter)
            if repair.changes:
                data = {change.path: change.data for change in repair.changes}
                mended = replace(trees, merged=Overlay(trees.merged, data))
                repair = replace(repair, broken=self._check(mended))
            self._repairs[key] = repair
        return self._repairs[key]

    def _evidence(self, failed: tuple[FailedCheck, ...]) -> Iterator[Evidence]:
        for check in failed:
            if check.transient:
                continue
            found = judge_past(check.item, signature(check.failures), self._history(check.item.key))
            if found is not None:
                yield found

    def _history(self, key: CheckKey) -> Iterator[Past]:
        """How a check ended on the last merged pull requests, newest first, read when asked for."""
        for pull in self._merged_pulls():
            if pull.number not in self._past:
                items = newest(self._github.rollup(pull.head_sha).checks)
                self._past[pull.number] = {item.key: item for item in items}
            item = self._past[pull.number].get(key)
            told = (
                signature(self._failures(item)) if item and item.conclusion == "FAILURE" else None
            )
            yield Past(pull.number, pull.url, item, told or frozenset())

    def _merged_pulls(self) -> list[PullRequest]:
        if self._merged is None:
            wanted = self._policy.ci.pre_existing_look_back
            limit = wanted * CLOSED_LOOKED_AT
            closed = (
                self._github.pull_requests(base=self._policy.target, state="closed", limit=limit)
                if wanted
                else ()
            )
            merged = [pull for pull in closed if pull.merged]
            merged.sort(key=lambda pull: (pull.merged_at or NO_TIME, pull.number), reverse=True)
            self._merged = merged[:wanted]
        return self._merged

    def _invariants(self, pull: OurPull) -> tuple[Finding, ...]:
        if pull.head not in self._broken:
            self._broken[pull.head] = self._check(self._trees(pull))
        return self._broken[pull.head]

    def _trees(self, pull: OurPull) -> Trees:
        return Trees(
            self._git.tree(pull.head),
            self._git.tree(pull.marker.target_sha),
            self._git.tree(pull.marker.source_sha),
            stubs=self._policy.lint.missing_docstring == "stub",
            base=self._base(pull.marker),
            guarded=self._paths.guarded,
            cache=self._facts,
        )

    def _base(self, mark: Marker) -> TreeView | None:
        """The tree from which the sides parted; None where they parted more than once."""
        bases = self._git.merge_bases(mark.target_sha, mark.source_sha)
        return self._git.tree(bases[0]) if len(bases) == 1 else None

    def _check(self, trees: Trees) -> tuple[Finding, ...]:
        sources = self._policy.sources
        return invariants.check(
            self._paths,
            self._policy.invariants,
            merged=trees.merged,
            target=trees.target,
            source=trees.source,
            allowed=(sources.file, sources.lock) if sources else (),
        )


def confirms(item: Normal, runs: Sequence[Check]) -> bool:
    """Whether the check runs of one name, by REST, end as the rollup says."""
    return {one.conclusion for one in newest(runs)} == {item.conclusion}


def _retried_at(pull: OurPull, asked: tuple[Comment, ...]) -> datetime | None:
    """When we asked for CI a second time on the same commit: what failed before is not its
    answer."""
    ours = [comment for comment in asked if by_us(comment, pull.pull)]
    return ours[-1].created_at if len(ours) > 1 else None
