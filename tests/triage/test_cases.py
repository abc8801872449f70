"""Issues and decisions as JSON."""

from __future__ import annotations

import json

import pytest

from nightshift.errors import UserError
from nightshift.triage.cases import decision_object, issue_of, issues
from support.triage import FSDP_BUG, OUT, decided, pytorch


def test_comments_as_strings_and_as_objects() -> None:
    case = {
        "number": 3,
        "title": "t",
        "body": None,
        "comments": ["a", {"author": "x[bot]", "role": "MEMBER", "body": "b"}, {"body": None}],
        "labels_now": ["l"],
    }
    found = issue_of(case)
    assert (found.number, found.title, found.body, found.labels) == (3, "t", "", ("l",))
    assert [comment.body for comment in found.comments] == ["a", "b", ""]
    assert found.comments[1].is_bot and found.comments[1].role == "MEMBER"


def test_a_number_is_all_that_is_needed() -> None:
    assert issue_of({"number": 3}).title == ""


def test_lines_with_their_objects() -> None:
    text = '{"number": 1, "gold": 2}\n\n{"number": 2}\n'
    assert [(found.number, case.get("gold")) for found, case in issues(text, name="f")] == [
        (1, 2),
        (2, None),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "3",
        "null",
        '{"title": "x"}',
        '{"number": 1, "title": 3}',
        '{"number": 1, "comments": [3]}',
    ],
)
def test_a_line_that_is_no_issue(line: str) -> None:
    with pytest.raises(UserError, match="f:2: this line is no issue"):
        list(issues('{"number": 1}\n' + line, name="f"))


def test_the_form_of_a_decision() -> None:
    found = decision_object(decided(FSDP_BUG), pytorch())
    assert {"number", "outcome", "add_labels", "comment", "judged"} <= found.keys()
    judged = found["judged"]
    assert judged["in_scope"] is True and judged["type"] == "bug"
    assert judged["sub_oncall"] == "oncall: distributed parallelisms"
    (module,) = judged["modules"]
    assert (
        module["label"] == "module: fsdp" and module["confidence"] == "HIGH" and module["evidence"]
    )
    assert judged["high_priority"] is False and judged["criteria"] == []
    assert judged["reproduction"] == "present"
    assert json.loads(json.dumps(found)) == found


@pytest.mark.parametrize("labels", [(), ("ptd-bot-triaged",), ("oncall: distributed infra",)])
def test_judged_is_there_on_every_route(labels: tuple[str, ...]) -> None:
    judged = decision_object(decided(FSDP_BUG, *labels), pytorch())["judged"]
    assert judged["in_scope"] is True and judged["modules"] and judged["sub_oncall"]


def test_out_of_scope_has_no_team() -> None:
    assert decision_object(decided(OUT), pytorch())["judged"]["sub_oncall"] is None
