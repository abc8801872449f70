"""Which comments are ours, and which ones asked CI to run on a commit.

Such a command can hide no marker: it is known by its exact text, and by who wrote it. One that a
maintainer or an app wrote counts like ours: an earlier run may have had another account's token.
What a passer-by writes counts for nothing, so that nobody makes us believe that we have spoken.
"""

from __future__ import annotations

from collections.abc import Iterable

from nightshift.policy.sync import CiRules
from nightshift.policy.texts import filled
from nightshift.values import Comment, PullRequest

TRUSTED = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})


def command(rules: CiRules, sha: str) -> str | None:
    """The comment that starts CI on a commit; None where a push does."""
    return None if rules.trigger is None else filled(rules.trigger, sha=sha)


def asked(
    comments: Iterable[Comment], pull: PullRequest, rules: CiRules, sha: str
) -> tuple[Comment, ...]:
    """The comments that asked for CI on a commit, oldest first."""
    text = command(rules, sha)
    return tuple(
        comment for comment in comments if comment.body.strip() == text and trusted(comment, pull)
    )


def trusted(comment: Comment, pull: PullRequest) -> bool:
    """Whether a comment is ours, or of somebody who may write to the repository."""
    return by_us(comment, pull) or comment.is_bot or comment.role in TRUSTED


def by_us(comment: Comment, pull: PullRequest) -> bool:
    """Whether the pull request's author, which is who we write as, wrote a comment."""
    return bool(pull.author) and comment.author == pull.author
