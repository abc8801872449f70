"""The report of a sync run: outputs, summary, data."""

from __future__ import annotations

import json

from nightshift.effects.applied import Applied, Result
from nightshift.effects.values import MarkReady, PushCommit
from nightshift.inputs import OUTPUTS
from nightshift.outcome import Outcome
from nightshift.report.ledger import SyncView
from nightshift.report.sync import report, within
from nightshift.step import Ending
from support.ledgers import CHECKS, EVIL, LINE, PULL, finding, inert, merge

APPLIED = (
    Applied(PushCommit("main2dev/x", "a" * 40, None), Result.DONE),
    Applied(MarkReady(7, "node"), Result.DONE, "", "https://host.invalid/pull/7"),
)
ENDING = Ending(Outcome.READY, "#7 is green and ready", APPLIED, False, 5, 61.5)
VIEW = SyncView(
    merge(2, findings=(finding("a"), finding("b", "restored"))), PULL, CHECKS, "main2dev/x"
)
DATA = {"commit": "c" * 40, "resolutions": [1, 2], "findings": []}


def test_the_outputs_are_those_of_the_table() -> None:
    outputs = report(VIEW, ENDING, DATA).outputs
    assert set(outputs) | {"outcome"} == {n for n, (mode, _) in OUTPUTS.items() if mode != "triage"}
    assert outputs["pr-number"] == "7"
    assert outputs["pr-url"] == "https://host.invalid/pull/7"
    assert outputs["sync-branch"] == "main2dev/x"
    assert outputs["head-sha"] == "a" * 40
    assert (outputs["conflicts"], outputs["findings"]) == ("2", "1")


def test_before_there_is_a_pull_request_the_candidate_is_the_head() -> None:
    outputs = report(SyncView(merge(), branch="main2dev/x"), ENDING, DATA).outputs
    assert (outputs["pr-number"], outputs["pr-url"]) == ("", "")
    assert (outputs["sync-branch"], outputs["head-sha"]) == ("main2dev/x", "c" * 40)


def test_the_summary_tells_phases_checks_conflicts_findings_and_links() -> None:
    text = report(VIEW, ENDING, DATA).summary
    assert text.startswith("## Sync of `main` into `dev`: ready")
    assert LINE in text.split("\n")
    for part in (
        "[Pull request 7](<https://host.invalid/pull/7>)",
        "| merge | git | 0.5 s |",
        "| pull request | push aaaaaaaaaaaa to main2dev/x | done |",
        "Verdict: **failed**",
        "**never reported**",
        "[docs](<https://host.invalid/job/3>): success",
        "2 conflicted files, 2 resolutions.",
        "1 open, 1 restored.",
        "1 cause, with log lines",
    ):
        assert part in text
    assert text.count("<details>") == text.count("</details>")


def test_the_data_has_a_version_and_what_was_written() -> None:
    made = report(VIEW, ENDING, DATA)
    data = json.loads(made.outputs["report"])
    assert data == json.loads(json.dumps(made.data))
    assert data["schema_version"] == 1
    assert (data["mode"], data["outcome"], data["rounds"]) == ("sync", "ready", 5)
    assert data["resolutions"] == [1, 2]
    assert data["pull_request"]["number"] == 7
    assert data["checks"]["passed"][0]["name"] == "docs"
    assert [item["effect"] for item in data["written"]] == ["PushCommit", "MarkReady"]


def test_data_that_is_too_long_loses_its_longest_lists_by_name() -> None:
    found: dict[str, object] = {"a": ["x" * 900], "b": ["y" * 500], "c": "z" * 50, "left_out": []}
    assert within(found, 5000) == found
    cut = within(found, 800)
    assert cut == {"a": [], "b": ["y" * 500], "c": "z" * 50, "left_out": ["a"]}
    assert within(found, 300)["left_out"] == ["a", "b"]
    assert within({"c": "z" * 900, "left_out": []}, 300)["c"]


def test_foreign_text_in_the_summary_is_inert() -> None:
    ending = Ending(Outcome.NEEDS_HUMAN, EVIL, (), False, 1, 1.0)
    view = SyncView(merge(1, findings=(finding("a", path=EVIL),), steps_not_done=(EVIL,)), PULL)
    inert(report(view, ending, DATA).summary)
