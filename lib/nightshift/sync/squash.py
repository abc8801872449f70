"""Notices that an earlier sync landed by squash, so that git has forgotten what was merged then."""

from __future__ import annotations

from nightshift.policy.model import Severity
from nightshift.policy.sync import SyncPolicy
from nightshift.policy.texts import filled
from nightshift.sync.findings import Finding
from nightshift.sync.sides import Sides

RULE = "landed-by-squash"
SQUASHED = (
    "an earlier sync landed by squash: git does not know that it was merged, and everything that "
    "it settled is in conflict again. Land sync pull requests with a merge commit."
)


def landed_by_squash(sides: Sides, policy: SyncPolicy) -> tuple[Finding, ...]:
    """A finding for the newest commit of the target since the merge base that has a sync's title
    and one parent only."""
    title = filled(
        policy.pull_request.title, source=policy.source, target=policy.target, date="\0"
    ).partition("\0")[0]
    for commit in sides.git.commits(sides.bases, sides.target):
        if len(title) > 5 and commit.subject.startswith(title) and len(commit.parents) == 1:
            return (Finding(RULE, Severity.WARN, "", SQUASHED, evidence=(commit.sha,)),)
    return ()
