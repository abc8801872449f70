"""The verdict: what is waited for, what fails, what is green, and never by accident."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightshift.policy.sync import CiRules
from nightshift.sync.gate import NO_CHECKS, NO_SHA, OTHER_SHA, State, Verdict, judge
from nightshift.values import Check, CheckKind, Rollup
from support.checks import SHA, at, context, rollup, run, running

RULES = CiRules(
    sentinels=("Gate",),
    exempt=("copy-pr-bot|greptile|codeowners|.*review|.*approval|codecov|build-docs",),
    informational=("gitlab/nightly",),
    needs_maintainer=("integration-h100",),
)


def names(result: Verdict, field: str) -> list[str]:
    return [item.name for item in getattr(result, field)]


def verdict(*checks: Check, rules: CiRules = RULES, sha: str = SHA) -> Verdict:
    return judge(rollup(*checks), sha, rules)


def test_all_completed_and_passed_is_green() -> None:
    result = verdict(run("Gate"), run("unit"), run("docs", "SKIPPED"), context("gitlab/unit"))
    assert result.state is State.GREEN
    assert names(result, "passed") == ["Gate", "docs", "gitlab/unit", "unit"]


def test_an_absent_sentinel_is_waited_for_though_all_else_passed_or_failed() -> None:
    for check in (run("unit"), run("unit", "FAILURE")):
        result = verdict(check)
        assert result.state is State.WAITING
        assert result.missing == ("Gate",)


def test_nothing_is_decided_before_the_sentinel_ends() -> None:
    result = verdict(running("Gate"), run("unit", "FAILURE"))
    assert result.state is State.WAITING
    assert names(result, "failed") == ["unit"]


@pytest.mark.parametrize("name", ["gate", "Gate (1)", "My Gate", "Gate "])
def test_the_sentinel_is_named_exactly(name: str) -> None:
    assert verdict(run(name)).missing == ("Gate",)


def test_all_sentinels_of_a_policy_must_end() -> None:
    rules = CiRules(sentinels=("Gate", "Other"))
    assert verdict(run("Gate"), rules=rules).state is State.WAITING
    assert verdict(run("Gate"), run("Other"), rules=rules).state is State.GREEN


def test_pending_beside_a_finished_sentinel_is_waited_for() -> None:
    result = verdict(run("Gate"), running("unit"))
    assert result.state is State.WAITING
    assert names(result, "pending") == ["unit"]


def test_a_failure_beside_a_finished_sentinel_fails_though_others_run() -> None:
    result = verdict(run("Gate", "FAILURE"), run("unit", "FAILURE"), running("slow"))
    assert result.state is State.FAILED


def test_a_required_context_that_never_reported_is_told_from_one_that_runs() -> None:
    result = verdict(run("Gate"), context("required", "EXPECTED"), context("late", "PENDING"))
    assert result.state is State.WAITING
    assert names(result, "pending") == ["late", "required"]
    assert result.missing == ("required",)


@pytest.mark.parametrize(
    "name",
    [
        "copy-pr-bot",
        "Copy-PR-Bot: ok",
        "codeowners",
        "Needs Review",
        "x-approval",
        "BUILD-DOCS / a",
    ],
)
def test_exempt_names_are_anchored_at_the_start_in_any_case(name: str) -> None:
    result = verdict(run("Gate"), run(name, "FAILURE"), context(name, "PENDING"))
    assert result.state is State.GREEN
    assert set(names(result, "exempt")) == {name}


@pytest.mark.parametrize("name", ["my-copy-pr-bot", "unit codecov", "rebuild-docs"])
def test_a_pattern_in_the_middle_of_a_name_exempts_nothing(name: str) -> None:
    assert verdict(run("Gate"), run(name, "FAILURE")).state is State.FAILED


def test_a_sentinel_is_never_exempt() -> None:
    rules = CiRules(sentinels=("Gate",), exempt=(".*gate",))
    assert verdict(run("Gate", "FAILURE"), rules=rules).state is State.FAILED


def test_informational_contexts_do_not_count_but_a_run_of_that_name_does() -> None:
    assert verdict(run("Gate"), context("gitlab/nightly", "FAILURE")).state is State.GREEN
    assert verdict(run("Gate"), run("gitlab/nightly", "FAILURE")).state is State.FAILED


def test_another_commit_is_waited_for() -> None:
    result = verdict(run("Gate"), sha="b" * 40)
    assert (result.state, result.note) == (State.WAITING, OTHER_SHA)
    result = judge(rollup(run("Gate"), sha=""), SHA, RULES)
    assert (result.state, result.note) == (State.WAITING, NO_SHA)


def test_no_check_at_all_is_waited_for_even_without_a_sentinel() -> None:
    for checks in ([], [run("codecov")]):
        result = verdict(*checks, rules=CiRules(exempt=("codecov",)))
        assert (result.state, result.note) == (State.WAITING, NO_CHECKS)


def test_a_superseded_failure_is_gone() -> None:
    checks = [run("Gate"), run("unit", "FAILURE", minute=1), run("unit", minute=2)]
    assert verdict(*checks).state is State.GREEN


def test_a_failure_from_before_the_retry_is_waited_for() -> None:
    checks = rollup(run("Gate", "FAILURE", minute=1), run("unit", "FAILURE", minute=1))
    assert judge(checks, SHA, RULES, retried_at=at(2)).state is State.WAITING


def test_a_sentinel_that_fails_through_accepted_failures_alone_is_explained() -> None:
    checks = rollup(run("Gate", "FAILURE"), run("unit", "FAILURE", workflow="CI"))
    result = judge(checks, SHA, RULES, accepted=[("CI", "unit")])
    assert result.state is State.GREEN
    assert names(result, "accepted") == ["unit", "Gate"]
    assert result.failed == ()


def test_a_failure_beside_the_accepted_ones_leaves_the_sentinel_failed() -> None:
    checks = rollup(run("Gate", "FAILURE"), run("unit", "FAILURE"), run("lint", "FAILURE"))
    result = judge(checks, SHA, RULES, accepted=[("", "unit")])
    assert result.state is State.FAILED
    assert names(result, "failed") == ["Gate", "lint"]


@pytest.mark.parametrize(
    "check",
    [
        context("unit", "FAILURE"),
        run("unit", "FAILURE", job=None),
        run("Gate", "FAILURE"),
    ],
)
def test_what_cannot_be_proved_is_not_accepted(check: Check) -> None:
    result = judge(rollup(run("Gate"), check), SHA, RULES, accepted=[("", "unit"), ("", "Gate")])
    assert result.state is State.FAILED


def test_a_cancelled_sentinel_is_not_explained_by_accepted_failures() -> None:
    checks = rollup(run("Gate", "CANCELLED"), run("unit", "FAILURE"))
    assert judge(checks, SHA, RULES, accepted=[("", "unit")]).state is State.FAILED


def test_a_sentinel_that_fails_alone_with_a_maintainers_job_skipped_needs_a_maintainer() -> None:
    checks = [run("Gate", "FAILURE"), run("integration-h100", "SKIPPED"), run("unit")]
    assert verdict(*checks).needs_maintainer == ("integration-h100",)
    assert verdict(*checks).state is State.FAILED
    failing = verdict(*checks[:2], run("unit", "FAILURE"))
    assert failing.needs_maintainer == ()


def test_accepted_failures_do_not_explain_a_sentinel_while_a_maintainers_job_is_skipped() -> None:
    checks = rollup(
        run("Gate", "FAILURE"), run("integration-h100", "SKIPPED"), run("unit", "FAILURE")
    )
    result = judge(checks, SHA, RULES, accepted=[("", "unit")])
    assert result.state is State.FAILED
    assert result.needs_maintainer == ("integration-h100",)


def test_hundreds_of_contexts_with_reruns() -> None:
    names_ = [f"unit {number}" for number in range(250)]
    old = [run(name, "FAILURE", minute=1) for name in names_]
    new = [run(name, minute=2) for name in names_]
    assert verdict(run("Gate"), *new, *old).state is State.GREEN
    assert len(verdict(run("Gate"), *old, *new).passed) == 251
    late = context("far away", "EXPECTED")
    assert verdict(run("Gate"), *old, *new, late).missing == ("far away",)
    tie = run("unit 7", "CANCELLED", minute=2)
    assert names(verdict(run("Gate"), *new, tie), "failed") == ["unit 7"]


def test_names_that_are_no_unicode_do_no_harm() -> None:
    assert verdict(run("Gate"), run("x\ud800", "FAILURE")).state is State.FAILED


CHECKS = st.one_of(
    st.builds(
        run,
        st.sampled_from(["Gate", "unit", "lint", "codecov", "integration-h100"]),
        st.sampled_from(
            ["SUCCESS", "SKIPPED", "NEUTRAL", "FAILURE", "CANCELLED", "STALE", "", "?"]
        ),
        status=st.sampled_from(["COMPLETED", "COMPLETED", "COMPLETED", "QUEUED", "", "?"]),
        minute=st.one_of(st.none(), st.integers(0, 3)),
        job=st.one_of(st.none(), st.integers(1, 2)),
        workflow=st.sampled_from(["", "CI"]),
    ),
    st.builds(
        context,
        st.sampled_from(["unit", "gitlab/nightly", "codecov/x", "Gate"]),
        st.sampled_from(["SUCCESS", "FAILURE", "ERROR", "PENDING", "EXPECTED", "?"]),
        minute=st.one_of(st.none(), st.integers(0, 3)),
    ),
)


def counts(check: Check) -> bool:
    """Whether a check counts, said again without the gate's own code."""
    if check.kind is CheckKind.CONTEXT and check.name == "gitlab/nightly":
        return False
    return not check.name.startswith("codecov")


def passed(check: Check) -> bool:
    if check.kind is CheckKind.CONTEXT:
        return check.conclusion == "SUCCESS"
    return check.status == "COMPLETED" and check.conclusion in ("SUCCESS", "SKIPPED", "NEUTRAL")


def green_by_definition(checks: list[Check]) -> bool:
    """No entry that counts and may be the newest of its check is anything but passed."""
    by_check: dict[tuple[str, ...], list[Check]] = {}
    for check in filter(counts, checks):
        by_check.setdefault((check.kind, check.workflow, check.name), []).append(check)
    for group in by_check.values():
        times = [check.started_at for check in group if check.started_at]
        for check in group:
            last = check.started_at is None or check.started_at == max(times)
            if last and not passed(check):
                return False
    return any(name == "Gate" for _, _, name in by_check)


@given(st.lists(CHECKS, max_size=10), st.sampled_from([SHA, "b" * 40, ""]))
def test_green_means_that_every_check_that_counts_has_passed_at_our_commit(
    checks: list[Check], sha: str
) -> None:
    result = judge(Rollup(sha, tuple(checks)), SHA, RULES)
    assert (result.state is State.GREEN) == (sha == SHA and green_by_definition(checks))


@given(st.lists(CHECKS, max_size=10), st.lists(CHECKS, max_size=3), st.randoms())
def test_order_and_duplicates_do_not_matter(
    checks: list[Check], more: list[Check], random: object
) -> None:
    checks = checks + more
    shuffled = checks + more
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert verdict(*shuffled) == verdict(*checks)


@given(st.lists(CHECKS, max_size=10), st.sets(st.sampled_from(["unit", "lint", "Gate"])))
def test_with_accepted_failures_green_still_has_nothing_pending_missing_or_failed(
    checks: list[Check], accepted: set[str]
) -> None:
    keys = [(workflow, name) for name in accepted for workflow in ("", "CI")]
    result = judge(rollup(*checks), SHA, RULES, accepted=keys)
    if result.state is State.GREEN:
        assert not (result.failed or result.pending or result.missing)
        assert {item.name for item in result.accepted} <= accepted | {"Gate"}
        assert all(not item.external for item in result.accepted if item.name != "Gate")


@given(st.lists(CHECKS, max_size=10), st.integers(0, 4))
def test_a_retry_never_makes_anything_green_that_was_not(checks: list[Check], minute: int) -> None:
    plain = verdict(*checks)
    retried = judge(rollup(*checks), SHA, RULES, retried_at=at(minute))
    assert retried.state is not State.GREEN or plain.state is State.GREEN
