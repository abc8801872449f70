"""Judgements against gold."""

from __future__ import annotations

from typing import Any

import pytest

from nightshift.triage.backtest import MODULE, NO_TEAM, PRIORITY, SCOPE, TEAM, TYPE, Tally, compare
from nightshift.triage.judge import judge
from support.triage import FSDP_BUG, INFRA, OUT, PARALLELISMS, TIMEOUT, issue, pytorch

GOLD: dict[str, Any] = {
    "distributed": True,
    "sub_oncall": PARALLELISMS,
    "modules": ["module: FSDP"],
    "type": "bug",
    "high_priority": False,
    "needs_reproduction": False,
}


def tally(
    report: tuple[str, str] = FSDP_BUG, case: dict[str, Any] | None = None, **gold: Any
) -> Tally:
    full = {"gold": GOLD | gold, **(case or {})}
    return compare([(7, judge(issue(report), pytorch()), full)])


def test_all_right() -> None:
    found = tally()
    assert not found.misses and found.cases == 1
    assert all(count.f1 == 1.0 for count in found.counts.values())
    assert found.teams == {(PARALLELISMS, PARALLELISMS): 1}


def test_misses_are_named() -> None:
    found = tally(sub_oncall=INFRA, modules=["module: ddp"], type="feature", high_priority=True)
    asked = {miss.question: (miss.wanted, miss.given) for miss in found.misses}
    assert asked[TEAM] == ((INFRA,), (PARALLELISMS,))
    assert asked[MODULE] == (("module: ddp",), ("module: fsdp",))
    assert asked[TYPE] == (("feature",), ("bug",))
    assert asked[PRIORITY] == (("yes",), ())
    module = found.total(MODULE)
    assert (module.hits, module.wrong, module.missed) == (0, 1, 1)
    assert module.precision == module.recall == module.f1 == 0.0


def test_out_of_scope() -> None:
    assert not tally(OUT, distributed=False).misses
    (missed, *_) = tally(OUT).misses
    assert (missed.question, missed.wanted, missed.given) == (SCOPE, ("yes",), ())
    assert tally(OUT).teams == {(PARALLELISMS, NO_TEAM): 1}


def test_what_gold_leaves_out_is_not_counted() -> None:
    found = compare(
        [(7, judge(issue(TIMEOUT), pytorch()), {"gold": {"type": None, "modules": []}})]
    )
    assert not found.counts and found.total(SCOPE).f1 is None


@pytest.mark.parametrize(("also", "wrong"), [(["module: FSDP"], 0), ([], 1)])
def test_a_literal_module_is_not_wrong(also: list[str], wrong: int) -> None:
    found = tally(case={"literal_modules": also}, modules=["module: ddp"])
    assert found.total(MODULE).wrong == wrong
