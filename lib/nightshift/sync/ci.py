"""Reads the checks of the head, and what stands behind those that failed: their logs, the target's
CI. What mends them is `mending`'s to find.

Reads no log before the gate says that something failed. What it keeps between rounds cannot change:
what a finished job's log tells, how merged pull requests ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from nightshift.policy.sync import SyncPolicy
from nightshift.ports import PullReader
from nightshift.sync.checks import CheckKey, Normal, newest
from nightshift.sync.diagnose import diagnose, signature, transient
from nightshift.sync.facts import Ci, FailedCheck, OurPull
from nightshift.sync.fixes.cause import Failure
from nightshift.sync.gate import DOUBTED, MOVED, State, Verdict, doubt, judge
from nightshift.sync.mending import Mender
from nightshift.sync.preexisting import Evidence, Past
from nightshift.sync.preexisting import judge as judge_past
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

    def __init__(self, github: PullReader, policy: SyncPolicy, mender: Mender) -> None:
        self._github, self._policy, self._mender = github, policy, mender
        self._logs: dict[int, tuple[Failure, ...]] = {}
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
            repair = self._mender.by_rules(pull, failed)
            evidence = () if repair.may_push else tuple(self._evidence(failed))
            accepted = [item.key for item in evidence]
            verdict = judge(rollup, pull.head, self._policy.ci, accepted, retried_at)
            if not repair.changes:
                left = [check for check in failed if check.item in verdict.failed]
                repair = self._mender.by_command(pull, left) or repair
            ci = Ci(verdict, failed, evidence, repair, since)
        else:
            ci = Ci(verdict, since=since)
        if verdict.state is not State.GREEN:
            return ci
        why = self._doubted(pull, verdict)
        if why:
            return replace(ci, verdict=doubt(verdict, why))
        return replace(ci, broken=self._mender.broken(pull))

    def _doubted(self, pull: OurPull, verdict: Verdict) -> str:
        """What speaks against a green verdict: git knows another head, or REST another end of a
        sentinel."""
        if not self._mender.is_head(pull):
            return MOVED
        names = [
            item.name
            for item in (*verdict.passed, *verdict.accepted)
            if item.name in self._policy.ci.sentinels and item.check.kind is CheckKind.RUN
            if not confirms(item, self._github.check_runs(pull.head, item.name))
        ]
        return DOUBTED.format(names=", ".join(sorted(names))) if names else ""

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


def confirms(item: Normal, runs: Sequence[Check]) -> bool:
    """Whether the check runs of one name, by REST, end as the rollup says."""
    return {one.conclusion for one in newest(runs)} == {item.conclusion}


def _retried_at(pull: OurPull, asked: tuple[Comment, ...]) -> datetime | None:
    """When we asked for CI a second time on the same commit: what failed before is not its
    answer."""
    ours = [comment for comment in asked if by_us(comment, pull.pull)]
    return ours[-1].created_at if len(ours) > 1 else None
