"""The rollup of a commit, job logs, and failed jobs that run again."""

from __future__ import annotations

from typing import Any

import pytest

from nightshift.adapters.github.adapter import GitHubAdapter
from nightshift.errors import HostError
from nightshift.sandbox import After, Job, Sandbox
from nightshift.sandbox.repository import Repository
from nightshift.values import CheckKind
from support.sandbox import commit, push

AT_ONCE: dict[str, Any] = {"starts": After(), "ends": After()}


def started(box: Sandbox, rocket: Repository, *jobs: Job) -> str:
    """A commit on a branch `work` whose push has started these jobs."""
    box.ci.on_push(list(jobs), branch="work")
    sha = commit(rocket, "work", {"a": "b"}, parent="main")
    rocket.git.set_ref("refs/heads/seed", sha)
    rocket.git.set_ref("refs/heads/work", rocket.git.head("main") or "")
    push(box, rocket, sha, "work")
    return sha


def test_both_kinds_of_checks(github: GitHubAdapter, box: Sandbox, rocket: Repository) -> None:
    sha = started(
        box,
        rocket,
        Job("build", workflow="CI", **AT_ONCE),
        Job("app", workflow="", conclusion="neutral", url="https://app.example/1", **AT_ONCE),
        Job("gitlab", context=True, conclusion="failure", url="https://gl.example/2", **AT_ONCE),
        Job("slow", workflow="CI", starts=After(polls=5), ends=After(polls=9)),
    )
    rollup = github.rollup(sha)
    assert rollup.sha == sha
    checks = {check.name: check for check in rollup.checks}
    build, app, gitlab, slow = (checks[name] for name in ("build", "app", "gitlab", "slow"))
    assert (build.kind, build.status, build.conclusion) == (CheckKind.RUN, "COMPLETED", "SUCCESS")
    assert build.workflow == "CI" and build.job_id and build.run_id and build.started_at
    assert (app.job_id, app.run_id, app.workflow) == (None, None, "")
    assert (app.url, app.conclusion) == ("https://app.example/1", "NEUTRAL")
    assert (gitlab.kind, gitlab.status, gitlab.conclusion) == (CheckKind.CONTEXT, "", "FAILURE")
    assert (gitlab.url, gitlab.job_id) == ("https://gl.example/2", None)
    assert gitlab.started_at is not None
    assert (slow.status, slow.conclusion) == ("QUEUED", "")


def test_all_pages_are_read(github: GitHubAdapter, box: Sandbox, rocket: Repository) -> None:
    sha = started(box, rocket, *(Job(f"job {number}", **AT_ONCE) for number in range(250)))
    box.requests.clear()
    assert {check.name for check in github.rollup(sha).checks} == {
        f"job {number}" for number in range(250)
    }
    assert len(box.requests) == 3


@pytest.mark.parametrize("sha", ["0" * 40, None])
def test_a_commit_without_checks(
    sha: str | None, github: GitHubAdapter, rocket: Repository
) -> None:
    wanted = sha or rocket.git.head("main") or ""
    assert not github.rollup(wanted).checks


def test_a_failed_run_tells_its_attempt_and_is_asked_for_once(
    github: GitHubAdapter, box: Sandbox, rocket: Repository
) -> None:
    sha = started(
        box,
        rocket,
        *(Job(name, conclusion="failure", **AT_ONCE) for name in ("one", "two")),
        Job("fine", **AT_ONCE),
    )
    first = github.rollup(sha)
    assert [check.run_attempt for check in first.checks] == [1, 1, 1]
    run = next(check.run_id for check in first.checks if check.name == "one")
    assert run is not None
    github.rollup(sha)
    asked = [seen.path for seen in box.requests if "/actions/runs/" in seen.path]
    assert len(asked) == 1
    github.rerun_failed_jobs(run)
    again = {check.name: check.run_attempt for check in github.rollup(sha).checks}
    assert again == {"one": 2, "two": 2, "fine": 1}


def test_failed_jobs_run_again_once(
    github: GitHubAdapter, box: Sandbox, rocket: Repository
) -> None:
    sha = started(box, rocket, Job("flaky", conclusion=("failure", "success"), **AT_ONCE))
    run = github.rollup(sha).checks[0].run_id
    assert run is not None
    github.rerun_failed_jobs(run)
    assert github.rollup(sha).checks[0].conclusion == "SUCCESS"
    with pytest.raises(HostError, match="no failed jobs"):
        github.rerun_failed_jobs(run)


def test_a_run_that_does_not_exist(github: GitHubAdapter, rocket: Repository) -> None:
    del rocket
    with pytest.raises(HostError) as caught:
        github.rerun_failed_jobs(77)
    assert caught.value.status == 404


def test_a_log_is_fetched_from_the_other_host_without_the_token(
    github: GitHubAdapter, box: Sandbox, rocket: Repository
) -> None:
    log = "\x1b[31mImportError\x1b[0m: é\r\nsecond"
    sha = started(box, rocket, Job("build", conclusion="failure", log=log, **AT_ONCE))
    job = github.rollup(sha).checks[0].job_id
    assert job is not None
    text = github.job_log(job)
    # The sandbox's store refuses credentials, and puts a mark before and a time before each line.
    assert text.startswith("2026-") and "Z ImportError: é\n" in text and "second\n" in text


def test_an_expired_log_is_empty(github: GitHubAdapter, box: Sandbox, rocket: Repository) -> None:
    sha = started(box, rocket, Job("build", conclusion="failure", log=None, **AT_ONCE))
    job = github.rollup(sha).checks[0].job_id
    assert job is not None
    assert github.job_log(job) == ""
    assert github.job_log(job + 999) == ""
