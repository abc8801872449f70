"""CI that runs for real: exit codes and output of commands on the pushed tree."""

from __future__ import annotations

import pytest

from nightshift.sandbox import After, Job, Sandbox, Tree
from nightshift.sandbox.commands import checking, plan, run
from nightshift.sandbox.repository import Repository
from support.sandbox import commit

NOW = {"starts": After(), "ends": After()}


def tree_of(rocket: Repository, **files: str) -> Tree:
    named = {f"{name}.py": text for name, text in files.items()}
    return Tree(rocket.git, commit(rocket, "fix", named, parent="main"))


def test_a_command_that_passes_and_one_that_fails(rocket: Repository) -> None:
    tree = tree_of(rocket, engine="def start():\n    return 1\n", use="from engine import stop\n")
    assert run(tree, ["python", "-c", "import engine"]) == ("success", "")
    conclusion, log = run(tree, ["python", "-c", "import use"])
    assert conclusion == "failure"
    assert "ImportError: cannot import name 'stop' from 'engine'" in log


def test_a_command_that_takes_too_long(rocket: Repository) -> None:
    conclusion, log = run(
        tree_of(rocket), ["python", "-c", "input = open(0)\nwhile 1: pass"], seconds=0.3
    )
    assert conclusion == "timed_out" and "canceled" in log


def test_the_command_sees_no_environment_of_ours(
    rocket: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INPUT_TOKEN", "secret")
    _, log = run(tree_of(rocket), ["python", "-c", "import os; print(sorted(os.environ))"])
    assert "INPUT_TOKEN" not in log and "CI" in log


def test_a_formatter_finds_what_is_not_formatted_until_it_is(
    bare_box: Sandbox, rocket: Repository
) -> None:
    black = checking(Job("black", **NOW), "python", "-m", "black", "--check", ".")
    bare_box.ci.on_push(plan(black, Job("other", **NOW)))
    for text in ("x=1\n", "x = 1\n"):
        bare_box.ci.pushed(rocket, "fix", tree_of(rocket, engine=text).sha)
    first, _, second, _ = rocket.check_runs
    assert (first.conclusion, second.conclusion) == ("failure", "success")
    assert first.log and "would reformat" in first.log and "engine.py" in first.log
