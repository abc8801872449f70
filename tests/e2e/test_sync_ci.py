"""What CI says, and what becomes of it: each story whole, from the environment to the exit code."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import black

from nightshift.sandbox.ci import Job, Tree
from support.sync_night import (
    CALLER,
    HANDLER,
    NO_GATHER,
    OPS,
    POLICY,
    POLICY_PATH,
    SyncNight,
    details,
    gated,
    green,
)

NETWORK = "E: Failed to fetch http://mirror.invalid/x  Connection timed out\n"
TEST = "FAILED tests/test_a.py::test_sum - AssertionError\n"
WANTED = "pkg.ops:gather\n"
RENAMED = HANDLER.replace("group_commit", "group_offload")


def style(tree: Tree) -> Sequence[Job]:
    """A CI that runs the formatter."""
    mode = black.Mode(line_length=100)
    bad = [
        path
        for path in tree.paths()
        if path.endswith(".py")
        and (text := (tree.read(path) or b"").decode())
        and black.format_str(text, mode=mode) != text
    ]
    log = "".join(f"would reformat /w/rocket/{path}\n" for path in bad)
    return gated(Job("lint", conclusion="failure" if bad else "success", log=log), Job("unit"))


def plugins(tree: Tree) -> Sequence[Job]:
    """A CI that loads what a text file names: no audit of the merged tree sees it."""
    wanted = (tree.read("plugins.txt") or b"").decode().split()
    ops = (tree.read("pkg/ops.py") or b"").decode()
    lacking = [
        name for name in (one.partition(":")[2] for one in wanted) if f"def {name}" not in ops
    ]
    log = "".join(
        f"ImportError: cannot import name '{name}' from 'pkg.ops' (/w/rocket/pkg/ops.py)\n"
        for name in lacking
    )
    return gated(Job("unit", conclusion="failure" if lacking else "success", log=log), Job("lint"))


def offloads(tree: Tree) -> Sequence[Job]:
    """A CI that runs a caller on a handler whose class no checker can know."""
    handler, caller = (
        (tree.read(f"pkg/{name}.py") or b"").decode() for name in ("handler", "caller")
    )
    called = caller.partition("handler.")[2].partition("(")[0]
    log = (
        "Traceback (most recent call last):\n"
        '  File "/w/rocket/tests/test_drain.py", line 3, in test_drain\n'
        "    assert drain(Handler(), 1) == 2\n"
        '  File "/w/rocket/pkg/caller.py", line 6, in drain\n'
        f"    return handler.{called}(count)\n"
        f"AttributeError: 'Handler' object has no attribute '{called}'\n"
        "FAILED tests/test_drain.py::test_drain - AttributeError: 'Handler' object ha...\n"
    )
    good = f"def {called}(" in handler
    return gated(Job("unit", conclusion="success" if good else "failure", log="" if good else log))


def failing(log: str = TEST) -> Sequence[Job]:
    return gated(Job("unit", conclusion="failure", log=log), Job("lint"))


def test_green_at_once(tmp_path: Path) -> None:
    with SyncNight(tmp_path) as night:
        ran = night.run()
        assert (ran.code, ran.outcome) == (0, "ready")
        assert not details(night.pull).draft
        assert night.said("/ok to test") == [f"/ok to test {night.head}"]
        assert len(night.said("ready for review")) == 1
        assert ran.outputs["head-sha"] == night.head
        assert night.subjects() == ["Merge main into dev (2026-03-02)"]
        assert [label.name for label in night.pull.labels] == ["run all"]


def test_a_formatting_failure_is_fixed(tmp_path: Path) -> None:
    with SyncNight(tmp_path, style, main={"pkg/new.py": "x=1\n"}) as night:
        ran = night.run()
        assert ran.outcome == "ready"
        assert night.text("pkg/new.py") == "x = 1\n"
        assert night.subjects()[0] == "Fix what CI found after merging main into dev (round 1)"
        assert len(night.subjects()) == 2
        assert len(night.said("/ok to test")) == 2


def test_an_import_error_is_fixed_by_restoring_one_function(tmp_path: Path) -> None:
    with SyncNight(
        tmp_path, plugins, dev={"plugins.txt": WANTED}, main={"pkg/ops.py": NO_GATHER}
    ) as night:
        ran = night.run()
        assert ran.outcome == "ready"
        assert night.text("pkg/ops.py", f"{night.head}^") == NO_GATHER
        assert night.text("pkg/ops.py") == OPS
        changed = night.repository.git.git("diff", "--name-only", f"{night.head}^", night.head)
        assert changed.decode().split() == ["pkg/ops.py"]


def test_a_renamed_api_is_fixed(tmp_path: Path) -> None:
    with SyncNight(
        tmp_path, offloads, dev={"pkg/caller.py": CALLER}, main={"pkg/handler.py": RENAMED}
    ) as night:
        ran = night.run()
        assert ran.outcome == "ready"
        assert night.text("pkg/caller.py") == CALLER.replace("group_commit", "group_offload")
        assert len(night.subjects()) == 2


def test_an_infrastructure_failure_runs_again_on_the_same_commit(tmp_path: Path) -> None:
    def plan(_: Tree) -> Sequence[Job]:
        return gated(Job("unit", conclusion=("failure", "success"), log=(NETWORK, "")), Job("lint"))

    with SyncNight(tmp_path, plan) as night:
        ran = night.run()
        assert ran.outcome == "ready"
        assert len(night.subjects()) == 1
        assert len(night.said("/ok to test")) == 1
        assert [run.attempt for run in night.repository.runs.values()] == [2]


def landed(night: SyncNight, number: int, conclusion: str, log: str = "") -> int:
    """A pull request of a person that landed in dev, with how a check ended on it."""
    from support.sandbox import commit  # pylint: disable=import-outside-toplevel

    made = night.repository
    sha = commit(made, f"feature-{number}", {f"feature-{number}": "x\n"}, parent="dev")
    issue = made.add_pull("A feature", head=f"feature-{number}", base="dev", author="ann")
    run = made.add_run(sha, "CI")
    made.add_check_run(sha, "unit", run=run, conclusion=conclusion, log=log)
    made.land(issue)
    night.clock.advance(600)
    return issue.number


def test_a_failure_that_the_target_has_too_is_documented_and_accepted(tmp_path: Path) -> None:
    with SyncNight(tmp_path, lambda _: failing()) as night:
        number = landed(night, 1, "failure", TEST)
        ran = night.run()
        assert ran.outcome == "ready"
        body = night.pull.body or ""
        assert "Failures that the target has too" in body
        assert f"/pull/{number}" in body and "/actions/runs/" in body
        assert f"/pull/{number}" in night.said("ready for review")[0]


def test_a_failure_that_passes_there_is_not_accepted(tmp_path: Path) -> None:
    with SyncNight(tmp_path, lambda _: failing()) as night:
        landed(night, 1, "failure", TEST)
        landed(night, 2, "success")
        ran = night.run(deadline_minutes="30")
        assert (ran.code, ran.outcome) == (1, "needs-human")
        assert details(night.pull).draft
        assert "Failures that the target has too" not in (night.pull.body or "")


def test_what_no_rule_can_mend_needs_a_person_who_gets_the_lines(tmp_path: Path) -> None:
    with SyncNight(tmp_path, lambda _: failing(f"collecting\n{TEST}")) as night:
        ran = night.run(deadline_minutes="60")
        assert (ran.code, ran.outcome) == (1, "needs-human")
        assert details(night.pull).draft
        (comment,) = night.said("Failed checks")
        assert f"collecting\n{TEST}" in comment
        assert "FAILED tests/test_a.py::test_sum" in ran.summary


def test_a_person_pushes_while_we_wait(tmp_path: Path) -> None:
    def plan(tree: Tree) -> Sequence[Job]:
        return green(tree) if tree.read("by_hand") else failing()

    with SyncNight(tmp_path, plan) as night:
        pushed: list[str] = []
        night.clock.at(40, lambda: pushed.append(night.person_pushes({"by_hand": "x\n"})))
        ran = night.run()
        assert ran.outcome == "ready"
        assert night.head == pushed[0]
        assert len(night.said(f"/ok to test {pushed[0]}")) == 1
        assert len(night.said("Failed checks")) == 1


def test_a_maintainers_jobs_that_were_skipped_are_a_persons_to_start(tmp_path: Path) -> None:
    def plan(_: Tree) -> Sequence[Job]:
        return [Job("unit"), Job("gpu", conclusion="skipped"), Job("Gate", conclusion="failure")]

    with SyncNight(tmp_path, plan) as night:
        ran = night.run()
        assert (ran.code, ran.outcome) == (1, "needs-human")
        assert night.clock.monotonic() < 3600
        assert "`gpu`" in night.said("no maintainer")[0]


COMMAND = (
    POLICY
    + """\
  fix-command: >-
    grep -q test_sum .nightshift-failures.json && ! env | grep -iq token
    && id -u > pkg/new.py
"""
)


def wants_a_number(tree: Tree) -> Sequence[Job]:
    text = (tree.read("pkg/new.py") or b"").decode()
    return green(tree) if text.strip().isdigit() else failing()


def test_what_no_rule_can_mend_is_mended_by_the_policys_command_as_another_user(
    tmp_path: Path,
) -> None:
    with SyncNight(tmp_path, wants_a_number, policy=COMMAND) as night:
        ran = night.run(deadline_minutes="30")
        if os.geteuid() != 0:  # then there is no other user to be
            assert ran.outcome == "needs-human"
            assert "Run the action in its container" in night.said("Failed checks")[0]
            return
        assert ran.outcome == "ready", ran.log
        assert int(night.text("pkg/new.py")) not in (0, os.geteuid())
        assert night.subjects()[0].endswith("(round 1)")
        names = night.repository.git.git("ls-tree", "-r", "--name-only", night.head).decode()
        assert ".nightshift" not in names.replace(POLICY_PATH, "")
