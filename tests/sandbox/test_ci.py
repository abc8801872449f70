"""Scripted CI: what starts a plan, how jobs move by polls and clock, gates, rounds, re-runs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from nightshift.sandbox import NEVER, After, Job, Sandbox, Tree
from nightshift.sandbox.model import CheckRun, Issue
from nightshift.sandbox.repository import Repository
from nightshift.sandbox.rollup import contexts_of
from support.client import Client
from support.clock import SimulatedClock
from support.sandbox import commit

AT_ONCE = {"starts": After(), "ends": After()}


@pytest.fixture(name="sha")
def fixture_sha(rocket: Repository) -> str:
    """The head of main."""
    return rocket.git.head("main") or ""


@pytest.fixture(name="pull")
def fixture_pull(rocket: Repository) -> Issue:
    """A pull request #1."""
    commit(rocket, "fix", {"a.py": "x = 1\n"}, parent="main")
    return rocket.add_pull("Fix", head="fix", base="main")


def shown(rocket: Repository, sha: str) -> dict[str, str]:
    """name -> state, as the rollup has it."""
    return {
        (one.name if isinstance(one, CheckRun) else one.context): (
            one.conclusion or one.status if isinstance(one, CheckRun) else one.state
        )
        for one in contexts_of(rocket, sha)
    }


def test_jobs_move_by_polls(bare_box: Sandbox, rocket: Repository, sha: str) -> None:
    jobs = [
        Job("now", **AT_ONCE),
        Job("usual", conclusion="failure"),
        Job("late", appears=After(polls=2), starts=After(polls=3), ends=After(polls=4)),
        Job("ext", context=True, first="expected", ends=After(polls=1)),
        Job("held", first="waiting", starts=NEVER, ends=NEVER),
    ]
    bare_box.ci.start(rocket, sha, jobs)
    states = [shown(rocket, sha)]
    for _ in range(4):
        bare_box.ci.read(rocket, sha)
        states.append(shown(rocket, sha))
    assert states == [
        {"now": "success", "usual": "queued", "ext": "expected", "held": "waiting"},
        {"now": "success", "usual": "in_progress", "ext": "success", "held": "waiting"},
        {
            "now": "success",
            "usual": "failure",
            "ext": "success",
            "held": "waiting",
            "late": "queued",
        },
        {
            "now": "success",
            "usual": "failure",
            "ext": "success",
            "held": "waiting",
            "late": "in_progress",
        },
        {
            "now": "success",
            "usual": "failure",
            "ext": "success",
            "held": "waiting",
            "late": "success",
        },
    ]


def test_jobs_move_by_the_clock(
    bare_box: Sandbox, rocket: Repository, sha: str, clock: SimulatedClock
) -> None:
    job = Job("slow", starts=After(seconds=60), ends=After(polls=1, seconds=600))
    bare_box.ci.start(rocket, sha, [job])
    started = clock.now()
    clock.advance(60)
    bare_box.ci.advance(rocket, sha)
    assert shown(rocket, sha) == {"slow": "in_progress"}
    clock.advance(540)
    bare_box.ci.advance(rocket, sha)
    assert shown(rocket, sha) == {"slow": "in_progress"}, "it wants a poll as well"
    bare_box.ci.read(rocket, sha)
    run = rocket.check_runs[0]
    assert run.started_at and run.completed_at
    assert (run.started_at - started).total_seconds() == 60
    assert (run.completed_at - started).total_seconds() == 600


def test_polls_of_one_commit_move_no_other(bare_box: Sandbox, rocket: Repository, sha: str) -> None:
    other = commit(rocket, "other", {"a": "1"}, parent="main")
    bare_box.ci.start(rocket, sha, [Job("a")])
    bare_box.ci.start(rocket, other, [Job("b")])
    bare_box.ci.read(rocket, sha)
    bare_box.ci.read(rocket, sha)
    assert (shown(rocket, sha), shown(rocket, other)) == ({"a": "success"}, {"b": "queued"})


@pytest.mark.parametrize(
    ("conclusion", "gate"),
    [("success", "success"), ("skipped", "success"), ("cancelled", "failure")],
)
def test_a_gate_waits_for_all_and_fails_with_one(
    bare_box: Sandbox, rocket: Repository, sha: str, conclusion: str, gate: str
) -> None:
    jobs = [
        Job("gate", collects=True, **AT_ONCE),
        Job("fast", **AT_ONCE),
        Job("slow", conclusion=conclusion, ends=After(polls=3)),
    ]
    bare_box.ci.start(rocket, sha, jobs)
    bare_box.ci.read(rocket, sha)
    assert shown(rocket, sha)["gate"] == "in_progress"
    bare_box.ci.read(rocket, sha)
    bare_box.ci.read(rocket, sha)
    assert shown(rocket, sha) == {"gate": gate, "fast": "success", "slow": conclusion}


def test_a_gate_knows_nothing_of_other_systems(
    bare_box: Sandbox, rocket: Repository, sha: str
) -> None:
    jobs = [
        Job("gate", collects=True, **AT_ONCE),
        Job("test", **AT_ONCE),
        Job("broken", context=True, conclusion="failure", **AT_ONCE),
        Job("endless", context=True, ends=NEVER),
    ]
    bare_box.ci.start(rocket, sha, jobs)
    assert shown(rocket, sha)["gate"] == "success"


def test_each_start_follows_the_next_round_and_the_last_repeats(
    bare_box: Sandbox, rocket: Repository
) -> None:
    bare_box.ci.on_push([Job("one")], [Job("two")])
    names = []
    for number in range(3):
        sha = commit(rocket, "fix", {"n": str(number)}, parent="main")
        bare_box.ci.pushed(rocket, "fix", sha)
        names.append(list(shown(rocket, sha)))
    assert names == [["one"], ["two"], ["two"]]


@pytest.mark.usefixtures("pull")
def test_a_comment_with_the_head_starts_ci_on_the_bots_branch(
    api: Client, box: Sandbox, rocket: Repository
) -> None:
    box.ci.on_comment([Job("test")])
    sha = rocket.git.head("fix") or ""
    for body in ("hello", "/ok to test", f"/ok to test {sha[:12]}", f"> /ok to test {sha}"):
        api.post("issues/1/comments", body=body)
    assert rocket.check_runs == [] and rocket.git.head("pull-request/1") is None
    api.post("issues/1/comments", body=f"/ok to test {sha}\n")
    assert rocket.git.head("pull-request/1") == sha
    assert [(run.name, run.sha) for run in rocket.check_runs] == [("test", sha)]
    assert next(iter(rocket.runs.values())).branch == "pull-request/1"


@pytest.mark.usefixtures("pull")
def test_an_old_head_starts_nothing(api: Client, box: Sandbox, rocket: Repository) -> None:
    box.ci.on_comment([Job("test")])
    old = rocket.git.head("fix")
    commit(rocket, "fix", {"b": "1"})
    api.post("issues/1/comments", body=f"/ok to test {old}")
    rocket.add_issue("no pull request")
    api.post("issues/2/comments", body=f"/ok to test {old}")
    assert rocket.check_runs == []


@pytest.mark.usefixtures("pull")
def test_the_same_comment_again_is_another_suite(
    api: Client, box: Sandbox, rocket: Repository
) -> None:
    box.ci.on_comment([Job("test", conclusion="failure", **AT_ONCE)], [Job("test", **AT_ONCE)])
    for _ in range(2):
        api.post("issues/1/comments", body=f"/ok to test {rocket.git.head('fix')}")
    assert [run.conclusion for run in rocket.check_runs] == ["failure", "success"]
    assert len({run.suite_id for run in rocket.check_runs}) == 2


def test_triggers_keep_to_their_repository(bare_box: Sandbox, rocket: Repository, sha: str) -> None:
    bare_box.ci.on_push([Job("test")], repository="acme/other")
    bare_box.ci.pushed(rocket, "main", sha)
    assert rocket.check_runs == []


def test_a_plan_looks_into_the_pushed_tree(bare_box: Sandbox, rocket: Repository) -> None:
    def plan(tree: Tree) -> Sequence[Job]:
        bad = [path for path in tree.paths() if b"\t" in (tree.read(path) or b"")]
        return [
            Job("tabs", conclusion="failure" if bad else "success", log="\n".join(bad), **AT_ONCE)
        ]

    bare_box.ci.on_push(plan)
    for content, expected in (("\tx\n", "failure"), ("x\n", "success")):
        sha = commit(rocket, "fix", {"src/a.py": content}, parent="main")
        bare_box.ci.pushed(rocket, "fix", sha)
        assert shown(rocket, sha) == {"tabs": expected}
    assert rocket.check_runs[0].log == "src/a.py"
    assert Tree(rocket.git, sha).read("nothing") is None


def test_a_rerun_takes_gates_and_not_what_is_good(
    bare_box: Sandbox, rocket: Repository, sha: str
) -> None:
    jobs = [
        Job("good", **AT_ONCE),
        Job("flaky", conclusion=("timed_out", "success"), log=("net down", "fine"), **AT_ONCE),
        Job("other", workflow="Other", conclusion="failure", **AT_ONCE),
        Job("gate", collects=True, **AT_ONCE),
    ]
    bare_box.ci.start(rocket, sha, jobs[:2] + jobs[3:])
    run = next(iter(rocket.runs.values()))
    assert shown(rocket, sha) == {"good": "success", "flaky": "timed_out", "gate": "failure"}
    assert bare_box.ci.rerun_failed(rocket, run)
    assert shown(rocket, sha) == {"good": "success", "flaky": "success", "gate": "success"}
    assert run.attempt == 2
    assert [(one.name, one.log) for one in rocket.check_runs if one.name == "flaky"] == [
        ("flaky", "net down"),
        ("flaky", "fine"),
    ]
    assert not bare_box.ci.rerun_failed(rocket, run)


def test_a_rerun_keeps_to_its_workflow_and_counts_polls_anew(
    bare_box: Sandbox, rocket: Repository, sha: str
) -> None:
    jobs = [
        Job("a", workflow="A", conclusion="failure"),
        Job("b", workflow="B", conclusion="failure"),
    ]
    bare_box.ci.start(rocket, sha, jobs)
    bare_box.ci.read(rocket, sha)
    bare_box.ci.read(rocket, sha)
    run = next(one for one in rocket.runs.values() if one.workflow == "A")
    bare_box.ci.rerun_failed(rocket, run)
    assert shown(rocket, sha) == {"a": "queued", "b": "failure"}
    bare_box.ci.read(rocket, sha)
    assert shown(rocket, sha) == {"a": "in_progress", "b": "failure"}
