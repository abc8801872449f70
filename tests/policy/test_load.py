"""Policies from text: strict, every fault at its place."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from nightshift.errors import UserError, UserErrors
from nightshift.policy import load
from nightshift.policy.patterns import compiled
from nightshift.policy.sync import SyncPolicy
from nightshift.policy.texts import filled
from nightshift.policy.triage import TriagePolicy
from nightshift.refs import is_ref_name


def faults(text: str) -> list[UserError]:
    """What is wrong with a policy."""
    with pytest.raises(UserError) as caught:
        load.parse(text, name="p.yaml")
    error = caught.value
    return list(error.errors) if isinstance(error, UserErrors) else [error]


def sync(text: str) -> SyncPolicy:
    """A sync policy that is well."""
    return load.require(load.parse(f"mode: sync\n{text}", name="p.yaml"), SyncPolicy, name="p.yaml")


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("winz: source", "2: winz", "unknown key"),
        ("never_touch: [a]", "2: never_touch", "unknown key"),
        ("hold_label: x", "2: hold_label", "unknown key"),
        ("paths:\n  neverTouch: [a]", "3: paths.neverTouch", "unknown key"),
        (
            "paths:\n  append:\n    - path: a\n      definition: [b]\n      definitions: [b]",
            "5: paths.append.0.definition",
            "unknown",
        ),
        ("paths:\n  append:\n    - path: a", "4: paths.append.0.definitions", "Field required"),
        ("paths:\n  never-touch:\n    - a\n    - b//c", "5: paths.never-touch.1", "empty part"),
        ("paths:\n  never-touch: a", "3: paths.never-touch", "tuple"),
        ("paths:\n  always-target: [1]", "3: paths.always-target.0", "string"),
        ("paths:\n  append: [{path: ../a, definitions: [b]}]", "3: paths.append.0.path", "no path"),
        ("wins: nobody", "2: wins", "'source' or 'target'"),
        ("source: -x", "2: source", "no valid branch name"),
        ("source: dev", "1: target", "the same branch"),
        ("source: a\ntarget: a", "3: target", "the same branch"),
        ("branch: '{target}'", "2: branch", "no name for the sync branch"),
        ("branch: '{date}/..'", "2: branch", "no name for the sync branch"),
        ("branch: sync/{when}", "2: branch", "`{when}` is no field here"),
        ("branch: 'sync/{date.year}'", "2: branch", "is no field here"),
        ("branch: 'sync/{date!r}'", "2: branch", "is no field here"),
        ("branch: 'sync/{'", "2: branch", "brace"),
        ("date-format: '%Q'", "2: date-format", "no `%` fields"),
        ("date-format: today", "2: date-format", "no `%` fields"),
        ("date-format: 2026-01-02", "2: date-format", "string"),
        ("date-format: '%d/../%m'", "1: branch", "no name for the sync branch"),
        (
            "pull-request:\n  title: 'sync {sha}'",
            "3: pull-request.title",
            "`{sha}` is no field here",
        ),
        ("ci:\n  trigger: /ok {commit}", "3: ci.trigger", "`{commit}` is no field here"),
        ("ci:\n  exempt:\n    - fine\n    - '('", "5: ci.exempt.1", "google-re2"),
        ("ci:\n  exempt: ['(?=a)b']", "3: ci.exempt.0", "google-re2"),
        ("ci:\n  poll-seconds: 0", "3: ci.poll-seconds", "greater than or equal to 1"),
        ("format:\n  tools: [ruff]", "3: format.tools.0", "'black' or 'isort'"),
        ("invariants:\n  parse: maybe", "3: invariants.parse", "'abort', 'warn' or 'off'"),
        (
            "paths:\n  lessons: [{path: a, take: target-definitions}]",
            "3: paths.lessons.0",
            "definitions",
        ),
        (
            "paths:\n  lessons: [{path: a, take: target, definitions: [b]}]",
            "3: paths.lessons.0",
            "definitions",
        ),
        ("commit: null", "2: commit", "valid"),
    ],
)
def test_a_fault_is_named_with_its_line_and_key(text: str, where: str, what: str) -> None:
    (fault,) = faults(f"mode: sync\n{text}\n")
    assert fault.where.startswith(f"p.yaml:{where}")
    assert what in f"{fault.where} {fault.what}"
    assert "Value error" not in fault.what


def test_all_faults_at_once() -> None:
    text = "mode: sync\nwins: x\nbad: 1\nci:\n  poll-seconds: x\n  worse: 2\n"
    assert sorted(fault.where.split(": ")[1] for fault in faults(text)) == [
        "bad",
        "ci.poll-seconds",
        "ci.worse",
        "wins",
    ]


@pytest.mark.parametrize(
    ("text", "mend"),
    [
        (
            "paths:\n  never-touhc: [a]",
            "Did you mean `never-touch`? Known keys here: always-source, ",
        ),
        (
            "paths:\n  append: [{path: a, definitions: [b], why: c}]",
            "Known keys here: definitions, path.",
        ),
        ("ci:\n  retry: {infr: 1}", "Did you mean `infra`?"),
        ("hold-label: on", "Put a text in quotes."),
    ],
)
def test_how_to_mend_it(text: str, mend: str) -> None:
    (fault,) = faults(f"mode: sync\n{text}\n")
    assert fault.mend.startswith(mend)


@pytest.mark.parametrize(
    "text", ["", "[]", "just words", "mode: nightly", "mode: [sync]", "source: main"]
)
def test_what_is_no_policy(text: str) -> None:
    (fault,) = faults(text)
    assert fault.where.startswith("p.yaml")


def test_aliases_share_lists() -> None:
    policy = sync("paths:\n  never-touch: &lists [a, b]\n  always-target: *lists\n")
    assert policy.paths.never_touch == policy.paths.always_target == ("a", "b")


def test_defaults_are_the_generic_presets() -> None:
    generic = load.require(load.preset("main-to-dev"), SyncPolicy, name="main-to-dev")
    plain = sync("")
    same = {
        "source",
        "target",
        "branch",
        "date_format",
        "wins",
        "invariants",
        "commit",
        "pull_request",
        "ci",
    }
    assert generic.model_dump(include=same) == plain.model_dump(include=same)


def test_policies_are_values() -> None:
    with pytest.raises(ValueError, match="frozen"):
        sync("").wins = "target"  # type: ignore[misc,assignment]


def test_the_wrong_mode_is_refused() -> None:
    with pytest.raises(UserError, match="mode sync"):
        load.require(sync(""), TriagePolicy, name="p.yaml")


def test_an_unknown_preset_names_those_that_exist() -> None:
    with pytest.raises(UserError) as caught:
        load.preset("nobody")
    assert "main-to-dev, megatron-nightly" in caught.value.mend


def test_a_template_takes_foreign_values_as_they_are() -> None:
    assert (
        filled("a {source} {{x}} {date}", source="{date}", date="%d{target}")
        == "a {date} {x} %d{target}"
    )


class TestMegatron:
    """What the specification says of Megatron-LM stands in its preset, and only there."""

    @pytest.fixture(name="policy")
    def fixture_policy(self) -> SyncPolicy:
        """The preset."""
        return load.require(load.preset("megatron-nightly"), SyncPolicy, name="megatron-nightly")

    def test_branch_title_and_committer(self, policy: SyncPolicy) -> None:
        date = datetime(2026, 2, 1, tzinfo=UTC).strftime(policy.date_format)
        names = {"source": policy.source, "target": policy.target, "date": date}
        assert filled(policy.branch, **names) == "main2dev/01_02_2026"
        assert is_ref_name(filled(policy.branch, **names))
        title = filled(policy.pull_request.title, **names)
        assert title == "chore: nightly sync main into dev (01_02_2026)"
        assert policy.commit.name == "svcnvidia-nemo-ci"
        assert policy.pull_request.labels == ("Run functional tests", "Run MBridge tests")

    def test_ci(self, policy: SyncPolicy) -> None:
        assert policy.ci.trigger is not None
        assert filled(policy.ci.trigger, sha="abc") == "/ok to test abc"
        assert policy.ci.sentinels == ("Nemo_CICD_Test",)
        exempt = [
            "copy-pr-bot",
            "Greptile Review",
            "codecov/patch",
            "build-docs / x",
            "Approval gate",
        ]
        for name in exempt:
            assert any(compiled(pattern).match(name.encode()) for pattern in policy.ci.exempt), name
        assert not any(compiled(pattern).match(b"Nemo_CICD_Test") for pattern in policy.ci.exempt)

    def test_formatting_linting_and_the_lock(self, policy: SyncPolicy) -> None:
        assert policy.format.scope == "changed" and policy.format.tools == ("black", "isort")
        assert policy.lint.paths == ("/megatron/core/",) and policy.lint.missing_docstring == "stub"
        assert policy.sources is not None and policy.sources.lock_command is not None
        assert "nvcr.io/nvidia/pytorch:26.02-py3" in policy.sources.lock_command
        assert "uv==0.7.2" in policy.sources.lock_command

    def test_the_generic_preset_names_no_repository(self) -> None:
        generic = load.preset("main-to-dev").model_dump_json().lower()
        assert "megatron" not in generic and "nvidia" not in generic and "nemo" not in generic
