"""The report of a triage run: foreign words are shown, and nothing of them acts."""

from __future__ import annotations

import json
from typing import Any

from nightshift.effects.applied import Applied, Result
from nightshift.effects.values import AddLabels, PostComment
from nightshift.outcome import Outcome
from nightshift.report.triage import Finding, Reason, Row, report
from nightshift.step import Ending

EVIL = "<img src=x> @ann #1 | [x](http://e) `code` \n::error::boom ${{ x }}"


def row(number: int = 7, **more: Any) -> Row:
    given: dict[str, Any] = {
        "number": number,
        "title": EVIL,
        "outcome": "triaged",
        "add_labels": ("module: a",),
        "comment": "ask",
        "sub_oncall": "team",
        "modules": ("module: a",),
        "reasons": ("step 2: routed: team",),
        "findings": (Finding("module", "module: a", "HIGH", (Reason("s", "title", 3.9, EVIL),)),),
    }
    return Row(**(given | more))


def ending(*applied: Applied, dry_run: bool = False) -> Ending:
    return Ending(Outcome.TRIAGED, "a reason", applied, dry_run, 1, 0.5)


def test_outputs_tell_what_was_added_and_not_what_was_planned() -> None:
    done = Applied(AddLabels(7, ("module: a", "b")), Result.DONE)
    planned = Applied(AddLabels(8, ("c",)), Result.PLANNED)
    outputs = report([row()], {}, 0, [], ending(done, planned)).outputs
    assert json.loads(outputs["labels-added"]) == ["module: a", "b"]
    assert outputs["sub-oncall"] == "team"
    assert json.loads(outputs["modules"]) == ["module: a"]


def test_foreign_words_are_inert() -> None:
    found = report([row()], {}, 0, [], ending())
    for bad in ("<img", "@ann", "[x](", "\n::error", "`code`"):
        assert bad not in found.summary.split("<details>")[0]
    assert all("\n" not in value for value in found.outputs.values())


def test_a_row_for_each_issue_with_its_evidence() -> None:
    summary = report([row(7), row(8)], {}, 0, [], ending()).summary
    assert summary.count("\n| #") == 2
    assert "+3.9 s in title" in summary and "`module: a` (HIGH)" in summary


def test_what_was_left() -> None:
    found = report([], {"it is closed": 2}, 3, [5, 4], ending())
    assert "2 left alone: it is closed" in found.summary
    assert "3 issues have all" in found.summary
    assert "2 left for the next run: #5, #4" in found.summary
    assert found.data["remainder"] == [5, 4] and found.data["settled"] == 3


def test_a_dry_run_says_so() -> None:
    found = report([row()], {}, 0, [], ending(dry_run=True))
    assert "nothing was written" in found.summary and found.data["dry_run"] is True


def test_a_large_sweep_keeps_its_summary_short() -> None:
    rows = [row(n) for n in range(1, 1001)]
    found = report(rows, {}, 0, [], ending())
    assert len(found.summary.encode()) < 1_000_000
    assert found.summary.count("\n| #") == 300 and "700 more issues" in found.summary
    assert found.summary.count("<details>") == found.summary.count("</details>") == 60


def test_the_account_of_writes() -> None:
    applied = (
        Applied(AddLabels(7, ("a",)), Result.DONE, url="u"),
        Applied(PostComment(7, "body", "ask", "m"), Result.SKIPPED, "locked"),
    )
    written = report([row()], {}, 0, [], ending(*applied)).data["written"]
    assert written == [
        {"result": "done", "detail": "", "url": "u", "number": 7, "labels": ["a"]},
        {"result": "skipped", "detail": "locked", "url": "", "number": 7, "comment": "ask"},
    ]
