"""A night's sync that brings a git source and code without docstrings, through the action as it
starts: the lock by policy's command, pylint, and what the pull request says of both."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.sync_night import BASE, POLICY, SyncNight

TABLE = "[tool.black]\nline-length = 100\n\n[tool.uv.sources]\n"
ADDED = 'ext = { git = "https://example.com/ext.git", rev = "1" }\n'
RULES = """\
sources:
  lock-command: "{ env; cat /proc/$PPID/environ; } > seen 2>&1; tr -d '\\\\0' < seen > uv.lock"
lint:
  paths: [/pkg/]
  messages: [missing-function-docstring, line-too-long]
  missing-docstring: stub
"""
GUARDED = POLICY.replace("paths:\n", "paths:\n  always-target: [/pyproject.toml, /uv.lock]\n")
BARE = '"""Of main."""\n\n\ndef collect_all():\n    return 1\n'


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run a command as another user")
def test_a_source_its_lock_and_a_stub_are_in_the_merge_and_told(tmp_path: Path) -> None:
    base = {**BASE, "pyproject.toml": TABLE, "uv.lock": "0\n"}
    main = {"pyproject.toml": TABLE + ADDED, "uv.lock": "main\n", "pkg/new.py": BARE}
    policy = GUARDED + RULES
    with SyncNight(tmp_path, base=base, main=main, policy=policy) as night:
        ran = night.run()
        assert ran.outcome == "ready"
        assert night.text("pyproject.toml") == TABLE + ADDED
        lock = night.text("uv.lock")
        assert "HOME=/tmp/" in lock and "ermission denied" in lock and "TOKEN" not in lock
        assert '    """Collect all."""\n' in night.text("pkg/new.py")
        body = night.pull.body
        assert "git-source-added" in body.partition("### Git sources")[2]
        assert "a stub was written for" in body.partition("### Findings")[2]
        assert "pylint was not run" not in body and "sources were not" not in body
        assert len(night.subjects()) == 1
