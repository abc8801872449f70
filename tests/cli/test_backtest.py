"""`nightshift backtest triage`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nightshift.cli.main import main
from support.triage import FSDP_BUG, INFRA, OUT, PARALLELISMS, SCOPE


@pytest.fixture(name="file")
def _file(tmp_path: Path) -> Path:
    golds = (
        {"distributed": True, "sub_oncall": INFRA, "modules": ["module: fsdp"], "type": "bug"},
        {"distributed": False},
    )
    cases = [
        {"number": n, "title": t, "body": b, "labels_now": [SCOPE], "gold": gold}
        for n, ((t, b), gold) in enumerate(zip((FSDP_BUG, OUT), golds, strict=True), start=1)
    ]
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(json.dumps(case) for case in cases), encoding="utf-8")
    return path


def test_as_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backtest", "triage", str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema_version"] == 1 and found["cases"] == 2
    assert found["totals"]["module"]["f1"] == 1.0
    assert found["labels"]["module: module: fsdp"]["hits"] == 1
    assert found["teams"] == [{"wanted": INFRA, "given": PARALLELISMS, "count": 1}]
    (miss,) = found["misses"]
    assert (miss["number"], miss["question"]) == (1, "team")
    assert any("fsdp (title)" in line for line in miss["evidence"])


def test_in_words(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backtest", "triage", str(file)]) == 0
    out = capsys.readouterr().out
    assert "2 cases" in out and "precision" in out and "1 misses" in out
    assert f"{INFRA} -> {PARALLELISMS}" in out
    assert f"#1 team: wanted {INFRA}; given {PARALLELISMS}" in out


def test_a_mode_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as error:
        main(["backtest"])
    assert error.value.code == 2 and "MODE" in capsys.readouterr().err
