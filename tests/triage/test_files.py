"""A target repository's labels file and templates file."""

from __future__ import annotations

import json

import pytest

from nightshift.errors import UserError
from nightshift.triage.files import narrowed, reworded
from support.triage import harbour

ALL = {"labels": [{"name": label.upper()} for label in harbour().allowed]}
WORDS = {"templates": {name: {"comment": f"{name}!"} for name in ("not_storage", "needs_steps")}}


def data(value: object) -> bytes:
    return json.dumps(value).encode()


def test_all_labels_named_is_the_same_policy() -> None:
    assert narrowed(harbour(), data(ALL), name="f") == harbour()


def test_modules_and_performance_that_are_not_named_are_left_out() -> None:
    labels = [
        item for item in ALL["labels"] if "HTTP" not in item["name"] and "PERF" not in item["name"]
    ]
    policy = narrowed(harbour(), data({"labels": labels}), name="f")
    assert set(harbour().allowed) - set(policy.allowed) == {"component: http", "kind/performance"}


def test_more_labels_allow_no_more() -> None:
    labels = {"labels": [*ALL["labels"], {"name": "high priority"}]}
    assert narrowed(harbour(), data(labels), name="f").allowed == harbour().allowed


@pytest.mark.parametrize(
    "label", ["storage-triaged", "needs human", "team: client", "kind/feature"]
)
def test_a_label_that_no_step_can_do_without(label: str) -> None:
    labels = [item for item in ALL["labels"] if item["name"].lower() != label]
    with pytest.raises(UserError, match=f"f: the label '{label}'"):
        narrowed(harbour(), data({"labels": labels}), name="f")


def test_a_templates_file_gives_the_words() -> None:
    policy = reworded(harbour(), data(WORDS), name="f")
    assert policy.templates.out_of_scope.comment == "not_storage!"
    assert policy.templates.reproduction.likeness == harbour().templates.reproduction.likeness


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{}", b'{"labels": 3}', b'{"labels": [{}]}', b'{"labels": ["x"]}', b"\xff"],
)
def test_a_file_that_is_no_labels_file(content: bytes) -> None:
    with pytest.raises(UserError, match="f: this is no labels file"):
        narrowed(harbour(), content, name="f")


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"templates": {}},
        {"templates": {"not_storage": {}}},
        {"templates": {"not_storage": {"comment": ""}}},
    ],
)
def test_a_file_that_is_no_templates_file(value: object) -> None:
    with pytest.raises(UserError, match="f: this is no templates file"):
        reworded(harbour(), data(value), name="f")
