"""Inputs: every problem at once, empty is unset, nothing that looks like an option passes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightshift import inputs
from nightshift.errors import UserError, UserErrors
from nightshift.inputs import Shard, check_path, read

BASE = {"INPUT_MODE": "triage", "INPUT_TOKEN": "t0ken", "GITHUB_REPOSITORY": "o/r"}


def env(**more: str) -> dict[str, str]:
    named = {
        key.replace("_", "-") if key.startswith("INPUT_") else key: value
        for key, value in more.items()
    }
    return {**BASE, **{key.replace("INPUT-", "INPUT_"): value for key, value in named.items()}}


def problems(environment: dict[str, str], event: str | None = None) -> list[str]:
    with pytest.raises(UserErrors) as caught:
        read(environment, event)
    return [str(error) for error in caught.value.errors]


def test_everything_that_is_wrong_is_said_at_once() -> None:
    found = problems(
        env(
            INPUT_MODE="tidy",
            INPUT_TOKEN=" ",
            INPUT_DRY_RUN="perhaps",
            INPUT_MAX_ISSUES="-3",
            INPUT_SHARD="5/4",
            INPUT_SOURCE="--upload-pack=x",
            GITHUB_REPOSITORY="",
        )
    )
    for place in (
        "input mode",
        "input token",
        "input dry-run",
        "input max-issues",
        "input shard",
        "input source",
        "GITHUB_REPOSITORY",
    ):
        assert any(line.startswith(place) for line in found), place


def test_unknown_mode_names_the_modes() -> None:
    assert "triage, sync" in problems(env(INPUT_MODE="Triage!"))[0]


def test_missing_token_says_how_to_give_one() -> None:
    assert problems(env(INPUT_TOKEN="", INPUT_SWEEP="true")) == [
        f"input token: it is missing. {inputs.MEND_TOKEN}"
    ]


def test_empty_variables_are_unset_ones() -> None:
    told = read(
        env(INPUT_SWEEP="true", INPUT_POLICY="", INPUT_MAX_ISSUES="", GITHUB_API_URL=""), None
    )
    assert told.policy is None
    assert told.triage.max_issues == inputs.MAX_ISSUES
    assert told.host.api_url == "https://api.github.com"


def test_api_url_is_the_runners() -> None:
    told = read(env(INPUT_SWEEP="true", GITHUB_API_URL="https://ghe.example/api/v3/"), None)
    assert told.host.api_url == "https://ghe.example/api/v3"


def test_the_token_does_not_show_itself() -> None:
    told = read(env(INPUT_SWEEP="yes"), None)
    assert "t0ken" not in repr(told) + str(told.token) + f"{told.token}"
    assert told.token.reveal() == "t0ken"


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("TRUE", True), ("on", True), ("1", True), ("no", False), ("", False)],
)
def test_booleans(text: str, value: bool) -> None:
    assert read(env(INPUT_ISSUE_NUMBER="7", INPUT_FORCE=text), None).triage.force is value


def labelled(**issue: object) -> str:
    payload = {"action": "labeled", "issue": {"number": 5, **issue}, "label": {"name": "scope"}}
    return json.dumps({**payload, "sender": {"login": "ann"}})


def test_an_issues_event_is_read() -> None:
    told = read(env(GITHUB_EVENT_NAME="issues"), labelled())
    assert told.triage.event is not None
    assert (told.triage.event.number, told.triage.event.label, told.triage.event.sender) == (
        5,
        "scope",
        "ann",
    )


@pytest.mark.parametrize(
    "text", [None, "", "[]", "{}", '{"issue": null}', '{"issue": {"number": "x"}}']
)
def test_an_event_without_an_issue_is_refused(text: str | None) -> None:
    assert "the event has no issue" in problems(env(GITHUB_EVENT_NAME="issues"), text)[0]


def test_a_pull_request_is_not_an_issue() -> None:
    assert (
        "#5 is a pull request"
        in problems(env(GITHUB_EVENT_NAME="issues"), labelled(pull_request={"url": "x"}))[0]
    )


def test_triage_needs_something_to_look_at() -> None:
    assert "there is no issue to look at" in problems(env(GITHUB_EVENT_NAME="schedule"))[0]


def test_one_issue_and_a_sweep_exclude_each_other() -> None:
    assert (
        "cannot be asked for together"
        in problems(env(INPUT_ISSUE_NUMBER="3", INPUT_SWEEP="true"))[0]
    )


def test_sync_does_not_read_the_event() -> None:
    told = read(env(INPUT_MODE="sync", GITHUB_EVENT_NAME="issues"), "not json")
    assert told.triage.event is None


def test_source_and_target_must_differ() -> None:
    assert (
        "both 'main'"
        in problems(env(INPUT_MODE="sync", INPUT_SOURCE="main", INPUT_TARGET="main"))[0]
    )


@pytest.mark.parametrize("ref", ["--exec=x", "a b", "a..b", "a~1"])
@pytest.mark.parametrize("name", ["source", "target", "sync-branch"])
def test_what_is_no_branch_name_is_refused(name: str, ref: str) -> None:
    environment = env(INPUT_MODE="sync") | {f"INPUT_{name.upper()}": ref}
    assert problems(environment)[0].startswith(f"input {name}: {ref!r} is no valid name")


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../x", "a/../b", "-o", "a//b", "", "a\\b", "a\nb"]
)
def test_paths_stay_in_the_repository(path: str) -> None:
    with pytest.raises(UserError):
        check_path(path, where="input policy")


@given(st.integers(1, 20), st.lists(st.integers(1, 10**6), max_size=30))
def test_shards_take_each_issue_exactly_once(count: int, numbers: list[int]) -> None:
    shards = [Shard(index, count) for index in range(1, count + 1)]
    assert all(sum(shard.takes(number) for shard in shards) == 1 for number in numbers)


@given(
    st.dictionaries(
        st.sampled_from([f"INPUT_{name.upper()}" for name in inputs.INPUTS]), st.text(max_size=30)
    )
)
def test_no_input_crashes(given_inputs: dict[str, str]) -> None:
    try:
        read({**BASE, **given_inputs}, None)
    except UserErrors as error:
        assert error.errors


@pytest.mark.parametrize(("attempt", "rerun"), [("", False), ("1", False), ("2", True)])
def test_a_job_that_was_run_again_is_known(attempt: str, rerun: bool) -> None:
    assert read(env(GITHUB_RUN_ATTEMPT=attempt, INPUT_ISSUE_NUMBER="7"), None).triage.rerun is rerun
