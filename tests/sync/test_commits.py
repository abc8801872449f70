"""Whose commits stand on a branch, and the round of fixes that a commit is of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from nightshift.policy.sync import CommitRules
from nightshift.sync.commits import fix_message, fix_subject, people, round_of
from nightshift.values import Commit
from support.clock import START

RULES = CommitRules(name="bot", email="bot@example.org")
IDENTITY = {
    "author": "bot",
    "author_email": "bot@example.org",
    "committer": "bot",
    "committer_email": "bot@example.org",
}
FIX = ("Nightshift-Fix: 3",)


def commit(*ids: str, **facts: Any) -> Commit:
    """A commit of ours: its id, then those of its parents."""
    sha, *parents = ids or ("a",)
    given = {"committed_at": START, "subject": "x", "tree": "", **IDENTITY, **facts}
    return Commit(sha=sha, parents=tuple(parents) or ("p",), **given)


@pytest.mark.parametrize(
    "theirs",
    [
        commit(),
        commit(author="ada", trailers=FIX),
        commit(author_email="ada@example.org", trailers=FIX),
        commit(committer="ada", trailers=FIX),
        commit(committer_email="ada@example.org", trailers=FIX),
        commit(trailers=("Nightshift-Fix: ",)),
        commit(trailers=("Nightshift-Fix: 0",)),
        commit(trailers=("Nightshift-Fix: x",)),
        commit(trailers=("Nightshift-Fix: 999999999",)),
        commit(trailers=("Nightshift-Fix: \u0663",)),
        commit(trailers=("Nightshift-Fix: 1", "Nightshift-Fix: 2")),
        commit(trailers=("Co-authored-by: bot <bot@example.org>",)),
        commit("m", "p", "q", committer="ada"),
        commit("o", "p", "q", "r"),
    ],
)
def test_what_only_looks_like_ours_is_a_persons(theirs: Commit) -> None:
    assert people([theirs], RULES) == (theirs,)
    assert round_of(theirs, RULES) == 0


def test_a_fix_and_a_merge_of_ours() -> None:
    fix, merge = commit("f", "m", trailers=FIX), commit("m", "p", "q")
    assert not people([fix, merge], RULES)
    assert (round_of(fix, RULES), round_of(merge, RULES)) == (3, 0)


def test_a_merge_that_brings_in_a_persons_commit_is_theirs_with_it() -> None:
    theirs = commit("t", "p", author="ada")
    merge = commit("m", "t", "q")
    assert people([merge, theirs], RULES) == (merge, theirs)


def test_a_name_is_compared_as_git_writes_it() -> None:
    rules = CommitRules(name=" .bot, Inc.", email="<bot@example.org>")
    ours = commit(author="bot, Inc", committer="bot, Inc", trailers=FIX)
    assert not people([ours], rules)
    assert people([replace(ours, author="bot, Inc.")], rules)


def test_a_message_is_read_as_it_was_written() -> None:
    message = fix_message(fix_subject(RULES, "main", "dev", "today"), "- formatting: a", 12)
    lines = message.splitlines()
    assert lines[0] == "Fix what CI found after merging main into dev (round 12)"
    assert lines[-2:] == ["", "Nightshift-Fix: 12"]
    assert round_of(commit(trailers=(lines[-1],)), RULES) == 12
