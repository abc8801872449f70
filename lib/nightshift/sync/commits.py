"""Whose commits stand on a sync branch: ours, or a person's. Pure.

A fix of ours has the policy's identity as author and committer, and a trailer that counts its
round; a merge of ours has the identity, and joins commits that were there before. The identity
alone says little: a service account has other programs too, and a person who amends, rebases or
picks a commit of ours stays in its author's name. Whoever may push to the branch can forge all of
it, and gains nothing: a commit that is amended keeps its tree, and what is superseded keeps its
branch.
"""

from __future__ import annotations

from collections.abc import Sequence

from nightshift.policy.sync import CommitRules
from nightshift.policy.texts import filled
from nightshift.values import Commit

ROUND = " (round {number})"
TRAILER = "Nightshift-Fix"
MOST_DIGITS = 5

_CRUD = "".join(map(chr, range(33))) + ".,:;<>\"\\'"
"""What git takes off both ends of a name (`strbuf_addstr_without_crud` in its ident.c)."""


def people(commits: Sequence[Commit], rules: CommitRules) -> tuple[Commit, ...]:
    """The commits of a branch, beyond source and target, that are not ours."""
    beyond = frozenset(commit.sha for commit in commits)
    return tuple(commit for commit in commits if not _ours(commit, rules, beyond))


def fix_subject(rules: CommitRules, source: str, target: str, date: str) -> str:
    """The subject of fix commits, without the round."""
    return filled(rules.fix_message, source=source, target=target, date=date)


def fix_message(subject: str, body: str, number: int) -> str:
    """The message of one round's commit: the count of rounds is kept in git alone."""
    return f"{subject}{ROUND.format(number=number)}\n\n{body}\n\n{TRAILER}: {number}\n"


def round_of(commit: Commit, rules: CommitRules) -> int:
    """The round of fixes that made a commit; 0 where it is no fix of ours."""
    if not _has_identity(commit, rules):
        return 0
    numbers = [
        line.partition(": ")[2] for line in commit.trailers if line.startswith(f"{TRAILER}:")
    ]
    number = numbers[0] if len(numbers) == 1 else ""
    good = number.isascii() and number.isdigit() and len(number) <= MOST_DIGITS
    return int(number) if good else 0


def _ours(commit: Commit, rules: CommitRules, beyond: frozenset[str]) -> bool:
    if len(commit.parents) == 2:
        return _has_identity(commit, rules) and beyond.isdisjoint(commit.parents)
    return round_of(commit, rules) > 0


def _has_identity(commit: Commit, rules: CommitRules) -> bool:
    wanted = (_plain(rules.name), _plain(rules.email))
    author = (commit.author, commit.author_email)
    return author == (commit.committer, commit.committer_email) == wanted


def _plain(text: str) -> str:
    """A name or address as git writes it into a commit."""
    return "".join(char for char in text if char not in "<>\n").strip(_CRUD)
