"""Only evidence makes a failure the target's own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from nightshift.sync.checks import normal
from nightshift.sync.diagnose import Signature
from nightshift.sync.preexisting import Evidence, Past, judge
from nightshift.values import Check
from support.checks import context, run

SAID: Signature = frozenset({("test", "a.py::t", "")})
MORE = SAID | {("test", "b.py::t", "")}
OURS = normal(run("unit", "FAILURE", workflow="CI"))


def past(conclusion: str | None, signature: Signature = SAID, number: int = 7) -> Past:
    item = normal(run("unit", conclusion, workflow="CI", url="run")) if conclusion else None
    return Past(number, "pull", item, signature)


FAILED = past("FAILURE")
PROOF = Evidence(("CI", "unit"), 7, "pull", "run")


@pytest.mark.parametrize(
    ("history", "proof"),
    [
        ([FAILED], PROOF),
        ([past("FAILURE", MORE)], PROOF),
        ([past(None), past("SKIPPED"), past("CANCELLED"), past("TIMED_OUT"), FAILED], PROOF),
        ([FAILED, past("SUCCESS")], PROOF),
        ([], None),
        ([past(None), past("SKIPPED")], None),
        ([past("SUCCESS"), FAILED], None),
        ([past("NEUTRAL"), FAILED], None),
        ([past("FAILURE", frozenset()), FAILED], None),
        ([past("FAILURE", MORE - SAID), FAILED], None),
        ([past("TIMED_OUT")], None),
    ],
)
def test_the_newest_that_ran_to_its_end_decides(
    history: list[Past], proof: Evidence | None
) -> None:
    assert judge(OURS, SAID, history) == proof


@pytest.mark.parametrize(
    ("check", "signature"),
    [
        (context("unit", "FAILURE"), SAID),
        (run("unit", "FAILURE", job=None), SAID),
        (run("unit", "TIMED_OUT"), SAID),
        (run("unit", "FAILURE"), frozenset()),
    ],
)
def test_what_cannot_be_compared_is_ours(check: Check, signature: Signature) -> None:
    assert judge(normal(check), signature, [FAILED]) is None


def test_history_is_read_no_further_than_needed() -> None:
    def history() -> Iterator[Past]:
        yield past("SUCCESS")
        raise AssertionError("read on")

    assert judge(OURS, SAID, history()) is None
