"""The Actions runner around a container action: its variables, its files, its folders, its owner.

Made after what a hosted runner hands to `docker run`: one variable for each declared input, given
or not; files for outputs and summary; a home, a workspace, an event. The program runs in it as a
subprocess (`env`) or in a container (`container_env` with `volumes`).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import yaml

ROOT = Path(__file__).parents[2]
ENTRYPOINT = ROOT / "entrypoint" / "main.py"
RUNNER_UID = 1001
TOKEN_EXPRESSION = "${{ github.token }}"
NO_SHA = "0" * 40

_COMMAND_FILES = {
    "GITHUB_OUTPUT": "set_output",
    "GITHUB_STEP_SUMMARY": "step_summary",
    "GITHUB_STATE": "save_state",
    "GITHUB_ENV": "set_env",
    "GITHUB_PATH": "add_path",
}


class Box(Protocol):
    """What is needed of the sandbox: a token, and the addresses that the runner hands on."""

    token: str

    @property
    def server_url(self) -> str: ...

    @property
    def api_url(self) -> str: ...

    @property
    def graphql_url(self) -> str: ...


class RunnerEnv:
    """The runner's side of one step.

    :param inputs: the step's `with`; every other declared input gets its default.
    :param event_name: `issues`, `schedule`, …
    :param event: the event's payload; its `repository.full_name` is the repository.
    :param sha: the commit that the workflow runs on.
    """

    def __init__(
        self,
        tmp_path: Path,
        box: Box,
        inputs: Mapping[str, str],
        event_name: str,
        event: Mapping[str, Any],
        *,
        sha: str = NO_SHA,
    ) -> None:
        self._box = box
        self._inputs = input_variables(inputs, box.token)
        self._event_name = event_name
        self._repository = str(event["repository"]["full_name"])
        self._sha = sha
        self.temp = tmp_path / "_temp"
        self.home = self.temp / "_github_home"
        self.workflow = self.temp / "_github_workflow"
        self.commands = self.temp / "_runner_file_commands"
        self.workspace = tmp_path / "work" / self._repository.partition("/")[2]
        for folder in (self.home, self.workflow, self.commands, self.workspace):
            folder.mkdir(parents=True, exist_ok=True)
        (self.workflow / "event.json").write_text(json.dumps(event))
        self._files = {
            variable: self.commands / f"{name}_{uuid.uuid4()}"
            for variable, name in _COMMAND_FILES.items()
        }
        for file in self._files.values():
            file.touch()

    @property
    def env(self) -> dict[str, str]:
        """The whole environment of a subprocess; nothing of this process but where programs are."""
        return self._variables(Path) | {
            "PATH": os.environ.get("PATH", os.defpath),
            "LANG": "C.UTF-8",
        }

    @property
    def container_env(self) -> dict[str, str]:
        """What the runner adds to the image's own environment, with the container's paths."""
        return self._variables(self._inside)

    @property
    def volumes(self) -> dict[Path, str]:
        """Folder of the host → its place in the container; the inner ones come first."""
        return {
            self.home: "/github/home",
            self.workflow: "/github/workflow",
            self.commands: "/github/file_commands",
            self.temp: "/github/runner_temp",
            self.workspace: "/github/workspace",
        }

    def give_to_runner_user(self) -> None:
        """Hand all files to the runner's user, as on a hosted runner; the container is root."""
        for top in (self.temp, self.workspace):
            for path in (top, *top.rglob("*")):
                os.chown(path, RUNNER_UID, RUNNER_UID, follow_symlinks=False)

    def run(self, *, timeout: float = 300) -> subprocess.CompletedProcess[str]:
        """Run the entrypoint as a subprocess in the workspace, as the image starts it."""
        return subprocess.run(
            [sys.executable, "-I", "-u", str(ENTRYPOINT)],
            env=self.env,
            cwd=self.workspace,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    def outputs(self) -> dict[str, str]:
        """The outputs that were set."""
        return read_commands(self._files["GITHUB_OUTPUT"])

    def exports(self) -> dict[str, str]:
        """The variables that later steps would see."""
        return read_commands(self._files["GITHUB_ENV"])

    def summary(self) -> str:
        """The step summary."""
        return self._files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")

    def _inside(self, path: Path) -> str:
        for folder, place in self.volumes.items():
            if path.is_relative_to(folder):
                return str(Path(place) / path.relative_to(folder))
        raise AssertionError(f"{path} is not mounted")

    def _variables(self, place: Any) -> dict[str, str]:
        owner = self._repository.partition("/")[0]
        files = {name: str(place(path)) for name, path in self._files.items()}
        return {
            **self._inputs,
            **files,
            "CI": "true",
            "HOME": str(place(self.home)),
            "GITHUB_ACTION": "nightshift",
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTION_REPOSITORY": "",
            "GITHUB_ACTOR": "night-reader",
            "GITHUB_API_URL": self._box.api_url,
            "GITHUB_BASE_REF": "",
            "GITHUB_EVENT_NAME": self._event_name,
            "GITHUB_EVENT_PATH": str(place(self.workflow / "event.json")),
            "GITHUB_GRAPHQL_URL": self._box.graphql_url,
            "GITHUB_HEAD_REF": "",
            "GITHUB_JOB": "night",
            "GITHUB_REF": "refs/heads/main",
            "GITHUB_REF_NAME": "main",
            "GITHUB_REPOSITORY": self._repository,
            "GITHUB_REPOSITORY_OWNER": owner,
            "GITHUB_RUN_ATTEMPT": "1",
            "GITHUB_RUN_ID": "4242",
            "GITHUB_RUN_NUMBER": "7",
            "GITHUB_SERVER_URL": self._box.server_url,
            "GITHUB_SHA": self._sha,
            "GITHUB_WORKFLOW": "night",
            "GITHUB_WORKSPACE": str(place(self.workspace)),
            "RUNNER_ARCH": "X64",
            "RUNNER_ENVIRONMENT": "github-hosted",
            "RUNNER_NAME": "a runner",
            "RUNNER_OS": "Linux",
            "RUNNER_TEMP": str(place(self.temp)),
        }


def input_variables(given: Mapping[str, str], token: str) -> dict[str, str]:
    """`INPUT_*` for every declared input: upper case, spaces to `_`, hyphens kept."""
    declared = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    unknown = set(given) - set(declared)
    assert not unknown, f"action.yml declares no {sorted(unknown)}"
    values = {name: str(entry.get("default", "")) for name, entry in declared.items()}
    values = {name: token if text == TOKEN_EXPRESSION else text for name, text in values.items()}
    return {
        f"INPUT_{name.replace(' ', '_').upper()}": text
        for name, text in {**values, **given}.items()
    }


def read_commands(file: Path) -> dict[str, str]:
    """What a file of commands says, by the runner's rules: `name=value`, or a heredoc.

    :raises AssertionError: the runner would refuse the file.
    """
    found: dict[str, str] = {}
    lines = iter(file.read_text(encoding="utf-8").split("\n"))
    for line in lines:
        if not line:
            continue
        heredoc, equals = line.find("<<"), line.find("=")
        if heredoc >= 0 and (equals < 0 or heredoc < equals):
            name, delimiter = line[:heredoc], line[heredoc + 2 :]
            found[name] = "\n".join(_until(delimiter, lines))
        else:
            assert equals > 0, f"neither `name=value` nor a heredoc: {line!r}"
            found[line[:equals]] = line[equals + 1 :]
    return found


def _until(delimiter: str, lines: Any) -> list[str]:
    body: list[str] = []
    for line in lines:
        if line == delimiter:
            return body
        body.append(line)
    raise AssertionError(f"no line {delimiter!r} ends the heredoc")
