"""action.yml, README, the example workflows, Makefile, CI and the code say the same."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from nightshift import inputs
from nightshift.outcome import Outcome

ROOT = Path(__file__).parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
README = (ROOT / "README.md").read_text()
WORKFLOWS = sorted((ROOT / "examples" / "workflows").glob("*.yml"))

OWN_ACTION = re.compile(r"nightshift-action/nightshift@\S+|\./")


def steps_that_use_us(workflow: Path) -> list[dict[str, Any]]:
    jobs = yaml.safe_load(workflow.read_text())["jobs"].values()
    steps = [step for job in jobs for step in job["steps"]]
    return [step for step in steps if OWN_ACTION.fullmatch(step.get("uses", ""))]


def test_it_is_a_container_action_built_from_the_dockerfile() -> None:
    assert ACTION["runs"] == {"using": "docker", "image": "Dockerfile"}


def test_inputs_are_those_that_the_code_reads() -> None:
    assert list(ACTION["inputs"]) == list(inputs.INPUTS)


def test_outputs_are_those_that_the_code_sets() -> None:
    assert list(ACTION["outputs"]) == list(inputs.OUTPUTS)


def test_mode_alone_is_required() -> None:
    assert [name for name, entry in ACTION["inputs"].items() if entry["required"]] == ["mode"]


def test_defaults_are_those_of_the_code() -> None:
    defaults = {
        name: entry["default"] for name, entry in ACTION["inputs"].items() if "default" in entry
    }
    assert defaults.pop("token") == "${{ github.token }}"
    assert defaults.pop("max-issues") == str(inputs.MAX_ISSUES)
    assert defaults.pop("deadline-minutes") == str(inputs.DEADLINE_MINUTES)
    assert set(defaults.values()) == {"", "false"}
    assert set(defaults) == set(inputs.INPUTS) - {"mode", "token", "max-issues", "deadline-minutes"}


@pytest.mark.parametrize("kind", ["inputs", "outputs"])
def test_everything_is_described_with_its_mode(kind: str) -> None:
    for name, entry in ACTION[kind].items():
        text = entry["description"].strip()
        assert text.endswith("."), name
        told = inputs.INPUTS[name] if kind == "inputs" else inputs.OUTPUTS[name][0]
        for mode in inputs.MODES:
            ours = told.startswith(f"{mode}:") or told == mode
            assert text.lower().startswith(f"{mode}:") == ours, f"{name} and {mode}"


def test_the_outcome_is_described_with_all_its_values() -> None:
    described = re.findall(r"`([a-z-]+)`", ACTION["outputs"]["outcome"]["description"])
    assert sorted(described) == sorted(Outcome)


@pytest.mark.parametrize("name", inputs.INPUTS)
def test_readme_has_a_row_for_each_input(name: str) -> None:
    row = re.search(rf"^\| `{name}` \|(.*)$", README, re.MULTILINE)
    assert row
    default = str(ACTION["inputs"][name].get("default", ""))
    if default.isdigit() or default == "false":
        assert f"`{default}`" in row[1]


@pytest.mark.parametrize("name", inputs.OUTPUTS)
def test_readme_names_each_output(name: str) -> None:
    table = README[README.index("### Outputs") :].split("###")[1]
    assert f"`{name}`" in table


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_examples_give_inputs_that_exist_and_ask_for_little(workflow: Path) -> None:
    document = yaml.safe_load(workflow.read_text())
    steps = steps_that_use_us(workflow)
    assert steps
    for step in steps:
        assert set(step["with"]) <= set(ACTION["inputs"])
        assert step["with"]["mode"] in inputs.MODES
    assert document["permissions"] == {}
    for job in document["jobs"].values():
        writes = {scope for scope, level in job["permissions"].items() if level != "read"}
        assert writes <= {"issues"}
        assert "timeout-minutes" in job


def test_each_issue_has_a_concurrency_group_of_its_own() -> None:
    document = yaml.safe_load((ROOT / "examples" / "workflows" / "triage.yml").read_text())
    assert "github.event.issue.number" in document["concurrency"]["group"]
    assert document["concurrency"]["cancel-in-progress"] is False


def test_the_parts_of_the_sweep_are_a_whole() -> None:
    document = yaml.safe_load((ROOT / "examples" / "workflows" / "triage-sweep.yml").read_text())
    shards = document["jobs"]["sweep"]["strategy"]["matrix"]["shard"]
    read = [
        inputs.read(
            {
                "INPUT_MODE": "triage",
                "INPUT_TOKEN": "t",
                "INPUT_SWEEP": "true",
                "INPUT_SHARD": shard,
                "GITHUB_REPOSITORY": "o/r",
            },
            None,
        ).triage.shard
        for shard in shards
    ]
    for number in range(1, 50):
        assert sum(part is not None and part.takes(number) for part in read) == 1


def test_ci_runs_the_suite_the_linters_and_the_image() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    assert re.findall(r"^make .* (\S+)$", script, re.MULTILINE) == ["test", "lint", "image-test"]


def test_readme_starts_with_the_two_commands() -> None:
    first = README.split("```")[1]
    makefile = (ROOT / "Makefile").read_text()
    for target in ("demo", "test"):
        assert f"make {target}" in first
        assert re.search(rf"^{target}: \$\(VENV\)/\.dev ", makefile, re.MULTILINE)
