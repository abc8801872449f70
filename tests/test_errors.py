"""Errors have an owner, and each owner an exit code; outcomes have one place in one table."""

from __future__ import annotations

import pytest

from nightshift.errors import Defect, HostError, NightshiftError, UserError, UserErrors
from nightshift.outcome import TABLE, Outcome, exit_code


@pytest.mark.parametrize(
    ("error", "owner", "code"),
    [
        (UserError("x"), "user", 2),
        (UserErrors([UserError("x")]), "user", 2),
        (HostError("x"), "host", 3),
        (Defect("x"), "nightshift", 70),
    ],
)
def test_an_owner_decides_the_exit_code(error: NightshiftError, owner: str, code: int) -> None:
    assert (error.owner, error.exit_code) == (owner, code)


def test_an_error_says_where_what_and_how_to_mend() -> None:
    error = UserError("unknown key.", where="p.yaml:3: paths.keep", mend="Known keys here: a, b.")
    assert str(error) == "p.yaml:3: paths.keep: unknown key. Known keys here: a, b."


def test_several_errors_are_one_line_each() -> None:
    both = UserErrors([UserError("one", where="a"), UserError("two", mend="Do it.")])
    assert str(both).splitlines() == ["a: one", "two Do it."]


def test_every_outcome_is_in_the_table() -> None:
    assert set(TABLE) == set(Outcome)


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (Outcome.READY, 0),
        (Outcome.PARTIAL, 0),
        (Outcome.NEEDS_HUMAN, 1),
        (Outcome.BLOCKED, 1),
        (Outcome.TIMED_OUT, 1),
    ],
)
def test_exit_codes_of_outcomes(outcome: Outcome, code: int) -> None:
    assert exit_code(outcome) == code
