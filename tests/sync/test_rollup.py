"""gh's form of a rollup, and what is refused."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from nightshift.errors import UserError
from nightshift.sync.rollup import parse
from nightshift.values import CheckKind

RUN = {
    "__typename": "CheckRun",
    "name": "unit",
    "workflowName": "CI",
    "status": "COMPLETED",
    "conclusion": "SUCCESS",
    "startedAt": "2026-01-01T10:00:00Z",
    "completedAt": "0001-01-01T00:00:00Z",
    "detailsUrl": "https://example.invalid/1",
}
CONTEXT = {
    "__typename": "StatusContext",
    "context": "gitlab",
    "state": "EXPECTED",
    "targetUrl": "https://example.invalid/2",
    "startedAt": "2026-01-01T11:00:00+01:00",
    "isRequired": True,
}


def test_a_check_run() -> None:
    (check,) = parse([RUN], name="x").checks
    assert (check.kind, check.name, check.workflow) == (CheckKind.RUN, "unit", "CI")
    assert (check.status, check.conclusion) == ("COMPLETED", "SUCCESS")
    assert check.started_at == datetime(2026, 1, 1, 10, tzinfo=UTC)
    assert check.completed_at is None
    assert check.url == "https://example.invalid/1"


def test_a_status_context() -> None:
    (check,) = parse([CONTEXT], name="x").checks
    assert (check.kind, check.name, check.conclusion) == (CheckKind.CONTEXT, "gitlab", "EXPECTED")
    assert check.started_at == datetime(2026, 1, 1, 10, tzinfo=UTC)
    assert check.required


def test_the_object_names_the_head() -> None:
    rollup = parse({"headRefOid": "abc", "statusCheckRollup": [RUN, CONTEXT]}, name="x")
    assert rollup.sha == "abc"
    assert [check.name for check in rollup.checks] == ["unit", "gitlab"]


@pytest.mark.parametrize("empty", [None, []])
def test_no_checks_yet(empty: object) -> None:
    assert not parse({"headRefOid": "abc", "statusCheckRollup": empty}, name="x").checks


@pytest.mark.parametrize(
    ("entry", "kind", "name"),
    [
        ({"context": "a", "state": "SUCCESS"}, CheckKind.CONTEXT, "a"),
        ({"name": "a", "state": "SUCCESS"}, CheckKind.CONTEXT, "a"),
        ({"name": "a", "status": "QUEUED"}, CheckKind.RUN, "a"),
        ({"name": "a", "status": "QUEUED", "state": "SUCCESS"}, CheckKind.RUN, "a"),
        ({"name": None, "status": None, "conclusion": None}, CheckKind.RUN, "?"),
        ({"__typename": "Novelty", "name": "a"}, CheckKind.RUN, "a"),
    ],
)
def test_entries_without_a_known_type(entry: dict[str, Any], kind: CheckKind, name: str) -> None:
    (check,) = parse([entry], name="x").checks
    assert (check.kind, check.name) == (kind, name)


@pytest.mark.parametrize("time", ["", "yesterday", "0001-01-01T00:00:00Z", None])
def test_a_time_that_is_none_is_missing(time: str | None) -> None:
    (check,) = parse([{**RUN, "startedAt": time}], name="x").checks
    assert check.started_at is None


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ("text", "x"),
        (3, "x"),
        (None, "x"),
        ({}, "x"),
        ({"statusCheckRollup": {"a": 1}}, "x"),
        ({"statusCheckRollup": [], "headRefOid": 3}, "x.headRefOid"),
        ([RUN, "text"], "x[1]"),
        ([None], "x[0]"),
        ([{**RUN, "name": 3}], "x[0].name"),
        ([{**RUN, "conclusion": ["SUCCESS"]}], "x[0].conclusion"),
        ([{**CONTEXT, "startedAt": 5}], "x[0].startedAt"),
    ],
)
def test_anything_else_is_refused_and_named(data: object, where: str) -> None:
    with pytest.raises(UserError) as caught:
        parse(data, name="x")
    assert caught.value.where == where
    assert "gh pr view" in caught.value.mend
