"""Children run in a folder of their own, without our environment, and end in time."""

from __future__ import annotations

import sys

import pytest

from nightshift.adapters.tools.child import exported, run
from nightshift.errors import HostError

GOOD = frozenset({0})


def test_the_child_sees_nothing_of_our_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_TOKEN", "secret")
    with exported({"a.txt": b"x"}) as root:
        code = "import os, json; print(json.dumps(sorted(os.environ)), os.listdir('.'))"
        answer = run("python", [sys.executable, "-I", "-c", code], cwd=root, seconds=60, good=GOOD)
    assert "SOME_TOKEN" not in answer and "'a.txt'" in answer
    assert not root.exists()


def test_paths_that_lead_out_of_the_folder_are_left_out() -> None:
    files = {
        "../out.py": b"",
        "/abs.py": b"",
        "a/../../b.py": b"",
        ".git/config": b"",
        "in/x.py": b"1",
    }
    with exported(files) as root:
        assert [p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()] == [
            "in/x.py"
        ]


def test_faults_of_a_child_are_the_hosts() -> None:
    with exported({}) as root:
        with pytest.raises(HostError, match="exit code 3"):
            command = [sys.executable, "-I", "-c", "raise SystemExit(3)"]
            run("tool", command, cwd=root, seconds=60, good=GOOD)
        with pytest.raises(HostError, match="could not be started"):
            run("tool", [str(root / "none")], cwd=root, seconds=60, good=GOOD)
        with pytest.raises(HostError, match="did not end") as caught:
            command = [sys.executable, "-I", "-c", "import time; time.sleep(60)"]
            run("tool", command, cwd=root, seconds=0.2, good=GOOD)
        assert caught.value.transient
