"""What a sync run may write at all: its own branches, draft, labels and comments. Pure.

Made of policy and inputs alone: nothing that is read on the way has a part in it.
"""

from __future__ import annotations

from collections.abc import Sequence

import re2

from nightshift.effects.guard import Guard
from nightshift.effects.values import (
    AddLabels,
    ClosePullRequest,
    EditPullRequest,
    MarkReady,
    OpenPullRequest,
    PostComment,
    PushCommit,
    PushFix,
    RerunFailedJobs,
)
from nightshift.policy.sync import SyncPolicy
from nightshift.policy.texts import filled
from nightshift.sync.driving import TEMPLATES

DATE = "[0-9A-Za-z_.+-]{1,40}"
"""What may stand for the date: an open sync of any earlier day may be gone on with."""

AGAIN = "(?:-[0-9]{1,3})?"
"""A second sync of the same day."""


def sync_guard(policy: SyncPolicy, branch: str = "") -> Guard:
    """The fence of a run.

    :param branch: the sync branch by its input; "" leaves the policy's pattern alone.
    """
    return Guard(
        kinds=frozenset(
            {
                AddLabels,
                ClosePullRequest,
                EditPullRequest,
                MarkReady,
                OpenPullRequest,
                PostComment,
                PushCommit,
                PushFix,
                RerunFailedJobs,
            }
        ),
        labels=frozenset(policy.pull_request.labels),
        templates=frozenset(TEMPLATES),
        branch_pattern="|".join(_patterns(policy, branch)),
        protected=frozenset({policy.source, policy.target}),
    )


def _patterns(policy: SyncPolicy, branch: str) -> Sequence[str]:
    day = filled(policy.branch, source=policy.source, target=policy.target, date="\0")
    parts = [re2.escape(part) for part in day.split("\0")]
    return [DATE.join(parts) + AGAIN, *([re2.escape(branch) + AGAIN] if branch else [])]
