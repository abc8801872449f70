"""Sync as a mode: collect, decide, report, bound to one run's ports, policy and candidate."""

from __future__ import annotations

from nightshift.effects.values import ClosePullRequest
from nightshift.policy.sync import SyncPolicy
from nightshift.report import sync as wording
from nightshift.report.ledger import SyncView
from nightshift.step import Ending, Mode, Report
from nightshift.sync import view
from nightshift.sync.candidate import Candidate
from nightshift.sync.collect import Collector, SyncPorts, branch_name
from nightshift.sync.describe import candidate_data
from nightshift.sync.facts import SyncFacts, SyncRequest
from nightshift.sync.phases import decide


def sync_mode(
    ports: SyncPorts, policy: SyncPolicy, request: SyncRequest, candidate: Candidate
) -> Mode[SyncFacts]:
    """Sync from a candidate up to a pull request that is ready.

    :param policy: with the source and target that the run is about.
    :param candidate: what `prepare` made; it is pushed only where no open sync is gone on with.
    """
    return Mode(
        "sync",
        Collector(ports, policy, request, candidate),
        lambda facts, now: decide(facts, policy, request, now),
        lambda facts, ending: report(facts or SyncFacts(candidate), policy, request, ending),
        patient=True,
    )


def report(facts: SyncFacts, policy: SyncPolicy, request: SyncRequest, ending: Ending) -> Report:
    """The run in words and as data."""
    current, branch = facts.current, facts.branch
    known = branch.name if branch else branch_name(policy, request)
    shown = SyncView(
        merge=view.merge_of(facts),
        pull=view.pull(current) if current else None,
        checks=view.checks(facts.ci) if facts.ci else None,
        branch=current.pull.head_ref if current else known,
        superseded=tuple(
            item.effect.number
            for item in ending.applied
            if isinstance(item.effect, ClosePullRequest)
        ),
    )
    return wording.report(shown, ending, candidate_data(facts.candidate))
