"""The triage policy's model: faults are named with file, line and key."""

from __future__ import annotations

import pytest

from nightshift.errors import UserErrors
from nightshift.policy import load
from nightshift.policy.triage import ZONE_WEIGHTS, TriagePolicy, Zone
from support.triage import EXAMPLES, harbour, pytorch

TEXT = (EXAMPLES / "harbour.yaml").read_text(encoding="utf-8")


def fault(old: str, new: str) -> str:
    assert old in TEXT
    with pytest.raises(UserErrors) as error:
        load.parse(TEXT.replace(old, new, 1), name="p.yaml")
    return str(error.value)


def line_of(words: str) -> int:
    return TEXT[: TEXT.index(words)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "key", "what"),
    [
        (
            r"'\bcach(?:e|es|ed|ing)\b'",
            r"'\bcach(e'",
            "signals.0.patterns.0",
            "is no pattern of google-re2",
        ),
        (
            r"'\bcach(?:e|es|ed|ing)\b'",
            r"'(?=x)'",
            "signals.0.patterns.0",
            "is no pattern of google-re2",
        ),
        (r"'\bcach(?:e|es|ed|ing)\b'", "'x*'", "signals.0.patterns.0", "matches the empty text"),
        (
            '"component: cache": 1.5',
            '"component: cahce": 1.5',
            "signals.0.says.component: cahce",
            "no known target",
        ),
        ("when: [loss,", "when: [los,", "rules.0.when.0", "'los' is no signal"),
        ("@title|prose|error]", "@titel]", "rules.0.when.1", "names a zone that does not exist"),
        (
            'default-team: "team: client"',
            'default-team: "team: x"',
            "default-team",
            "is none of the teams",
        ),
        (
            'cache", team: "team: client"',
            'cache", team: "team: x"',
            "modules.0.team",
            "is none of the teams",
        ),
        ("  - name: upload", "  - name: cache", "signals.1", "'cache' is there twice"),
        ("hold-label:", "hold-lable:", "hold-lable", "unknown key"),
        ('scope: "area: storage"', "scope: needs human", "labels.scope", "a label that steps add"),
        ("marker: storage-triaged", f"marker: {'x' * 51}", "labels.marker", "at most 50"),
        ("name: needs_steps", "name: 'needs steps -->'", "templates.reproduction.name", "pattern"),
        ("high: 5", "high: 500", "scale.high", "less than or equal to 100"),
    ],
)
def test_a_fault_is_named(old: str, new: str, key: str, what: str) -> None:
    message = fault(old, new)
    assert what in message
    assert f": {key}" in message
    assert message.startswith(
        f"p.yaml:{line_of(old) if key != 'labels.marker' else line_of('marker:')}"
    )


def test_the_allow_list_is_in_the_order_of_adding() -> None:
    allowed = list(pytorch().allowed)
    teams = [team.label for team in pytorch().teams]
    assert allowed[:3] == teams
    assert allowed[-3:] == ["triage review", "needs reproduction", "ptd-bot-triaged"]
    assert allowed.index("module: fsdp") < allowed.index("feature")
    assert len(allowed) == len({label.lower() for label in allowed})


def test_the_scope_label_is_not_in_the_allow_list() -> None:
    for policy in (pytorch(), harbour()):
        assert policy.labels.scope not in policy.allowed


def test_the_presets_labels_are_those_of_the_specification() -> None:
    modules = "fsdp ddp dtensor c10d DeviceMesh pipelining rpc nccl elastic symm_mem mpi".split()
    modules.append("distributed_tool")
    more = ["data parallel", "context parallel", "activation checkpointing", "threaded pg"]
    assert {m.label for m in pytorch().modules} == {f"module: {name}" for name in [*modules, *more]}
    assert [team.label.rsplit(" ", 1)[1] for team in pytorch().teams] == [
        "checkpointing",
        "infra",
        "parallelisms",
    ]
    assert [team.stops for team in pytorch().teams] == [True, True, False]
    assert "high priority" not in pytorch().allowed
    assert set(pytorch().allowed) >= {"feature", "enhancement", "module: performance"}


def test_a_scale_names_only_what_it_weighs_otherwise() -> None:
    text = TEXT.replace("  high: 5", "  zones: {title: 4}\n  high: 5", 1)
    policy = load.parse(text, name="p.yaml")
    assert isinstance(policy, TriagePolicy)
    assert policy.scale.zones == {**ZONE_WEIGHTS, Zone.TITLE: 4.0}
