"""The runner of the tests does what a hosted runner does; a tool that lies would hide faults."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from support.runner import RunnerEnv, input_variables, read_commands


@dataclass
class Box:
    """A sandbox that nobody asks anything."""

    token: str = "secret"
    server_url: str = "http://127.0.0.1:1"
    api_url: str = "http://127.0.0.1:1/api/v3"
    graphql_url: str = "http://127.0.0.1:1/api/graphql"


EVENT = {"action": "labeled", "repository": {"full_name": "owner/name"}}


def test_every_declared_input_is_there_under_the_runners_name() -> None:
    variables = input_variables({"mode": "sync", "dry-run": "true"}, "secret")
    assert variables["INPUT_MODE"] == "sync"
    assert variables["INPUT_DRY-RUN"] == "true"
    assert variables["INPUT_TOKEN"] == "secret"
    assert variables["INPUT_ISSUE-NUMBER"] == ""
    assert variables["INPUT_DEADLINE-MINUTES"] == "330"


def test_an_input_that_is_not_declared_is_a_mistake_of_the_test() -> None:
    with pytest.raises(AssertionError, match="modes"):
        input_variables({"modes": "sync"}, "secret")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        ("a=1\nb=2\n", {"a": "1", "b": "2"}),
        ("a=x<<y\n", {"a": "x<<y"}),
        ("a<<E\n1\n\n2=3\nE\nb=\n", {"a": "1\n\n2=3", "b": ""}),
        ("a<<E\nE\n", {"a": ""}),
    ],
)
def test_commands_are_read_by_the_runners_rules(
    tmp_path: Path, text: str, expected: dict[str, str]
) -> None:
    file = tmp_path / "output"
    file.write_text(text)
    assert read_commands(file) == expected


@pytest.mark.parametrize("text", ["a\n", "=1\n", "a<<E\n1\n", "a<<E\n1\n E\n"])
def test_what_the_runner_refuses_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "output"
    file.write_text(text)
    with pytest.raises(AssertionError):
        read_commands(file)


def test_all_paths_of_the_container_are_inside_of_it(tmp_path: Path) -> None:
    runner = RunnerEnv(tmp_path, Box(), {"mode": "triage"}, "issues", EVENT)
    inside, outside = runner.container_env, runner.env
    assert not [name for name, value in inside.items() if str(tmp_path) in value]
    for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_STATE", "GITHUB_ENV"):
        assert inside[name].startswith("/github/file_commands/")
        assert Path(outside[name]).stat().st_size == 0
    assert inside["HOME"] == "/github/home"
    assert inside["GITHUB_WORKSPACE"] == "/github/workspace"
    assert inside["GITHUB_EVENT_PATH"] == "/github/workflow/event.json"


def test_nothing_of_this_process_reaches_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "of the developer")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    runner = RunnerEnv(tmp_path, Box(), {"mode": "triage"}, "issues", EVENT)
    assert not {"GITHUB_TOKEN", "PYTHONPATH"} & set(runner.env)
