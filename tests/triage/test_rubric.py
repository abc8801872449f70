"""The built-in rubric on reports made up for it: one for each signal and each named confusion."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from nightshift.triage.judge import judge
from nightshift.triage.values import Confidence
from support.triage import CHECKPOINTING, INFRA, PARALLELISMS, issue, pytorch

CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "rubric.yaml").read_text(encoding="utf-8")
)
TEAMS = {"p": PARALLELISMS, "i": INFRA, "c": CHECKPOINTING}


@pytest.mark.parametrize("case", CASES, ids=[case["t"] for case in CASES])
def test_reading(case: dict[str, Any]) -> None:
    judged = judge(issue((case["t"], case["b"]), comments=tuple(case.get("c", ()))), pytorch())
    assert judged.in_scope is (case.get("scope") != "out")
    if not judged.in_scope:
        return
    assert judged.team.label == TEAMS[case["team"]]
    assert judged.kind.value == case["k"]
    assert judged.high_priority is case.get("hp", False)
    if case["team"] != "c":
        sure = {v.label for v in judged.modules if v.confidence is not Confidence.LOW}
        assert sure == {f"module: {name}" for name in case["m"]}
