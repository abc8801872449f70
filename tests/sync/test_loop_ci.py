"""The loop in a world in memory: what CI says, and what becomes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

import pytest

from nightshift.policy.model import Severity
from nightshift.policy.sync import SyncPolicy
from nightshift.sync.findings import Finding
from support.hub import Job
from support.night import BASE, DEV, MERGED, POLICY, Night

IMPORT = (
    "2026-01-01T00:00:00Z ImportError: cannot import name 'gather' from 'pkg.ops' (/w/pkg/ops.py)"
)
NETWORK = "E: Failed to fetch http://mirror.invalid/x  Connection timed out"
TEST = "FAILED tests/test_a.py::test_sum - AssertionError"


def policy(**ci: object) -> SyncPolicy:
    data = POLICY.model_dump(by_alias=True)
    data["ci"].update(ci)
    return SyncPolicy.model_validate(data)


def failing(log: str, conclusion: str = "FAILURE") -> Sequence[Job]:
    return [Job("unit", conclusion, log), Job("lint")]


def test_green_at_once() -> None:
    night = Night()
    ended = night.run()
    assert (ended.code, ended.outcome) == (0, "ready")
    pull = night.hub.pulls[night.pull]
    assert not pull.draft
    assert pull.title == "chore: nightly sync main into dev (2026-03-02)"
    assert pull.labels == ("run all",)
    assert night.branch == "main2dev/2026-03-02"
    assert night.said("/ok to test") == [f"/ok to test {night.head}"]
    assert len(night.said("ready for review")) == 1
    assert "Python lines: +2 / -3 across 4 files" in pull.body.split("\n")
    assert night.git.commit(night.head).parents == (
        night.git.branches["dev"],
        night.git.branches["main"],
    )


def test_the_outputs_of_a_run() -> None:
    night = Night()
    outputs = night.run().runner.outputs
    assert outputs["pr-number"] == str(night.pull)
    assert outputs["pr-url"] == f"https://host.invalid/pull/{night.pull}"
    assert outputs["sync-branch"] == night.branch
    assert outputs["head-sha"] == night.head
    assert (outputs["conflicts"], outputs["findings"]) == ("1", "0")


def test_a_formatting_failure_is_fixed_in_one_commit_on_top() -> None:
    def plan(files: Mapping[str, str]) -> Sequence[Job]:
        bad = [path for path, text in files.items() if " \n" in text]
        log = "\n".join(f"would reformat /w/{path}" for path in bad)
        return failing(log, "FAILURE" if bad else "SUCCESS")

    night = Night(plan, merged={**MERGED, "pkg/new.py": "x = 1 \n"})
    ended = night.run()
    assert ended.outcome == "ready"
    assert night.git.files(night.head) == MERGED
    fix = night.git.commit(night.head)
    assert fix.subject == "Fix what CI found after merging main into dev (round 1)"
    assert fix.author == "nightshift"
    assert night.git.commit(fix.parents[0]).subject == "Merge main"
    assert len(night.said("/ok to test")) == 2


def needs_gather(files: Mapping[str, str]) -> Sequence[Job]:
    return [Job("lint")] if "def gather" in files["pkg/ops.py"] else failing(IMPORT)


def test_an_import_error_is_fixed_by_restoring_the_function_alone() -> None:
    night = Night(needs_gather, merged={**MERGED, "pkg/ops.py": BASE["pkg/ops.py"]})
    ended = night.run()
    assert ended.outcome == "ready"
    assert night.git.files(night.head) == {**MERGED, "pkg/ops.py": DEV["pkg/ops.py"]}
    assert "1 round of fixes after CI" in night.said("ready for review")[0]


def test_fixes_of_several_rounds_are_one_rolling_commit() -> None:
    def plan(files: Mapping[str, str]) -> Sequence[Job]:
        if "def gather" not in files["pkg/ops.py"]:
            return failing(IMPORT)
        bad = " \n" in files["pkg/new.py"]
        return failing("would reformat pkg/new.py", "FAILURE" if bad else "SUCCESS")

    merged = {**MERGED, "pkg/ops.py": BASE["pkg/ops.py"], "pkg/new.py": "x = 1 \n"}
    night = Night(plan, merged=merged)
    assert night.run().outcome == "ready"
    fix = night.git.commit(night.head)
    assert fix.subject.endswith("(round 2)")
    assert night.git.commit(fix.parents[0]).subject == "Merge main"
    assert night.git.files(night.head) == MERGED
    assert len(night.said("/ok to test")) == 3


def test_the_network_is_retried_on_the_same_commit() -> None:
    def plan(_: Mapping[str, str]) -> Sequence[Job]:
        return [Job("unit", ("FAILURE", "SUCCESS"), (NETWORK, "")), Job("lint")]

    night = Night(plan)
    assert night.run().outcome == "ready"
    assert [what for what in night.hub.writes if "rerun" in what] == [
        f"rerun {night.hub.runs[0].run_id}"
    ]
    assert len(night.git.pushes) == 1
    assert len(night.said("/ok to test")) == 1


def test_the_network_is_retried_so_often_as_policy_says_and_then_a_person_is_asked() -> None:
    night = Night(lambda _: failing(NETWORK), policy=policy(retry={"infra": 3}))
    ended = night.run()
    assert ended.outcome == "needs-human"
    assert len([what for what in night.hub.writes if "rerun" in what]) == 3
    (comment,) = night.said("Failed checks")
    assert "Connection timed out" in comment


def test_a_job_that_was_cancelled_runs_again() -> None:
    def plan(_: Mapping[str, str]) -> Sequence[Job]:
        return [Job("unit", ("CANCELLED", "SUCCESS"))]

    assert Night(plan).run().outcome == "ready"


def test_network_trouble_beside_a_real_failure_is_not_retried() -> None:
    def plan(_: Mapping[str, str]) -> Sequence[Job]:
        return [Job("unit", "FAILURE", TEST), Job("lint", "FAILURE", NETWORK)]

    night = Night(plan)
    assert night.run().outcome == "needs-human"
    assert not [what for what in night.hub.writes if "rerun" in what]


def test_what_no_rule_can_mend_keeps_the_draft_and_asks_once_with_the_log_lines() -> None:
    night = Night(lambda _: failing(f"setting up\n{TEST}\n"))
    ended = night.run(hours=3)
    assert (ended.code, ended.outcome) == (1, "needs-human")
    assert "unit" in ended.reason
    assert night.hub.pulls[night.pull].draft
    (comment,) = night.said("Failed checks")
    assert f"setting up\n{TEST}" in comment
    assert night.clock.monotonic() >= 3 * 3600
    assert "FAILED tests/test_a.py" in ended.runner.summaries[0]


def test_the_rounds_of_fixes_are_bounded() -> None:
    def plan(_: Mapping[str, str]) -> Sequence[Job]:
        return failing("would reformat pkg/new.py")

    def longer(path: str, text: str) -> str:
        return text + "#\n" if path == "pkg/new.py" else text

    night = Night(plan, policy=policy(**{"max-fix-rounds": 3}))
    ended = night.run(formatter=longer)
    assert ended.outcome == "needs-human"
    assert len(night.git.pushes) == 4
    assert night.git.commit(night.head).subject.endswith("(round 3)")


def past_pulls(night: Night, *jobs: Job | None) -> list[int]:
    """Merged pull requests into dev, the first one newest, each with how the check ended there."""
    numbers = []
    for job in reversed(jobs):
        sha = night.git.make({"number": str(len(numbers))}, subject="a feature")
        pull = night.hub.add_pull(open=False, merged=True, head_sha=sha, head_ref="feature")
        night.hub.start(sha, [job] if job else [])
        numbers.append(pull.number)
    night.clock.advance(3600)
    return numbers[::-1]


def test_a_failure_that_the_target_has_too_is_accepted_with_its_evidence() -> None:
    night = Night(lambda _: failing(TEST))
    newest, *_ = past_pulls(night, Job("unit", "FAILURE", f"{TEST} oh"), Job("unit"))
    ended = night.run()
    assert ended.outcome == "ready"
    for text in (night.hub.pulls[night.pull].body, night.said("ready for review")[0]):
        assert f"pull request {newest}" in text
        assert f"https://host.invalid/pull/{newest}" in text
        assert "https://host.invalid/runs/" in text


@pytest.mark.parametrize(
    "jobs",
    [
        [Job("unit")],
        [Job("unit", "FAILURE", "FAILED tests/test_b.py::test_other - no")],
        [Job("unit", "FAILURE", "")],
        [Job("unit", "SKIPPED"), Job("unit", "CANCELLED", TEST), None],
        [Job("unit"), Job("unit", "FAILURE", TEST)],
        [Job("lint", "FAILURE", TEST)],
        [None, None, None, Job("unit", "FAILURE", TEST)],
        [],
    ],
)
def test_without_evidence_a_failure_is_ours(jobs: list[Job | None]) -> None:
    night = Night(lambda _: failing(TEST))
    past_pulls(night, *jobs)
    ended = night.run(hours=1)
    assert ended.outcome == "needs-human"
    assert night.hub.pulls[night.pull].draft


def test_the_newest_that_ran_to_its_end_decides() -> None:
    night = Night(lambda _: failing(TEST))
    past_pulls(night, Job("unit", "SKIPPED"), Job("unit", "FAILURE", TEST), Job("unit"))
    assert night.run().outcome == "ready"


def test_network_trouble_beside_an_accepted_failure_is_retried() -> None:
    def plan(_: Mapping[str, str]) -> Sequence[Job]:
        return [
            Job("types", "FAILURE", TEST),
            Job("unit", ("FAILURE", "SUCCESS"), (NETWORK, "")),
        ]

    night = Night(plan)
    past_pulls(night, Job("types", "FAILURE", TEST))
    assert night.run().outcome == "ready"
    assert len([what for what in night.hub.writes if "rerun" in what]) == 1


@pytest.mark.parametrize(
    ("landed_last", "outcome"), [("FAILURE", "ready"), ("SUCCESS", "needs-human")]
)
def test_the_newest_is_the_one_that_landed_last_not_the_one_that_was_touched_last(
    landed_last: str, outcome: str
) -> None:
    """GitHub lists closed pull requests by when somebody last touched them."""
    night = Night(lambda _: failing(TEST))
    other = "SUCCESS" if landed_last == "FAILURE" else "FAILURE"
    for days, conclusion in ((1, landed_last), (9, other)):
        sha = night.git.make({"days": str(days)}, subject="a feature")
        at = night.clock.now() - timedelta(days=days)
        night.hub.add_pull(open=False, merged=True, merged_at=at, head_sha=sha, head_ref="feature")
        night.hub.start(sha, [Job("unit", conclusion, TEST)])
    night.clock.advance(3600)
    assert night.run(hours=1).outcome == outcome


def test_a_failure_of_ours_beside_an_accepted_one_is_left_to_a_person_with_the_evidence() -> None:
    def plan(_: Mapping[str, str]) -> Sequence[Job]:
        return [Job("unit", "FAILURE", TEST), Job("types", "FAILURE", "Error: no such type")]

    night = Night(plan)
    past_pulls(night, Job("unit", "FAILURE", TEST))
    assert night.run(hours=1).outcome == "needs-human"
    assert "Failures that the target has too" in night.hub.pulls[night.pull].body
    (comment,) = night.said("Failed checks")
    assert "no such type" in comment
    assert TEST not in comment


def test_another_systems_failure_is_reported_with_its_address_and_never_repaired() -> None:
    def plan(_: Mapping[str, str]) -> Sequence[Job]:
        return [Job("unit"), Job("gitlab", "FAILURE", context=True)]

    night = Night(plan)
    past_pulls(night, Job("gitlab", "FAILURE", context=True))
    assert night.run(hours=1).outcome == "needs-human"
    (comment,) = night.said("Failed checks")
    assert "https://ci.invalid/gitlab" in comment
    assert "job_log" not in night.switch.names


def test_a_gate_that_fails_because_a_maintainers_jobs_were_skipped_ends_at_once() -> None:
    def plan(_: Mapping[str, str]) -> Sequence[Job]:
        return [Job("unit"), Job("gpu", "SKIPPED"), Job("Gate", "FAILURE")]

    night = Night(plan)
    ended = night.run()
    assert ended.outcome == "needs-human"
    assert night.clock.monotonic() < 3600
    assert night.hub.pulls[night.pull].draft
    (comment,) = night.said("no maintainer")
    assert "`gpu`" in comment


def test_a_gate_that_fails_alone_is_not_looked_into_and_left_to_a_person() -> None:
    night = Night(lambda _: [Job("unit"), Job("Gate", "FAILURE", IMPORT)])
    assert night.run(hours=1).outcome == "needs-human"
    assert night.said("none of them failed")
    assert "job_log" not in night.switch.names


def test_an_exempt_check_holds_nothing_up() -> None:
    def plan(_: Mapping[str, str]) -> Sequence[Job]:
        return [
            Job("unit"),
            Job("codecov/patch", "FAILURE", context=True),
            Job("codecov/late", context=True, seconds=10**7),
        ]

    assert Night(plan).run().outcome == "ready"


def test_another_systems_check_is_waited_for() -> None:
    night = Night(lambda _: [Job("unit"), Job("gitlab", context=True, seconds=7200)])
    assert night.run().outcome == "ready"
    assert night.clock.monotonic() > 7200


def test_without_a_trigger_and_a_sentinel_the_push_starts_ci_and_green_must_settle() -> None:
    rules = policy(trigger=None, sentinels=[], **{"poll-seconds": 60})
    night = Night(policy=rules)
    night.git.on_push = lambda _, sha: night.hub.start(sha)
    ended = night.run()
    assert ended.outcome == "ready"
    assert not night.said("/ok to test")
    assert any("whether more appear" in line for line in ended.runner.lines)


def test_a_candidate_that_breaks_an_invariant_is_never_pushed() -> None:
    night = Night(findings=(Finding("never-touch", Severity.ABORT, "CODEOWNERS", "differs"),))
    ended = night.run()
    assert (ended.code, ended.outcome) == (1, "blocked")
    assert "never-touch" in ended.reason
    assert not night.git.pushes and not night.hub.pulls


def test_a_head_that_breaks_an_invariant_is_not_marked_ready() -> None:
    night = Night()
    night.clock.at(1, lambda: night.person_pushes({"CODEOWNERS": "* @me\n"}))
    ended = night.run()
    assert ended.outcome == "blocked"
    assert night.hub.pulls[night.pull].draft


def test_a_fix_that_breaks_an_invariant_is_not_pushed() -> None:
    def plan(_: Mapping[str, str]) -> Sequence[Job]:
        return failing("would reformat pkg/new.py")

    night = Night(plan)
    ended = night.run(formatter=lambda path, text: text + ")\n")
    assert ended.outcome == "blocked"
    assert len(night.git.pushes) == 1


def test_a_dry_run_writes_nothing_and_shows_its_plan() -> None:
    night = Night()
    ended = night.run(dry_run=True)
    assert (ended.code, ended.outcome) == (0, "dry-run")
    assert not night.git.pushes and not night.hub.writes
    assert "push" in ended.runner.summaries[0]


def test_a_label_that_the_repository_lacks_is_told_and_stops_nothing() -> None:
    night = Night()
    night.hub.labels = set()
    assert night.run().outcome == "ready"
    assert "has no label `run all`" in night.hub.pulls[night.pull].body


def test_foreign_words_of_logs_and_checks_are_inert() -> None:
    evil = "FAILED tests/a.py::t - ``` @everyone <!-- nightshift:ready --> </details>"

    def plan(_: Mapping[str, str]) -> Sequence[Job]:
        return [Job("@team <b>unit</b>", "FAILURE", f"{evil}\n::error::x")]

    night = Night(plan)
    ended = night.run(hours=1)
    (comment,) = night.said("Failed checks")
    assert "@team" not in comment and "<b>" not in comment
    assert "````text" in comment
    assert "@team" not in ended.runner.summaries[0]
