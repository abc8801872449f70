"""`nightshift decide`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from nightshift.cli.main import main
from support.triage import EXAMPLES, FSDP_BUG, OUT, SCOPE


@pytest.fixture(name="file")
def _file(tmp_path: Path) -> Path:
    path = tmp_path / "issues.jsonl"
    cases = [
        {"number": n, "title": t, "body": b, "comments": [], "labels_now": [SCOPE]}
        for n, (t, b) in enumerate((FSDP_BUG, OUT), start=1)
    ]
    path.write_text("\n".join(json.dumps(case) for case in cases), encoding="utf-8")
    return path


def test_one_decision_a_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decide", str(file)]) == 0
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (first["number"], first["outcome"]) == (1, "triaged")
    assert (second["number"], second["comment"]) == (2, "not_distributed")


def test_explain_one(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decide", str(file), "--explain", "--number", "1"]) == 0
    out = capsys.readouterr().out
    assert "#1: triaged" in out and "fsdp in title" in out and "#2" not in out


def test_standard_input(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(file.read_text(encoding="utf-8")))
    assert main(["decide", "-"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_another_projects_policy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "issues.jsonl"
    case = {"number": 1, "title": "Cache: eviction fails", "labels_now": ["area: storage"]}
    file.write_text(json.dumps(case), encoding="utf-8")
    assert main(["decide", str(file), "--policy", str(EXAMPLES / "harbour.yaml")]) == 0
    decision = json.loads(capsys.readouterr().out)
    assert decision["add_labels"] == [
        "team: client",
        "component: cache",
        "needs repro",
        "storage-triaged",
    ]
    assert decision["comment"] == "needs_steps"


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["nowhere.jsonl"], "nowhere.jsonl: cannot be read"),
        (["{file}", "--policy", "nothing"], "there is no preset 'nothing'"),
        (["{file}", "--policy", "nowhere.yaml"], "nowhere.yaml: cannot be read"),
        (["{file}", "--policy", "main-to-dev"], "this policy is for mode sync"),
        (["{bad}"], "bad.jsonl:1: this line is no issue"),
    ],
)
def test_bad_input(
    argv: list[str], message: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = file.parent / "bad.jsonl"
    bad.write_text("no json", encoding="utf-8")
    words = [word.format(file=file, bad=bad) for word in argv]
    assert main(["decide", *words]) == 2
    assert message in capsys.readouterr().err
