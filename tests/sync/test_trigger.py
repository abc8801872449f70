"""Which comments asked for CI."""

from __future__ import annotations

import pytest

from nightshift.policy.sync import CiRules
from nightshift.sync.trigger import asked, command
from nightshift.values import Comment, PullRequest

RULES = CiRules(trigger="/ok to test {sha}")
PULL = PullRequest(1, "", "", "", "", True, True, False, "x", "abc", "dev", author="us[bot]")


@pytest.mark.parametrize(
    ("comment", "counts"),
    [
        (Comment("/ok to test abc", "us[bot]", "NONE"), True),
        (Comment(" /ok to test abc\r\n", "us[bot]"), True),
        (Comment("/ok to test abc", "ada", "MEMBER"), True),
        (Comment("/ok to test abc", "ada", "COLLABORATOR"), True),
        (Comment("/ok to test abc", "ada", "OWNER"), True),
        (Comment("/ok to test abc", "another[bot]", "NONE", is_bot=True), True),
        (Comment("/ok to test abc", "mallory", "CONTRIBUTOR"), False),
        (Comment("/ok to test abc", "mallory", ""), False),
        (Comment("/ok to test abcd", "us[bot]"), False),
        (Comment("Say `/ok to test abc`", "us[bot]"), False),
        (Comment("/ok to test abc please", "us[bot]"), False),
    ],
)
def test_exact_words_of_ours_or_of_a_maintainer(comment: Comment, counts: bool) -> None:
    assert bool(asked([comment], PULL, RULES, "abc")) is counts


def test_an_author_that_is_gone_is_nobody() -> None:
    pull = PullRequest(1, "", "", "", "", True, True, False, "x", "abc", "dev")
    assert not asked([Comment("/ok to test abc")], pull, RULES, "abc")


def test_without_a_trigger_nothing_is_asked() -> None:
    assert command(CiRules(), "abc") is None
    assert not asked([Comment("None", "us[bot]")], PULL, CiRules(), "abc")
