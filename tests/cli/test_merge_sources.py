"""`nightshift merge` with git sources: policy's lock command as a real process."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from nightshift.cli.main import main
from support.repos import Repo, diverged

TABLE = "[tool.uv.sources]\n"
ADDED = 'ext = { git = "https://example.com/ext.git", rev = "1" }\n'
POLICY = """\
mode: sync
paths:
  always-target: [/pyproject.toml, /uv.lock]
sources:
  lock-command: {command}
format:
  scope: "off"
invariants:
  always-target: abort
"""

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can run something as another")


def _merge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> tuple[Repo, Any]:
    repo = diverged(
        tmp_path / "r",
        {"pyproject.toml": TABLE, "uv.lock": "0\n", "a.py": "x = 1\n"},
        {"uv.lock": "dev\n"},
        {"pyproject.toml": TABLE + ADDED, "uv.lock": "main\n"},
    )
    monkeypatch.chdir(repo.path)
    policy, report = tmp_path / "policy.yaml", tmp_path / "report.json"
    policy.write_text(POLICY.format(command=json.dumps(command)), encoding="utf-8")
    ends = ("--target", "dev", "--source", "main")
    assert main(["merge", *ends, "--policy", str(policy), "--report", str(report)]) == 0
    data = json.loads(report.read_text(encoding="utf-8"))
    found = [item for item in data["findings"] if item["rule"].startswith("git-source")]
    return repo, [(item["rule"], item["disposition"], item["message"]) for item in found]


@as_root
def test_the_regenerated_lock_is_in_the_merge_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A triple that differs is no broken invariant where it was reconciled."""
    command = "grep -q ext pyproject.toml && id -u > uv.lock && touch stray"
    repo, found = _merge(tmp_path, monkeypatch, command)
    assert [item[:2] for item in found] == [
        ("git-source-added", "repaired"),
        ("git-source-lock", "repaired"),
    ]
    assert repo.git("show", "HEAD:uv.lock") not in ("0", "dev", "main")
    assert repo.git("show", "HEAD:pyproject.toml") + "\n" == TABLE + ADDED
    assert "stray" not in repo.git("ls-tree", "--name-only", "HEAD")
    assert not (repo.path / "stray").exists() and repo.git("status", "--porcelain") == ""


def test_a_command_that_fails_leaves_the_targets_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo, found = _merge(tmp_path, monkeypatch, "echo broken > uv.lock; exit 4")
    assert [item[:2] for item in found] == [
        ("git-source-added", "repaired"),
        ("git-source-lock", "open"),
    ]
    assert "must be regenerated" in found[1][2]
    assert repo.git("show", "HEAD:uv.lock") == "dev"
