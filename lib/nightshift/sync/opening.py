"""The phases up to a pull request that stands: whether to begin, push, open, supersede, label.

Pure: each takes a round and gives a step, or None where there is nothing for it to do.
"""

from __future__ import annotations

from dataclasses import replace

from nightshift.effects.values import (
    AddLabels,
    ClosePullRequest,
    EditPullRequest,
    OpenPullRequest,
    PushCommit,
)
from nightshift.outcome import Outcome
from nightshift.report import pull_request as wording
from nightshift.step import Step
from nightshift.sync import marker as markers
from nightshift.sync import view
from nightshift.sync.candidate import Notable
from nightshift.sync.marker import Marker
from nightshift.sync.round import LAG_SECONDS, Round, end

HELD = "#{number} carries the label {label}: it is left alone"
LANDED = "#{number} was merged by a person"
CLOSED = "#{number} was closed by a person"
BRANCH_GONE = "the branch of #{number} was deleted"
REFUSED = (
    "#{number} had the very same commits and a person closed it; reopen it, or wait until a branch "
    "has moved on"
)
BLOCKED = "the merge breaks {count} invariant(s), nothing was pushed: {rules}"
TAKEN = "{branch} has commits of people and no sync pull request: open one, or delete the branch"
TAKEN_BY = (
    "#{number} stands on {branch} without the hidden line that says that it is a sync: close it, "
    "or name another branch"
)
PUSHED = "the sync branch is pushed"
PUSHED_FLOWS = (
    "the sync branch is pushed; it changes workflow files, for which the token needs "
    "`workflows: write` (an app) or the scope `workflow` (a person)"
)
OPENED = "the pull request is opened"
SUPERSEDED = "earlier syncs are closed"
LAGS = "GitHub does not show the pushed commit on #{number} yet"
LABELLED = "labels are added"


def held(now: Round) -> Step | None:
    """A label of policy keeps us off."""
    hold, current = now.policy.hold_label, now.facts.current
    if hold is None or current is None:
        return None
    if hold.casefold() not in {name.casefold() for name in current.pull.labels}:
        return None
    return end(Outcome.SKIPPED, HELD.format(number=current.pull.number, label=hold))


def gone(now: Round) -> Step | None:
    """A person has ended the pull request."""
    current = now.facts.current
    if current is None or (current.pull.open and current.head):
        return None
    reason = LANDED if current.pull.merged else BRANCH_GONE if current.pull.open else CLOSED
    return end(Outcome.SKIPPED, reason.format(number=current.pull.number))


def refused(now: Round) -> Step | None:
    """A person has closed a sync of the same commits: it would be the same once more."""
    pull = now.facts.refused
    if now.facts.current is not None or pull is None:
        return None
    return end(Outcome.SKIPPED, REFUSED.format(number=pull.number))


def blocked(now: Round) -> Step | None:
    """The candidate breaks an invariant: it is never pushed."""
    broken = now.facts.candidate.blocking
    if now.facts.current is not None or not broken:
        return None
    rules = ", ".join(sorted({finding.rule for finding in broken}))
    return end(Outcome.BLOCKED, BLOCKED.format(count=len(broken), rules=rules))


def taken(now: Round) -> Step | None:
    """The branch is somebody's: nothing of theirs is overwritten."""
    branch = now.facts.branch
    if branch is None:
        return None
    if branch.taken_by:
        reason = TAKEN_BY.format(number=branch.taken_by, branch=branch.name)
        return end(Outcome.NEEDS_HUMAN, reason)
    if branch.people:
        return end(Outcome.NEEDS_HUMAN, TAKEN.format(branch=branch.name))
    return None


def push(now: Round) -> Step | None:
    """The candidate goes to the branch; a leftover of a killed run is replaced, with a lease."""
    branch = now.facts.branch
    if branch is None or branch.ready:
        return None
    candidate = now.facts.candidate
    flows = any(item.kind is Notable.WORKFLOW for item in candidate.notable)
    effect = PushCommit(branch.name, candidate.commit, branch.head)
    return now.then(0, PUSHED_FLOWS if flows else PUSHED, effect)


def open_pull(now: Round) -> Step | None:
    """The branch stands: the draft is opened."""
    branch, candidate, policy = now.facts.branch, now.facts.candidate, now.policy
    if branch is None or branch.head is None:
        return None
    mark = Marker(
        source=candidate.source_ref,
        target=candidate.target_ref,
        source_sha=candidate.source,
        target_sha=candidate.target,
        merge=branch.head,
        absent_labels=None if policy.pull_request.labels else (),
    )
    title = wording.title(policy.pull_request.title, mark.source, mark.target, now.date)
    text = wording.body(view.merge(candidate, now.facts.story), markers.head(mark))
    return now.then(LAG_SECONDS, OPENED, OpenPullRequest(branch.name, mark.target, title, text))


def supersede(now: Round) -> Step | None:
    """Earlier syncs that this one makes needless are closed, now that it stands."""
    effects = [ClosePullRequest(older.pull.number) for older in now.facts.older]
    return now.then(0, SUPERSEDED, *effects) if effects else None


def settle(now: Round) -> Step | None:
    """What was pushed must show before anything is said about it."""
    if now.our.pull.head_sha == now.our.head:
        return None
    return now.then(LAG_SECONDS, LAGS.format(number=now.number))


def label(now: Round) -> Step | None:
    """The labels, once; that it was done is kept in the hidden line."""
    absent = now.facts.absent_labels
    if absent is None:
        return None
    mark = replace(now.our.marker, absent_labels=absent)
    text = markers.with_head(now.our.pull.body, mark, wording.status(absent, ()))
    wanted = AddLabels(now.number, now.policy.pull_request.labels, optional=True)
    return now.then(0, LABELLED, wanted, EditPullRequest(now.number, text))
