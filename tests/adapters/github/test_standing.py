"""A pull request as it stands: one request, however long it is waited on."""

from __future__ import annotations

from typing import Any

import pytest

from nightshift.adapters.github.adapter import GitHubAdapter
from nightshift.errors import HostError, UserError
from nightshift.sandbox import After, Job, Sandbox
from nightshift.sandbox.model import Issue
from nightshift.sandbox.repository import Repository
from support.sandbox import commit

AT_ONCE: dict[str, Any] = {"starts": After(), "ends": After()}


@pytest.fixture(name="pull")
def _pull(rocket: Repository) -> Issue:
    commit(rocket, "sync/1", {"a": "b"}, parent="main")
    return rocket.add_pull("t", "b", head="sync/1", base="main", author="bot[bot]", draft=True)


def start(box: Sandbox, rocket: Repository, *jobs: Job) -> str:
    head = rocket.git.head("sync/1") or ""
    box.ci.start(rocket, head, list(jobs))
    return head


def test_it_is_what_the_other_reads_say(
    github: GitHubAdapter, box: Sandbox, rocket: Repository, pull: Issue
) -> None:
    head = start(box, rocket, Job("build", **AT_ONCE), Job("far", context=True, **AT_ONCE))
    rocket.comment(pull, "hello", by="ann")
    rocket.label(pull, ["late"])
    box.requests.clear()
    standing = github.standing(1)
    assert len(box.requests) == 1
    assert standing.head == head
    assert standing.pull == github.pull_request(1)
    assert standing.comments == github.issue(1).comments
    assert standing.rollup == github.rollup(head)
    assert len(standing.rollup.checks) == 2


def test_further_pages_of_both_lists_are_read(
    github: GitHubAdapter, box: Sandbox, rocket: Repository, pull: Issue
) -> None:
    start(box, rocket, *(Job(f"job {number}", **AT_ONCE) for number in range(150)))
    for number in range(130):
        rocket.comment(pull, f"comment {number}")
    box.requests.clear()
    standing = github.standing(1)
    assert len(box.requests) == 3
    assert [one.body for one in standing.comments] == [f"comment {n}" for n in range(130)]
    assert len({check.name for check in standing.rollup.checks}) == 150


def test_what_is_required_is_told_on_every_page(
    github: GitHubAdapter, box: Sandbox, rocket: Repository, pull: Issue
) -> None:
    del pull
    jobs = [Job(f"job {n}", required=n % 2 == 0, **AT_ONCE) for n in range(140)]
    start(box, rocket, *jobs, Job("must", context=True, first="expected", required=True))
    required = {check.name for check in github.standing(1).rollup.checks if check.required}
    assert required == {f"job {n}" for n in range(0, 140, 2)} | {"must"}


def test_a_branch_that_is_gone(github: GitHubAdapter, rocket: Repository, pull: Issue) -> None:
    rocket.git.git("update-ref", "-d", "refs/heads/sync/1")
    standing = github.standing(1)
    assert (standing.head, standing.pull.open) == ("", False)
    assert not standing.rollup.checks
    assert not pull.open


def test_a_commit_without_checks(github: GitHubAdapter, rocket: Repository, pull: Issue) -> None:
    del pull
    standing = github.standing(1)
    assert standing.rollup.sha == standing.head == rocket.git.head("sync/1")
    assert not standing.rollup.checks


def test_a_merged_one_says_when(github: GitHubAdapter, rocket: Repository, pull: Issue) -> None:
    rocket.land(pull)
    standing = github.standing(1)
    assert standing.pull.merged and standing.pull.merged_at == rocket.world.now()
    assert standing.pull == github.pull_request(1)


def test_an_issue_is_none(github: GitHubAdapter, rocket: Repository) -> None:
    rocket.add_issue("t")
    with pytest.raises(UserError, match="pull request #1"):
        github.standing(1)


def test_the_check_runs_of_a_name_by_rest(
    github: GitHubAdapter, box: Sandbox, rocket: Repository, pull: Issue
) -> None:
    del pull
    head = start(box, rocket, Job("Gate", **AT_ONCE), Job("other", **AT_ONCE))
    (run,) = github.check_runs(head, "Gate")
    assert (run.name, run.status, run.conclusion) == ("Gate", "completed", "success")
    assert run.job_id and run.run_id and run.started_at
    assert not github.check_runs(head, "none")


def test_a_token_that_may_not_read_contents(
    loose_github: GitHubAdapter, bare_box: Sandbox, rocket: Repository, pull: Issue
) -> None:
    del rocket, pull
    bare_box.state.tokens[bare_box.token].permissions["contents"] = "none"
    with pytest.raises(HostError) as caught:
        loose_github.standing(1)
    assert "contents: read" in caught.value.mend
