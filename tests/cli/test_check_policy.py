"""`nightshift check-policy`: valid, faulty, not there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nightshift.cli.main import main
from nightshift.policy import load

FAULTY = "mode: sync\nwinz: source\npaths:\n  never-touch: [a//b]\nci:\n  poll-seconds: soon\n"


def test_a_valid_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "policy.txt"
    file.write_text("mode: sync\n", encoding="utf-8")
    assert main(["check-policy", str(file)]) == 0
    assert capsys.readouterr().out == f"{file}: a valid policy for mode sync.\n"


@pytest.mark.parametrize("name", load.preset_names())
def test_every_preset(name: str) -> None:
    assert main(["check-policy", name]) == 0


def test_every_fault_with_file_line_and_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(FAULTY, encoding="utf-8")
    assert main(["check-policy", str(file)]) == 2
    err = capsys.readouterr().err
    for place in ("2: winz", "4: paths.never-touch.0", "6: ci.poll-seconds"):
        assert f"{file}:{place}: " in err
    assert "Did you mean `wins`?" in err


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(FAULTY, encoding="utf-8")
    assert main(["check-policy", str(file), "--json"]) == 2
    data = json.loads(capsys.readouterr().out)
    assert data["valid"] is False and len(data["errors"]) == 3
    assert {error["where"] for error in data["errors"]} >= {f"{file}:2: winz"}
    assert main(["check-policy", "main-to-dev", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["valid"] is True


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-policy", str(tmp_path / "nowhere.yaml")]) == 2
    assert "cannot be read" in capsys.readouterr().err
    assert main(["check-policy", "nobody"]) == 2
    assert "there is no preset" in capsys.readouterr().err
