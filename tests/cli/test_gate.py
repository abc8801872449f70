"""`nightshift gate`, through the console script's main."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nightshift.cli.main import main

POLICY = """
mode: sync
ci:
  sentinels: [Gate]
  exempt: ["codecov"]
"""


def entry(name: str, conclusion: str = "SUCCESS", status: str = "COMPLETED") -> dict[str, Any]:
    return {"__typename": "CheckRun", "name": name, "status": status, "conclusion": conclusion}


@pytest.fixture(name="policy")
def _policy(tmp_path: Path) -> str:
    file = tmp_path / "policy.yaml"
    file.write_text(POLICY)
    return str(file)


def gate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: object, *options: str
) -> dict[str, Any]:
    file = tmp_path / "rollup.json"
    file.write_text(json.dumps(data))
    assert main(["gate", str(file), *options]) == 0
    result = json.loads(capsys.readouterr().out)
    assert isinstance(result, dict)
    return result


def test_a_list(tmp_path: Path, capsys: pytest.CaptureFixture[str], policy: str) -> None:
    data = [entry("Gate"), entry("unit", "FAILURE"), entry("codecov", "FAILURE"), entry("b")]
    data.append(entry("a", "", "QUEUED"))
    result = gate(tmp_path, capsys, data, "--policy", policy)
    assert result.pop("schema_version") == 1
    assert result == {
        "verdict": "failed",
        "sha": "",
        "failed": ["unit"],
        "pending": ["a"],
        "missing": [],
        "passed": ["Gate", "b"],
        "exempt": ["codecov"],
        "needs_maintainer": [],
        "note": "",
    }


def test_the_object_around_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], policy: str
) -> None:
    data = {"headRefOid": "abc", "statusCheckRollup": [entry("Gate")]}
    assert gate(tmp_path, capsys, data, "--policy", policy)["verdict"] == "green"
    assert gate(tmp_path, capsys, data, "--policy", policy, "--sha", "abc")["verdict"] == "green"
    other = gate(tmp_path, capsys, data, "--policy", policy, "--sha", "def")
    assert other["verdict"] == "waiting"
    assert "another commit" in other["note"]


def test_a_sha_that_nothing_confirms_is_waited_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], policy: str
) -> None:
    for sha in ("abc", ""):
        data = {"headRefOid": "def", "statusCheckRollup": [entry("Gate")]}
        assert (
            gate(tmp_path, capsys, data, "--policy", policy, "--sha", sha)["verdict"] == "waiting"
        )
    unbound = gate(tmp_path, capsys, [entry("Gate")], "--policy", policy, "--sha", "abc")
    assert unbound["verdict"] == "waiting"


def test_an_absent_sentinel_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], policy: str
) -> None:
    result = gate(tmp_path, capsys, [entry("unit")], "--policy", policy)
    assert (result["verdict"], result["missing"]) == ("waiting", ["Gate"])


@pytest.mark.parametrize(
    "text", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"3", b'{"a": []}', b"[3]"]
)
def test_malformed_input_is_the_users(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], policy: str, text: bytes
) -> None:
    file = tmp_path / "rollup.json"
    file.write_bytes(text)
    assert main(["gate", str(file), "--policy", policy]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert str(file) in captured.err


def test_without_a_policy_the_generic_one_judges(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gate(tmp_path, capsys, [entry("unit")])["verdict"] == "green"
    assert gate(tmp_path, capsys, [])["verdict"] == "waiting"


def test_a_preset_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = [entry("Nemo_CICD_Test"), entry("Greptile Review", "FAILURE"), entry("unit")]
    result = gate(tmp_path, capsys, data, "--policy", "megatron-nightly")
    assert (result["verdict"], result["exempt"]) == ("green", ["Greptile Review"])
    result = gate(tmp_path, capsys, data[1:], "--policy", "megatron-nightly")
    assert (result["verdict"], result["missing"]) == ("waiting", ["Nemo_CICD_Test"])


def test_what_cannot_be_read_is_the_users(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], policy: str
) -> None:
    assert main(["gate", str(tmp_path / "absent.json"), "--policy", policy]) == 2
    assert "No such file" in capsys.readouterr().err
    file = tmp_path / "rollup.json"
    file.write_text("[]")
    assert main(["gate", str(file), "--policy", "absent"]) == 2
    assert main(["gate", str(file), "--policy", "pytorch-distributed"]) == 2
