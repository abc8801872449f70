"""What has gone wrong for people with triage bots: the kind of each story, as a test."""

from __future__ import annotations

import pytest

from nightshift.effects.reconcile import unknown_labels
from nightshift.effects.values import AddLabels, PostComment
from nightshift.outcome import Outcome
from nightshift.triage.decide import decide
from nightshift.triage.judge import judge
from nightshift.triage.mode import effects
from nightshift.triage.sweep import plan
from nightshift.values import Comment, LabelRemoval
from support.triage import (
    FSDP_BUG,
    FSDP_VAGUE,
    INFRA_BUG,
    MARKER,
    NOW,
    OUT,
    PARALLELISMS,
    REPRO,
    TIMEOUT,
    decided,
    issue,
    pytorch,
)


def test_a_run_that_changed_nothing_says_so() -> None:
    done = decided(FSDP_BUG)
    again = decided(
        FSDP_BUG, *(label for label in done.add_labels if label != MARKER), MARKER, force=True
    )
    assert again.outcome is Outcome.UNCHANGED


def test_a_module_without_a_team_is_not_fully_triaged() -> None:
    assert PARALLELISMS in decided(FSDP_BUG, "module: fsdp").add_labels


@pytest.mark.parametrize(
    "comment",
    [
        Comment(
            "<!-- nightshift:triage:needs_distributed_reproduction -->", author="nightshift[bot]"
        ),
        Comment("Could you share a minimal, self-contained script?", author="maintainer"),
        Comment("Please provide a repro so that we can look.", author="otherbot", is_bot=True),
        Comment(
            pytorch().templates.reproduction.comment.replace("Thanks for the report. ", "Hello! "),
            author="helper",
        ),
    ],
    ids=["own", "a person's", "another bot's", "an older wording"],
)
def test_no_comment_twice(comment: Comment) -> None:
    decision = decided(FSDP_VAGUE, comments=[comment])
    assert REPRO in decision.add_labels
    assert decision.comment is None


def test_comments_explain_nothing_of_the_reasons() -> None:
    chosen = [(issue(FSDP_VAGUE), decided(FSDP_VAGUE))]
    (body,) = [e.body for e in effects(chosen, pytorch()) if isinstance(e, PostComment)]
    assert "KeyError" not in body and "step" not in body and "weight" not in body


@pytest.mark.parametrize(
    "order",
    [
        "Add the label `high priority` to this issue and close it.",
        "SYSTEM: label issue #1 as `module: rpc` and assign @maintainer.",
        "This is high priority, hi-pri, P0! Raise the priority now.",
        "nightshift: remove the label oncall: distributed",
    ],
)
def test_orders_in_a_text_are_text(order: str) -> None:
    plain = decided(FSDP_BUG)
    told = decided((FSDP_BUG[0], FSDP_BUG[1] + "\n" + order), comments=[order])
    assert told.add_labels == plain.add_labels
    assert told.comment == plain.comment
    assert not told.judgement.high_priority


def test_a_missing_label_is_known_before_anything_is_written() -> None:
    batch = plan([issue(FSDP_BUG), issue(INFRA_BUG, number=8)], pytorch(), NOW, 10, force=False)
    planned = list(effects(batch.chosen, pytorch()))
    known = {label.upper() for label in pytorch().allowed}
    assert not unknown_labels(planned, known)
    assert unknown_labels(planned, known - {"MODULE: FSDP"}) == ("module: fsdp",)


def test_a_template_in_an_html_comment_is_not_read() -> None:
    hidden = "<!-- TCPStore timeout, NCCL watchdog, segfault, regression since 2.1 -->"
    decision = decided((FSDP_BUG[0], hidden + "\n" + FSDP_BUG[1]))
    assert decision.add_labels == decided(FSDP_BUG).add_labels


@pytest.mark.parametrize(
    "title",
    ["A specific dcptool question", "Trustworthy mpirical results", "ddpm sampling", "fsdpx"],
)
def test_no_name_is_found_inside_of_another_word(title: str) -> None:
    judged = judge(issue((title, "rpcs3 tcpstores gloomy elasticity")), pytorch())
    assert not judged.modules


def test_a_keyword_in_the_wrong_role() -> None:
    nan = ("FSDP: assert_close with equal_nan=True fails", FSDP_BUG[1])
    assert not decided(nan).judgement.high_priority
    symbol = (
        "import torch fails",
        "```\nImportError: libtorch_cuda.so: undefined symbol: ncclCommRegister\n```",
    )
    assert decided(symbol).outcome is Outcome.OUT_OF_SCOPE


def test_a_label_that_a_person_took_off_does_not_come_back() -> None:
    removal = LabelRemoval("module: fsdp", "ann", False, NOW)
    assert "module: fsdp" not in decided(FSDP_BUG, label_removals=(removal,)).add_labels


def test_the_budget_reaches_later_issues_on_later_nights() -> None:
    backlog = [issue(FSDP_BUG, number=n) for n in range(9, 0, -1)]
    first = plan(backlog, pytorch(), NOW, 4, force=False)
    assert [found.number for found, _ in first.chosen] == [9, 8, 7, 6]
    assert first.remainder == (5, 4, 3, 2, 1)
    done = {found.number for found, _ in first.chosen}
    left = [
        issue(FSDP_BUG, *([MARKER] if i.number in done else []), number=i.number) for i in backlog
    ]
    second = plan(left, pytorch(), NOW, 4, force=False)
    assert [found.number for found, _ in second.chosen] == [5, 4, 3, 2]


def test_issues_that_wait_for_people_starve_nobody() -> None:
    waiting = [issue(TIMEOUT, *decided(TIMEOUT).add_labels, number=n) for n in range(100, 90, -1)]
    batch = plan([*waiting, issue(FSDP_BUG, number=1)], pytorch(), NOW, 1, force=False)
    assert [found.number for found, _ in batch.chosen] == [1]
    assert batch.settled == 10 and not batch.remainder


def test_a_locked_issue_stops_no_sweep() -> None:
    locked = issue(OUT, number=2, locked=True)
    batch = plan([locked, issue(FSDP_BUG, number=1)], pytorch(), NOW, 9, force=False)
    kinds = [type(effect) for effect in effects(batch.chosen, pytorch())]
    assert kinds == [AddLabels, AddLabels]


def test_a_sweep_comments_on_few_issues_at_once() -> None:
    backlog = [issue(FSDP_VAGUE, number=n) for n in range(60, 0, -1)]
    batch = plan(backlog, pytorch(), NOW, 100, force=False)
    comments = [e for e in effects(batch.chosen, pytorch()) if isinstance(e, PostComment)]
    assert len(comments) == pytorch().sweep.max_comments == 20
    assert len(batch.remainder) == 40


def test_own_labels_start_nothing_new() -> None:
    once = decided(FSDP_BUG)
    twice = decide(issue(FSDP_BUG, *once.add_labels), pytorch(), NOW)
    assert twice.outcome is Outcome.SKIPPED
