"""Both modes in the container, against the sandbox, as a hosted runner starts them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from nightshift.demo import issues, repository
from nightshift.sandbox import Sandbox
from nightshift.sandbox.model import Issue
from nightshift.sandbox.repository import Repository
from support.image import Image
from support.runner import RUNNER_UID, RunnerEnv

pytestmark = pytest.mark.image

SYNC = {"mode": "sync", "policy": repository.POLICY_PATH}

# Each of them would be imported if the workspace were on the path, or run if its git were trusted.
TRAP = "open('/github/workspace/trapped', 'a').write(__name__ + chr(10))\n"
TRAPS = ("json.py", "black.py", "nightshift.py", "sitecustomize.py", "usercustomize.py")


def issue_event(number: int) -> dict[str, Any]:
    return {
        "action": "labeled",
        "label": {"name": issues.SCOPE},
        "sender": {"login": issues.SENDER},
        "issue": {"number": number},
        "repository": {"full_name": repository.REPOSITORY},
    }


def night_event() -> dict[str, Any]:
    return {"schedule": "17 2 * * *", "repository": {"full_name": repository.REPOSITORY}}


def state_of(issue: Issue) -> tuple[list[str], list[str]]:
    return [label.name for label in issue.labels], [comment.body for comment in issue.comments]


def impatient(made: Repository) -> str:
    """The repository's policy with a poll each second, on a branch of its own; its commit."""
    text = repository.POLICY.replace("poll-seconds: 120", "poll-seconds: 1").encode()
    head = made.git.head(repository.SOURCE)
    stream = (
        b"commit refs/heads/workflows\ncommitter Keeper <keeper@example.org> 9000000 +0000\n"
        b"data 8\npatience\nfrom %s\nM 100644 inline %s\ndata %d\n%s\n"
        % (str(head).encode(), repository.POLICY_PATH.encode(), len(text), text)
    )
    made.git.git("fast-import", "--quiet", stdin=stream)
    return str(made.git.head("workflows"))


def check_out(box: Sandbox, made: Repository, runner: RunnerEnv, ref: str) -> None:
    """What a checkout step leaves in the workspace, with traps in it."""
    git = ["git", "-c", "protocol.file.allow=always"]
    source, target = str(made.git.path), str(runner.workspace)
    subprocess.run([*git, "clone", "--quiet", "--branch", ref, source, target], check=True)
    for key, value in {
        "remote.origin.url": box.remote_url(made.full_name),
        "core.fsmonitor": "touch /github/workspace/trapped; false",
        "core.sshCommand": "touch /github/workspace/trapped; false",
        "core.hooksPath": "/github/workspace/.git/traps",
    }.items():
        subprocess.run([*git, "-C", target, "config", key, value], check=True)
    hook = runner.workspace / ".git" / "traps" / "reference-transaction"
    hook.parent.mkdir()
    hook.write_text("#!/bin/sh\ntouch /github/workspace/trapped\n", encoding="utf-8")
    hook.chmod(0o755)


def plant(workspace: Path) -> None:
    for name in TRAPS:
        (workspace / name).write_text(TRAP, encoding="utf-8")


def clean(done: subprocess.CompletedProcess[str], runner: RunnerEnv, box: Sandbox) -> str:
    """The log, after a look at what must hold after every run."""
    log = done.stdout + done.stderr
    spoken = [line for line in log.splitlines() if not line.startswith("::add-mask::")]
    assert box.token not in "\n".join(spoken)
    assert "dubious ownership" not in log
    assert runner.exports() == {}
    assert not (runner.workspace / "trapped").exists()
    return log


def test_triage_of_the_events_issue(
    image: Image, box: Sandbox, made: Repository, tmp_path: Path
) -> None:
    runner = RunnerEnv(tmp_path, box, {"mode": "triage"}, "issues", issue_event(1))
    plant(runner.workspace)
    done = image.run(runner)
    assert done.returncode == 0, clean(done, runner, box)
    clean(done, runner, box)
    outputs = runner.outputs()
    labels, _ = state_of(made.issues[1])
    assert outputs["outcome"] == "triaged"
    added = json.loads(outputs["labels-added"])
    assert added and set(added) <= set(labels)
    assert outputs["sub-oncall"] in added
    assert json.loads(outputs["issues"]) == [1]
    assert json.loads(outputs["report"])["schema_version"]
    assert all(label in runner.summary() for label in added)


def test_inputs_with_hyphens_reach_the_program(
    image: Image, box: Sandbox, made: Repository, tmp_path: Path
) -> None:
    before = {number: state_of(issue) for number, issue in made.issues.items()}
    inputs = {"mode": "triage", "issue-number": "2", "dry-run": "true"}
    runner = RunnerEnv(tmp_path, box, inputs, "schedule", night_event())
    done = image.run(runner)
    assert done.returncode == 0, clean(done, runner, box)
    assert json.loads(runner.outputs()["issues"]) == [2]
    assert {number: state_of(issue) for number, issue in made.issues.items()} == before
    assert runner.summary()


def test_sync_up_to_a_pull_request_that_is_ready(
    image: Image, box: Sandbox, made: Repository, tmp_path: Path
) -> None:
    sha = impatient(made)
    heads = {name: made.git.head(name) for name in (repository.SOURCE, repository.TARGET)}
    runner = RunnerEnv(tmp_path, box, SYNC, "schedule", night_event(), sha=sha)
    check_out(box, made, runner, repository.TARGET)
    plant(runner.workspace)
    done = image.run(runner)
    assert done.returncode == 0, clean(done, runner, box)
    clean(done, runner, box)
    outputs = runner.outputs()
    assert outputs["outcome"] == "ready"
    (pull,) = (issue for issue in made.issues.values() if issue.pull is not None)
    assert pull.pull is not None and not pull.pull.draft
    assert outputs["pr-number"] == str(pull.number)
    assert outputs["pr-url"].endswith(f"/pull/{pull.number}")
    assert outputs["head-sha"] == made.git.head(outputs["sync-branch"])
    assert int(outputs["conflicts"]) >= 1
    assert outputs["pr-url"] in runner.summary()
    assert {name: made.git.head(name) for name in heads} == heads


def test_the_workspace_is_left_as_it_was(
    image: Image, box: Sandbox, made: Repository, tmp_path: Path
) -> None:
    inputs = {**SYNC, "dry-run": "true"}
    runner = RunnerEnv(tmp_path, box, inputs, "schedule", night_event(), sha=impatient(made))
    check_out(box, made, runner, repository.TARGET)
    branches = made.git.git("for-each-ref")
    files = sorted(path for path in runner.workspace.rglob("*"))
    done = image.run(runner)
    assert done.returncode == 0, clean(done, runner, box)
    clean(done, runner, box)
    assert runner.outputs()["outcome"] == "dry-run"
    assert made.git.git("for-each-ref") == branches
    assert not [issue for issue in made.issues.values() if issue.pull is not None]
    assert sorted(path for path in runner.workspace.rglob("*")) == files
    assert {path.stat().st_uid for path in files if not path.is_symlink()} == {RUNNER_UID}


def test_a_mode_that_is_not_known_is_refused_in_words(
    image: Image, box: Sandbox, made: Repository, tmp_path: Path
) -> None:
    runner = RunnerEnv(tmp_path, box, {"mode": "neither"}, "issues", issue_event(1))
    done = image.run(runner)
    log = clean(done, runner, box)
    assert done.returncode == 2, log
    assert "'neither'" in log and "triage, sync" in log
    assert runner.outputs()["outcome"] == "failed"
    assert box.requests == [] and made.issues[1].comments == []
