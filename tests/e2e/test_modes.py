"""Both modes as the runner runs them: variables, event file, output and summary files, a
subprocess."""

from __future__ import annotations

import json
from typing import Any

from nightshift.demo import issues, repository
from nightshift.inputs import OUTPUTS
from nightshift.sandbox import Sandbox
from nightshift.sandbox.model import Issue
from nightshift.sandbox.repository import Repository
from support.action import Starter
from support.sandbox import authed_url, run_git

SYNC = {"mode": "sync", "policy": repository.POLICY_PATH}
MARKER = "ptd-bot-triaged"


def labelled(number: int) -> dict[str, Any]:
    return {
        "action": "labeled",
        "label": {"name": issues.SCOPE},
        "sender": {"login": "ann"},
        "issue": {"number": number},
    }


def labels(issue: Issue) -> set[str]:
    return {label.name for label in issue.labels}


def impatient(made: Repository) -> str:
    """The repository's policy with a poll each second, on a branch of its own; its commit."""
    text = repository.POLICY.replace("poll-seconds: 120", "poll-seconds: 1").encode()
    head = str(made.git.head(repository.SOURCE)).encode()
    stream = (
        b"commit refs/heads/workflows\ncommitter K <k@example.org> 9000000 +0000\ndata 1\nx\n"
        b"from %s\nM 100644 inline %s\ndata %d\n%s\n"
        % (head, repository.POLICY_PATH.encode(), len(text), text)
    )
    made.git.git("fast-import", "--quiet", stdin=stream)
    return str(made.git.head("workflows"))


def test_triage_of_an_event(box: Sandbox, made: Repository, starter: Starter) -> None:
    before = {number: labels(issue) for number, issue in made.issues.items()}
    runner = starter.prepare({"mode": "triage"}, "issues", labelled(1))
    done = runner.run()
    assert done.returncode == 0, done.stdout + done.stderr
    outputs = runner.outputs()
    assert set(outputs) == {name for name, (mode, _) in OUTPUTS.items() if mode != "sync"}
    assert outputs["outcome"] == "triaged"
    assert outputs["sub-oncall"] == "oncall: distributed parallelisms"
    assert json.loads(outputs["modules"]) == ["module: fsdp"]
    assert set(json.loads(outputs["labels-added"])) == labels(made.issues[1]) - before[1]
    assert json.loads(outputs["report"])["schema_version"]
    assert "module: fsdp" in runner.summary()
    assert all(labels(made.issues[n]) == before[n] for n in before if n != 1)
    assert box.token not in done.stdout.replace(f"::add-mask::{box.token}", "") + done.stderr


def test_an_event_of_another_label_starts_nothing(made: Repository, starter: Starter) -> None:
    event = labelled(1) | {"label": {"name": "good first issue"}}
    runner = starter.prepare({"mode": "triage"}, "issues", event)
    assert runner.run().returncode == 0
    assert runner.outputs()["outcome"] == "skipped"
    assert labels(made.issues[1]) == {issues.SCOPE}


def test_a_sweep_and_the_sweep_after_it(box: Sandbox, made: Repository, starter: Starter) -> None:
    first = starter.prepare({"mode": "triage", "sweep": "true", "max-issues": "3"})
    assert first.run().returncode == 0
    assert first.outputs()["outcome"] == "partial"
    assert len(json.loads(first.outputs()["issues"])) == 3
    second = starter.prepare({"mode": "triage", "sweep": "true"})
    assert second.run().returncode == 0
    assert second.outputs()["outcome"] == "triaged"
    state = [(labels(issue), len(issue.comments)) for issue in made.issues.values()]
    box.requests.clear()
    third = starter.prepare({"mode": "triage", "sweep": "true"})
    assert third.run().returncode == 0
    assert third.outputs()["outcome"] == "unchanged"
    assert [(labels(i), len(i.comments)) for i in made.issues.values()] == state
    assert {seen.method for seen in box.requests if "graphql" not in seen.path} <= {"GET"}


def test_what_a_sweep_does(made: Repository, starter: Starter) -> None:
    assert starter.prepare({"mode": "triage", "sweep": "true"}).run().returncode == 0
    (fsdp, hang, single, request, vague, done, orders, speed) = made.issues.values()
    assert {"module: fsdp", MARKER} <= labels(fsdp) and not fsdp.comments
    assert {"oncall: distributed infra", "triage review"} <= labels(hang)
    assert MARKER not in labels(hang)
    assert labels(single) == {issues.SCOPE, "triage review", MARKER} and len(single.comments) == 1
    assert labels(request) >= {"oncall: distributed checkpointing", MARKER}
    assert {"module: ddp", "needs reproduction"} <= labels(vague) and len(vague.comments) == 1
    assert labels(done) == set(issues.ISSUES[5].labels) | {MARKER}
    assert "module: dtensor" in labels(orders) and "high priority" not in labels(orders)
    assert all(issue.open for issue in made.issues.values())
    assert {"enhancement", "module: performance"} <= labels(speed)


def test_a_dry_run_of_triage_writes_nothing(made: Repository, starter: Starter) -> None:
    runner = starter.prepare({"mode": "triage", "issue-number": "1", "dry-run": "true"})
    assert runner.run().returncode == 0
    assert runner.outputs()["outcome"] == "dry-run"
    assert json.loads(runner.outputs()["labels-added"]) == []
    assert "module: fsdp" in runner.summary()
    assert labels(made.issues[1]) == {issues.SCOPE}


def test_sync_up_to_ready(box: Sandbox, made: Repository, starter: Starter) -> None:
    heads = {name: made.git.head(name) for name in (repository.SOURCE, repository.TARGET)}
    runner = starter.prepare(SYNC, sha=impatient(made))
    done = runner.run()
    assert done.returncode == 0, done.stdout + done.stderr
    outputs = runner.outputs()
    assert set(outputs) == {name for name, (mode, _) in OUTPUTS.items() if mode != "triage"}
    assert outputs["outcome"] == "ready"
    (issue,) = (item for item in made.issues.values() if item.pull is not None)
    assert issue.pull is not None and not issue.pull.draft
    assert outputs["pr-number"] == str(issue.number)
    assert outputs["head-sha"] == made.git.head(outputs["sync-branch"])
    assert labels(issue) == {"run all tests"}
    assert {name: made.git.head(name) for name in heads} == heads
    check_tree(made, outputs["head-sha"], heads)
    assert outputs["pr-url"] in runner.summary()
    assert box.token not in done.stdout.replace(f"::add-mask::{box.token}", "") + done.stderr


def check_tree(made: Repository, head: str, heads: dict[str, str | None]) -> None:
    """The merge, and the one commit that mended what CI found."""
    merge = made.git.resolve(f"{head}^") or ""
    parents = made.git.git("rev-list", "--parents", "-n1", merge).decode().split()[1:]
    assert parents == [heads[repository.TARGET], heads[repository.SOURCE]]
    beam = show(made, head, "lighthouse/beam.py")
    for word in ("colour: str", "miles: int", "def sweep", "def fog_signal", "12 * flashes"):
        assert word in beam
    assert show(made, head, ".github/CODEOWNERS") == repository.DEV[".github/CODEOWNERS"]
    assert show(made, head, "requirements.lock") == repository.DEV["requirements.lock"]
    assert show(made, merge, "lighthouse/log.py") == repository.MAIN["lighthouse/log.py"]
    assert show(made, head, "lighthouse/log.py") != repository.MAIN["lighthouse/log.py"]


def show(made: Repository, commit: str, path: str) -> str:
    return made.git.git("show", f"{commit}:{path}").decode()


def test_a_sync_that_is_ready_is_left_alone(made: Repository, starter: Starter) -> None:
    sha = impatient(made)
    assert starter.prepare(SYNC, sha=sha).run().returncode == 0
    refs = made.git.git("for-each-ref")
    comments = {number: len(issue.comments) for number, issue in made.issues.items()}
    again = starter.prepare(SYNC, sha=sha)
    done = again.run()
    assert done.returncode == 0, done.stdout + done.stderr
    assert again.outputs()["outcome"] == "ready"
    assert made.git.git("for-each-ref") == refs
    assert {number: len(issue.comments) for number, issue in made.issues.items()} == comments


def test_nothing_to_sync(made: Repository, starter: Starter) -> None:
    sha = impatient(made)
    runner = starter.prepare({**SYNC, "source": "dev", "target": "grown"}, sha=sha)
    made.git.set_ref("refs/heads/grown", made.git.head("dev") or "")
    refs = made.git.git("for-each-ref")
    done = runner.run()
    assert done.returncode == 0, done.stdout + done.stderr
    assert runner.outputs()["outcome"] == "nothing-to-sync"
    assert made.git.git("for-each-ref") == refs


def test_a_dry_run_of_sync_ends_with_the_candidate(made: Repository, starter: Starter) -> None:
    refs, count = made.git.git("for-each-ref"), len(made.issues)
    runner = starter.prepare({**SYNC, "dry-run": "true"}, sha=str(made.git.head("main")))
    done = runner.run()
    assert done.returncode == 0, done.stdout + done.stderr
    assert runner.outputs()["outcome"] == "dry-run"
    assert int(runner.outputs()["conflicts"]) >= 1
    assert "lighthouse/beam.py" in runner.summary()
    assert made.git.git("for-each-ref") == refs and len(made.issues) == count


def test_a_shallow_checkout_in_the_workspace_is_no_short_history(
    box: Sandbox, made: Repository, starter: Starter
) -> None:
    runner = starter.prepare({**SYNC, "dry-run": "true"}, sha=str(made.git.head("main")))
    run_git(
        runner.workspace.parent,
        "clone",
        "--quiet",
        "--depth=1",
        f"--branch={repository.TARGET}",
        authed_url(box, made, box.token),
        runner.workspace.name,
    )
    assert (runner.workspace / ".git" / "shallow").exists()
    before = sorted(runner.workspace.rglob("*"))
    done = runner.run()
    assert done.returncode == 0, done.stdout + done.stderr
    assert runner.outputs()["outcome"] == "dry-run"
    assert runner.outputs()["conflicts"] == "3"
    assert sorted(runner.workspace.rglob("*")) == before


def test_a_held_sync_is_left_alone(made: Repository, starter: Starter) -> None:
    sha = impatient(made)
    assert starter.prepare(SYNC, sha=sha).run().returncode == 0
    (issue,) = (item for item in made.issues.values() if item.pull is not None)
    made.label(issue, ["hold sync"])
    refs = made.git.git("for-each-ref")
    runner = starter.prepare(SYNC, sha=sha)
    assert runner.run().returncode == 0
    assert runner.outputs()["outcome"] == "skipped"
    assert made.git.git("for-each-ref") == refs
