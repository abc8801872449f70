"""The normal form, row by row, and which entry of a check is the newest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightshift.sync.checks import TABLE, Normal, Place, newest, normal
from nightshift.values import Check, CheckKind
from support.checks import at, context, run, running

# The whole table again, by hand: a word that moves must be moved here too.
RUN_STATUSES = ["QUEUED", "IN_PROGRESS", "WAITING", "PENDING", "REQUESTED"]
PASSED = ["SUCCESS", "SKIPPED", "NEUTRAL"]
FAILED = ["FAILURE", "CANCELLED", "TIMED_OUT", "ACTION_REQUIRED", "STALE", "STARTUP_FAILURE", ""]
STATES = {
    "SUCCESS": ("COMPLETED", "SUCCESS", Place.PASSED),
    "FAILURE": ("COMPLETED", "FAILURE", Place.FAILED),
    "ERROR": ("COMPLETED", "FAILURE", Place.FAILED),
    "PENDING": ("IN_PROGRESS", "", Place.PENDING),
    "EXPECTED": ("IN_PROGRESS", "", Place.EXPECTED),
    "HIBERNATING": ("IN_PROGRESS", "", Place.PENDING),
    "": ("IN_PROGRESS", "", Place.PENDING),
}


def facts(item: Normal) -> tuple[str, str, Place]:
    return item.status, item.conclusion, item.place


@pytest.mark.parametrize("status", RUN_STATUSES)
def test_a_run_that_has_not_ended_is_pending_whatever_its_conclusion_says(status: str) -> None:
    for word in (status, status.lower()):
        check = Check(CheckKind.RUN, "x", word, "SUCCESS")
        assert facts(normal(check)) == (status, "", Place.PENDING)


@pytest.mark.parametrize("status", ["", "HIBERNATING", "DONE", "completed ", "SUCCESS"])
def test_a_status_that_is_not_known_is_in_progress(status: str) -> None:
    check = Check(CheckKind.RUN, "x", status, "SUCCESS")
    assert facts(normal(check)) == ("IN_PROGRESS", "", Place.PENDING)


@pytest.mark.parametrize("conclusion", PASSED)
def test_conclusions_that_pass(conclusion: str) -> None:
    for word in (conclusion, conclusion.lower()):
        assert facts(normal(run("x", word))) == ("COMPLETED", conclusion, Place.PASSED)


@pytest.mark.parametrize("conclusion", [*FAILED, "EXPLODED"])
def test_conclusions_that_fail_and_any_that_is_not_known(conclusion: str) -> None:
    assert facts(normal(run("x", conclusion))) == ("COMPLETED", conclusion, Place.FAILED)


@pytest.mark.parametrize("state", list(STATES))
def test_states_of_contexts(state: str) -> None:
    assert facts(normal(context("x", state))) == STATES[state]
    assert facts(normal(context("x", state.lower()))) == STATES[state]


def test_every_row_of_the_table_is_tested() -> None:
    rows = {("status", word) for word in RUN_STATUSES}
    rows |= {("conclusion", word) for word in PASSED + FAILED}
    rows |= {("state", word) for word in STATES if word not in ("HIBERNATING", "")}
    assert set(TABLE) == rows


def test_only_the_newest_entry_of_a_check_counts() -> None:
    old, new = run("x", "FAILURE", minute=1), run("x", minute=2)
    for order in ([old, new], [new, old]):
        (item,) = newest(order)
        assert item.place is Place.PASSED


def test_the_same_name_in_two_workflows_is_two_checks() -> None:
    items = newest([run("x", "FAILURE", workflow="a", minute=1), run("x", workflow="b", minute=2)])
    assert [item.place for item in items] == [Place.FAILED, Place.PASSED]


def test_a_check_run_and_a_context_of_one_name_are_two_checks() -> None:
    items = newest([context("x", "FAILURE", minute=1), run("x", minute=2)])
    assert sorted(item.place for item in items) == [Place.PASSED, Place.FAILED]


@pytest.mark.parametrize(
    ("one", "other", "place"),
    [
        (run("x"), run("x", "FAILURE"), Place.FAILED),
        (run("x"), running("x"), Place.PENDING),
        (run("x", "FAILURE"), running("x"), Place.PENDING),
        (run("x", minute=9), run("x", "FAILURE", minute=None), Place.FAILED),
        (run("x", minute=9), running("x", minute=None), Place.PENDING),
        (run("x", minute=None), run("x", "FAILURE", minute=1), Place.FAILED),
    ],
)
def test_a_tie_or_a_missing_time_assumes_the_worse(one: Check, other: Check, place: Place) -> None:
    for order in ([one, other], [other, one]):
        (item,) = newest(order)
        assert item.place is place


def test_an_older_entry_is_no_rival_where_the_times_are_known() -> None:
    entries = [running("x", minute=1), run("x", "FAILURE", minute=2), run("x", minute=3)]
    assert [item.place for item in newest(entries)] == [Place.PASSED]


def test_failures_older_than_a_retry_are_pending() -> None:
    entries = [
        run("old", "FAILURE", minute=1),
        run("new", "FAILURE", minute=5),
        run("none", "FAILURE", minute=None),
        run("fine", minute=1),
    ]
    places = {item.name: item.place for item in newest(entries, retried_at=at(5))}
    assert places == {
        "old": Place.PENDING,
        "new": Place.FAILED,
        "none": Place.PENDING,
        "fine": Place.PASSED,
    }


@given(
    st.lists(
        st.builds(
            run,
            st.sampled_from(["x", "y"]),
            st.sampled_from(PASSED + FAILED),
            status=st.sampled_from(["COMPLETED", *RUN_STATUSES]),
            minute=st.one_of(st.none(), st.integers(0, 3)),
            job=st.integers(1, 3),
        ),
        max_size=8,
    ),
    st.randoms(use_true_random=False),
)
def test_order_and_duplicates_do_not_matter(checks: list[Check], random: object) -> None:
    shuffled = checks + checks[:3]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert newest(shuffled) == newest(checks)
