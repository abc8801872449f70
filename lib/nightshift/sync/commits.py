"""Whose commits stand on a sync branch: ours, by the policy's committer, or a person's. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from nightshift.policy.sync import CommitRules
from nightshift.policy.texts import filled
from nightshift.values import Commit

ROUND = " (round {number})"


def people(commits: Sequence[Commit], rules: CommitRules) -> tuple[Commit, ...]:
    """The commits that are not ours."""
    return tuple(commit for commit in commits if commit.author != rules.name)


def fix_subject(rules: CommitRules, source: str, target: str, date: str) -> str:
    """The subject of fix commits, without the round."""
    return filled(rules.fix_message, source=source, target=target, date=date)


def with_round(subject: str, number: int) -> str:
    """The subject of one round's commit: the count of rounds is kept in git alone."""
    return subject + ROUND.format(number=number)


def round_of(commit: Commit, rules: CommitRules) -> int:
    """The round of fixes that made a commit; 0 where it is no fix of ours."""
    head, found, rest = commit.subject.rpartition(" (round ")
    number = rest.removesuffix(")")
    if commit.author != rules.name or not found or not head or not number.isdigit():
        return 0
    return int(number) if len(number) < 6 else 0
