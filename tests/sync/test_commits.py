"""Whose commits stand on a branch, and the round of fixes that a subject tells."""

from __future__ import annotations

import pytest

from nightshift.policy.sync import CommitRules
from nightshift.sync.commits import fix_subject, people, round_of, with_round
from nightshift.values import Commit
from support.clock import START

RULES = CommitRules(name="bot")


def commit(subject: str, author: str = "bot") -> Commit:
    return Commit("a" * 40, (), "", author, START, subject)


def test_people_are_who_is_not_the_committer_of_policy() -> None:
    ours, theirs = commit("x"), commit("y", "ada")
    assert people([ours, theirs], RULES) == (theirs,)


@pytest.mark.parametrize(
    ("found", "number"),
    [
        (commit("Fix it (round 3)"), 3),
        (commit("Fix it (round 3)", "ada"), 0),
        (commit("Fix it (round x)"), 0),
        (commit(" (round 3)"[1:]), 0),
        (commit("Fix it (round 3) again"), 0),
        (commit("Fix it (round 999999999)"), 0),
        (commit("Merge main"), 0),
    ],
)
def test_the_round_of_a_commit(found: Commit, number: int) -> None:
    assert round_of(found, RULES) == number


def test_a_subject_is_read_as_it_was_written() -> None:
    subject = with_round(fix_subject(RULES, "main", "dev", "today"), 12)
    assert subject == "Fix what CI found after merging main into dev (round 12)"
    assert round_of(commit(subject), RULES) == 12
