"""Every row of the step table, on both sides of its border."""

from __future__ import annotations

from datetime import timedelta

import pytest

from nightshift.outcome import Outcome
from nightshift.triage import decide as steps
from nightshift.triage.comments import render
from nightshift.values import Comment, LabelRemoval
from support.triage import (
    CHECKPOINTING,
    DCP_BUG,
    FSDP_BUG,
    FSDP_VAGUE,
    INFRA,
    INFRA_BUG,
    MARKER,
    NOW,
    OUT,
    PARALLELISMS,
    REPRO,
    REVIEW,
    TIMEOUT,
    UNCLEAR,
    WISH,
    decided,
    pytorch,
    switched,
)

FSDP = "module: fsdp"
CORRUPT = ("dcp.load returns corrupted weights", "torch.distributed.checkpoint: data is corrupted.")
CRASH_SHOWN = (
    "FSDP: segfault in the second forward",
    "```python\nfrom torch.distributed.fsdp import fully_shard\n\nmodel = fully_shard(model)\n"
    "model(x)\n```\n\n```\nSegmentation fault (core dumped)\n```",
)
CRASH_VAGUE = ("FSDP: segfault in the second forward", "fully_shard dies of a segmentation fault.")


# ---------------------------------------------------------------- step 0


def test_module_and_team_are_already_triaged() -> None:
    decision = decided(OUT, FSDP, PARALLELISMS)
    assert decision.outcome is Outcome.ALREADY_TRIAGED
    assert decision.add_labels == (MARKER,)
    assert decision.comment is None


@pytest.mark.parametrize("label", [FSDP, PARALLELISMS])
def test_one_of_the_two_is_incomplete(label: str) -> None:
    decision = decided(FSDP_BUG, label)
    assert decision.outcome is Outcome.TRIAGED
    assert set(decision.add_labels) == {FSDP, PARALLELISMS, MARKER} - {label}


def test_performance_is_no_module_of_step_0() -> None:
    assert decided(FSDP_BUG, "module: performance", PARALLELISMS).outcome is Outcome.TRIAGED


def test_a_module_outside_the_allow_list_does_not_count() -> None:
    assert decided(FSDP_BUG, "module: cuda", PARALLELISMS).outcome is Outcome.TRIAGED


def test_names_are_compared_whole_and_whatever_their_case() -> None:
    triaged = decided(FSDP_BUG, "Module: FSDP", "ONCALL: distributed Parallelisms")
    assert triaged.outcome is Outcome.ALREADY_TRIAGED
    assert decided(FSDP_BUG, "module: fsdp2", PARALLELISMS).outcome is Outcome.TRIAGED


def test_step_0_comes_before_high_priority() -> None:
    assert decided(TIMEOUT, "module: c10d", INFRA).add_labels == (MARKER,)


def test_what_we_flagged_for_people_is_not_taken_for_triaged_by_them() -> None:
    first = decided(CRASH_SHOWN)
    assert MARKER not in first.add_labels and REVIEW in first.add_labels
    second = decided(CRASH_SHOWN, *first.add_labels)
    assert (second.outcome, second.add_labels) == (Outcome.UNCHANGED, ())
    looked_at = [label for label in first.add_labels if label != REVIEW]
    assert decided(CRASH_SHOWN, *looked_at).add_labels == (MARKER,)


# ---------------------------------------------------------------- step 1


def test_out_of_scope_stops_with_a_comment() -> None:
    decision = decided(OUT)
    assert decision.outcome is Outcome.OUT_OF_SCOPE
    assert decision.add_labels == (REVIEW, MARKER)
    assert decision.comment == "not_distributed"


def test_in_scope_gets_no_such_comment() -> None:
    assert decided(FSDP_BUG).comment is None


def test_out_of_scope_is_judged_though_a_team_is_there() -> None:
    assert decided(OUT, PARALLELISMS).comment == "not_distributed"


# ---------------------------------------------------------------- step 2


@pytest.mark.parametrize(
    ("report", "team"),
    [(FSDP_BUG, PARALLELISMS), (INFRA_BUG, INFRA), (DCP_BUG, CHECKPOINTING)],
    ids=["parallelisms", "infra", "checkpointing"],
)
def test_exactly_one_team(report: tuple[str, str], team: str) -> None:
    added = decided(report).add_labels
    assert [label for label in added if label.startswith("oncall:")] == [team]
    assert added[0] == team


@pytest.mark.parametrize("report", [INFRA_BUG, DCP_BUG], ids=["infra", "checkpointing"])
def test_infra_and_checkpointing_stop(report: tuple[str, str]) -> None:
    vague = (report[0], report[1].replace("```", "").replace("model(x)", ""))
    decision = decided(vague)
    assert decision.add_labels[1:] == (MARKER,)
    assert decision.comment is None


def test_parallelisms_go_on() -> None:
    assert decided(FSDP_BUG).add_labels == (PARALLELISMS, FSDP, MARKER)


@pytest.mark.parametrize("team", [INFRA, CHECKPOINTING])
def test_a_team_that_is_there_is_kept_and_used(team: str) -> None:
    decision = decided(FSDP_BUG, team)
    assert decision.add_labels == (MARKER,)
    assert decision.judgement.team.label == team


def test_parallelisms_that_are_there_go_on_with_an_infra_report() -> None:
    decision = decided(INFRA_BUG, PARALLELISMS)
    assert not any(label.startswith("oncall") for label in decision.add_labels)
    assert "module: c10d" in decision.add_labels


def test_two_teams_add_none() -> None:
    decision = decided(FSDP_BUG, INFRA, PARALLELISMS)
    assert decision.add_labels == (REVIEW, MARKER)
    assert decision.outcome is Outcome.NEEDS_PEOPLE


def test_two_teams_with_a_module_are_no_finished_triage() -> None:
    assert decided(FSDP_BUG, INFRA, PARALLELISMS, FSDP).add_labels == (REVIEW, MARKER)


def test_two_teams_by_switch() -> None:
    policy = switched(pytorch(), two_teams_stop=False)
    assert decided(FSDP_BUG, INFRA, PARALLELISMS, FSDP, policy=policy).add_labels == (MARKER,)


def test_precedence_where_several_teams_fit() -> None:
    both = ("torch.distributed: broken", "dcp.save and TCPStore are broken")
    assert decided(both).judgement.team.label == CHECKPOINTING


# ---------------------------------------------------------------- step 3


def test_high_and_medium_modules_are_added_after_the_team() -> None:
    report = ("FSDP2 + DTensor: error", "fully_shard and DTensor\n```\nm(x)\n```")
    added = decided(report).add_labels
    assert added == (PARALLELISMS, FSDP, "module: dtensor", MARKER)


def test_a_low_module_is_not_guessed() -> None:
    decision = decided(UNCLEAR)
    assert REVIEW in decision.add_labels and MARKER in decision.add_labels
    assert not any(label.startswith("module:") for label in decision.add_labels)


def test_pt2_stays_and_modules_come_beside_it() -> None:
    added = decided(FSDP_BUG, "oncall: pt2").add_labels
    assert added == (PARALLELISMS, FSDP, MARKER)


def test_a_module_that_is_there_is_not_added_again() -> None:
    assert decided(FSDP_BUG, "module: FSDP").add_labels == (PARALLELISMS, MARKER)


# ---------------------------------------------------------------- step 4


def test_a_feature() -> None:
    report = ("FSDP: support complex parameters", WISH + "There is no way to do it today.")
    assert decided(report).add_labels == (PARALLELISMS, FSDP, "feature", MARKER)


def test_an_enhancement_about_speed() -> None:
    report = ("FSDP: faster unshard", WISH + "It currently works, but the copy is slow.")
    added = decided(report).add_labels
    assert added == (PARALLELISMS, FSDP, "enhancement", "module: performance", MARKER)


def test_an_enhancement_that_is_not_about_speed() -> None:
    report = ("FSDP: clearer error message", WISH + "The error message is misleading.")
    assert decided(report).add_labels == (PARALLELISMS, FSDP, "enhancement", MARKER)


def test_a_bug_gets_no_type() -> None:
    assert not {"feature", "enhancement"} & set(decided(FSDP_BUG).add_labels)


def test_a_stopping_team_gets_no_type() -> None:
    report = ("TCPStore: support IPv6 scopes", WISH + "There is no way to do it today.")
    decision = decided(report)
    assert decision.add_labels == (INFRA, MARKER)
    assert decision.judgement.kind.value == "feature"


# ---------------------------------------------------------------- step 5


def test_high_priority_drops_the_marker_and_adds_no_priority() -> None:
    decision = decided(TIMEOUT)
    assert decision.add_labels == (INFRA, REVIEW)
    assert decision.outcome is Outcome.NEEDS_PEOPLE
    assert "high priority" not in decision.add_labels


def test_high_priority_is_judged_on_every_route() -> None:
    assert decided(CORRUPT).add_labels == (CHECKPOINTING, REVIEW)
    policy = switched(pytorch(), priority_on_every_route=False)
    assert decided(CORRUPT, policy=policy).add_labels == (CHECKPOINTING, MARKER)


def test_high_priority_beats_the_two_teams_rule() -> None:
    assert decided(TIMEOUT, INFRA, PARALLELISMS).add_labels == (REVIEW,)


def test_high_priority_does_not_beat_step_1() -> None:
    report = ("Segfault on my laptop", "CUDA out of memory, then a segfault. One GPU.")
    assert decided(report).add_labels == (REVIEW, MARKER)


def test_high_priority_keeps_modules_and_reproduction() -> None:
    decision = decided(CRASH_VAGUE)
    assert decision.add_labels == (PARALLELISMS, FSDP, REVIEW, REPRO)
    assert decision.comment == "needs_distributed_reproduction"
    policy = switched(pytorch(), priority_drops_only_marker=False)
    assert decided(CRASH_VAGUE, policy=policy).add_labels == (PARALLELISMS, FSDP, REVIEW)


# ---------------------------------------------------------------- step 6


def test_nothing_to_follow_is_asked_for() -> None:
    decision = decided(FSDP_VAGUE)
    assert decision.add_labels == (PARALLELISMS, FSDP, REPRO, MARKER)
    assert decision.comment == "needs_distributed_reproduction"


def test_a_snippet_is_enough() -> None:
    assert REPRO not in decided(FSDP_BUG).add_labels


def test_a_request_needs_none() -> None:
    report = ("FSDP: support complex parameters", WISH + "There is no way to do it today.")
    decision = decided(report)
    assert REPRO not in decision.add_labels and decision.comment is None


# ---------------------------------------------------------------- what the source leaves open


def test_doubt_about_the_route_asks_people() -> None:
    assert REVIEW in decided(UNCLEAR).add_labels
    assert any("route is in doubt" in reason for reason in decided(UNCLEAR).reasons)
    policy = switched(pytorch(), doubt_asks_people=False)
    reasons = decided(UNCLEAR, policy=policy).reasons
    assert not any("in doubt" in reason for reason in reasons)


def test_marked_is_left_alone_unless_forced() -> None:
    assert decided(FSDP_BUG, MARKER).outcome is Outcome.SKIPPED
    assert not decided(FSDP_BUG, MARKER).add_labels
    assert decided(FSDP_BUG, MARKER, force=True).add_labels == (PARALLELISMS, FSDP)
    policy = switched(pytorch(), marked_is_left_alone=False)
    assert decided(FSDP_BUG, MARKER, policy=policy).add_labels == (PARALLELISMS, FSDP)


@pytest.mark.parametrize("report", [FSDP_VAGUE, OUT], ids=["step 6", "step 1"])
def test_a_comment_that_was_cut_off_comes_when_the_job_is_run_again(
    report: tuple[str, str]
) -> None:
    first = decided(report)
    assert first.comment
    template = next(
        template
        for template in (pytorch().templates.out_of_scope, pytorch().templates.reproduction)
        if template.name == first.comment
    )
    assert decided(report, *first.add_labels).outcome is Outcome.SKIPPED
    for again in (
        decided(report, *first.add_labels, finish=True),
        decided(report, *first.add_labels, force=True),
    ):
        assert again.comment == first.comment and not again.add_labels
        assert again.outcome is first.outcome
    posted = [Comment(render(template))]
    assert not decided(report, *first.add_labels, finish=True, comments=posted).writes
    assert not decided(report, *first.add_labels, force=True, comments=posted).writes


def test_a_run_again_gives_a_marked_issue_no_label() -> None:
    for labels in ((MARKER,), (MARKER, REPRO), (MARKER, REPRO, PARALLELISMS)):
        decision = decided(FSDP_VAGUE, *labels, finish=True)
        assert decision.outcome is Outcome.SKIPPED and not decision.writes
    shown = decided(FSDP_BUG, MARKER, REPRO, PARALLELISMS, FSDP, finish=True)
    assert shown.outcome is Outcome.SKIPPED and not shown.writes


def test_what_people_have_triaged_gets_no_comment() -> None:
    assert decided(FSDP_VAGUE, MARKER, PARALLELISMS, FSDP, force=True).comment is None
    assert decided(FSDP_VAGUE, REPRO, PARALLELISMS, FSDP).comment is None


GRAVE = ("FSDP: segfault in the second forward", "A segmentation fault.\n" + FSDP_BUG[1])


@pytest.mark.parametrize("report", [TIMEOUT, GRAVE, CRASH_VAGUE], ids=["infra", "modules", "vague"])
def test_a_high_priority_issue_costs_nothing_the_next_night(report: tuple[str, str]) -> None:
    first = decided(report)
    posted = [Comment(render(pytorch().templates.reproduction))] if first.comment else []
    second = decided(report, *first.add_labels, comments=posted)
    assert second.outcome is Outcome.UNCHANGED
    assert not second.writes


def test_once_people_have_looked_it_is_triaged() -> None:
    labels = [label for label in decided(GRAVE).add_labels if label != REVIEW]
    assert decided(GRAVE, *labels).outcome is Outcome.ALREADY_TRIAGED


@pytest.mark.parametrize("days", [0, 29, 30])
def test_a_label_that_a_person_took_off_lately_stays_off(days: int) -> None:
    removal = LabelRemoval("module: FSDP", "ann", False, NOW - timedelta(days=days))
    decision = decided(FSDP_BUG, label_removals=(removal,))
    assert decision.add_labels == (PARALLELISMS, MARKER)


def test_a_removal_long_ago_or_by_a_bot_does_not_count() -> None:
    old = LabelRemoval(FSDP, "ann", False, NOW - timedelta(days=31))
    bot = LabelRemoval(FSDP, "helper[bot]", True, NOW)
    assert FSDP in decided(FSDP_BUG, label_removals=(old, bot)).add_labels


@pytest.mark.parametrize(
    ("more", "labels", "reason"),
    [
        ({"is_pull_request": True}, (), steps.PULL_REQUEST),
        ({"open": False}, (), steps.CLOSED),
        ({}, ("Nightshift-Hold",), steps.HELD),
        ({}, (MARKER.upper(),), steps.MARKED),
    ],
    ids=["pull request", "closed", "held", "marked"],
)
def test_issues_that_are_left_alone(
    more: dict[str, bool], labels: tuple[str, ...], reason: str
) -> None:
    decision = decided(FSDP_BUG, *labels, **more)  # type: ignore[arg-type]
    assert decision.outcome is Outcome.SKIPPED
    assert decision.reasons == (reason,)
    assert not decision.writes
    assert decision.judgement.in_scope


def test_a_locked_issue_takes_labels_and_no_comment() -> None:
    decision = decided(OUT, locked=True)
    assert decision.add_labels == (REVIEW, MARKER)
    assert decision.comment is None
    assert any("locked" in reason for reason in decision.reasons)


def test_the_limit_of_labels() -> None:
    room = [f"x{n}" for n in range(96)]
    assert decided(FSDP_BUG, *room).add_labels
    full = decided(FSDP_BUG, *room, "y")
    assert full.outcome is Outcome.SKIPPED and not full.writes
    assert steps.FULL in full.reasons


def test_a_comment_that_is_there_is_not_posted_again() -> None:
    posted = Comment("<!-- nightshift:triage:not_distributed -->", author="somebot")
    decision = decided(OUT, comments=[posted])
    assert decision.add_labels == (REVIEW, MARKER)
    assert decision.comment is None
