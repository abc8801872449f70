"""Signals found in zones, conditions of rules, and the sums that both make."""

from __future__ import annotations

import pytest

from nightshift.policy.triage import Rule, Signal, TriagePolicy, Zone
from nightshift.triage.signals import Findings, find
from nightshift.triage.text import read
from nightshift.triage.weigh import Sums, weigh
from nightshift.values import Comment
from support.triage import harbour, issue

# pylint: disable=keyword-arg-before-vararg  # a report, then its labels or comments, reads well


def policy(*signals: Signal, rules: tuple[Rule, ...] = ()) -> TriagePolicy:
    return harbour().model_copy(update={"signals": signals, "rules": rules})


def signal(**more: object) -> Signal:
    given: dict[str, object] = {
        "name": "pier",
        "patterns": (r"\bpier\b",),
        "says": {"in-scope": 1.0},
    }
    return Signal.model_validate(given | more)


def found(made: TriagePolicy, title: str, body: str = "", *comments: Comment) -> Findings:
    return find(read(issue((title, body), comments=comments), made), made)


def sums(made: TriagePolicy, title: str, body: str = "", *comments: Comment) -> Sums:
    return weigh(found(made, title, body, *comments), made)


def total(made: TriagePolicy, title: str, body: str = "", *comments: Comment) -> float:
    return sums(made, title, body, *comments).of("in-scope").total


def test_a_zone_weighs() -> None:
    made = policy(signal())
    assert total(made, "the pier") == 3.0
    assert total(made, "x", "the pier") == 1.5
    assert total(made, "the pier", "the pier") == 4.5
    assert total(made, "x", "```\npier()\n```") == 1.0


def test_zones_and_weights_of_a_signal() -> None:
    assert total(policy(signal(zones=("title",))), "x", "pier") == 0
    assert total(policy(signal(zones=("prose",))), "x", "pier") == 1.5
    assert total(policy(signal(weights={"title": 0.5})), "pier") == 1.5
    assert total(policy(signal(zones=("furniture",))), "x", "Anything else? pier") == 1.0


def test_furniture_and_dumps_do_not_count_by_themselves() -> None:
    assert total(policy(signal()), "x", "<!-- pier -->\n\n### Versions\n\npier 3") == 0


def test_a_comment_counts_less_and_its_author_matters() -> None:
    made = policy(signal())
    assert total(made, "x", "", Comment("pier", author="ann")) == pytest.approx(0.35)
    assert total(made, "x", "", Comment("pier", author="reporter")) == pytest.approx(0.6)


def test_a_signal_may_trust_comments_more() -> None:
    plain, trusting = policy(signal()), policy(signal(comments=3.0))
    other = Comment("the pier", "someone")
    assert total(trusting, "t", "", other) == pytest.approx(3 * total(plain, "t", "", other))
    assert total(trusting, "t", "the pier") == total(plain, "t", "the pier")


def test_more_signals_of_one_zone_count_in_part() -> None:
    made = policy(signal(), signal(name="quay", patterns=(r"\bquay\b",)))
    assert total(made, "pier and quay") == pytest.approx(3.75)


def test_a_denied_name_counts_little_unless_plain() -> None:
    assert total(policy(signal()), "broken without pier") == pytest.approx(0.6)
    assert total(policy(signal(plain=True)), "broken without pier") == 3.0


def test_a_name_beside_the_subject_of_a_title_counts_less() -> None:
    assert total(policy(signal()), "broken with pier") == pytest.approx(1.8)


def test_the_strongest_role_counts() -> None:
    assert total(policy(signal()), "no pier works, pier is broken") == 3.0


def test_the_subject_part_of_a_sum() -> None:
    made = sums(policy(signal()), "pier", "pier\n\n```\nOSError: pier\n```").of("in-scope")
    assert (made.total, made.subject, made.title) == (6.5, 5.0, 3.0)


@pytest.mark.parametrize(
    ("when", "unless", "holds"),
    [
        (("pier",), (), True),
        (("pier@title",), (), True),
        (("pier@prose",), (), False),
        (("pier@prose|title",), (), True),
        (("quay/pier",), (), True),
        (("quay",), (), False),
        (("pier",), ("pier@title",), False),
        (("pier",), ("quay",), True),
    ],
)
def test_rules(when: tuple[str, ...], unless: tuple[str, ...], holds: bool) -> None:
    quay = signal(name="quay", patterns=(r"\bquay\b",))
    rule = Rule(name="r", when=when, unless=unless, says={"out-of-scope": 2.0})
    made = policy(signal(), quay, rules=(rule,))
    assert sums(made, "pier").of("out-of-scope").total == (2.0 if holds else 0.0)


def test_rules_do_not_hear_other_people_or_denials() -> None:
    rule = Rule(name="r", when=("pier",), says={"out-of-scope": 2.0})
    made = policy(signal(), rules=(rule,))
    assert sums(made, "x", "", Comment("pier")).of("out-of-scope").total == 0
    assert sums(made, "broken without pier").of("out-of-scope").total == 0


def test_a_finding_shows_the_words_and_not_more() -> None:
    made = policy(signal(patterns=(r"pier\s+.*",)))
    (finding,) = found(made, "pier \t " + "x" * 500).by_signal["pier"]
    assert finding.zone is Zone.TITLE
    assert finding.excerpt.startswith("pier xxx") and len(finding.excerpt) <= 70
