"""Pull requests: reads, and the writes on our own ones."""

from __future__ import annotations

import pytest

from nightshift.adapters.github.adapter import GitHubAdapter
from nightshift.errors import HostError, UserError
from nightshift.sandbox import Sandbox
from nightshift.sandbox.repository import Repository
from support.sandbox import REPOSITORY, commit


@pytest.fixture(name="sync")
def _sync(rocket: Repository) -> str:
    """The head commit of a branch `sync/1` on top of main."""
    return commit(rocket, "sync/1", {"a": "b"}, parent="main")


def test_a_draft_is_opened_and_read_again(
    github: GitHubAdapter, box: Sandbox, rocket: Repository, sync: str
) -> None:
    opened = github.open_pull_request(head="sync/1", base="main", title="t", body="b\n")
    assert (opened.number, opened.draft, opened.open, opened.merged) == (1, True, True, False)
    assert (opened.head_ref, opened.head_sha, opened.base_ref) == ("sync/1", sync, "main")
    assert opened.url == f"{box.server_url}/{REPOSITORY}/pull/1"
    assert (opened.author, opened.from_fork) == ("github-actions[bot]", False)
    assert github.pull_request(1) == opened
    assert github.pull_requests(base="main") == [opened]
    assert rocket.issues[1].pull is not None and rocket.issues[1].pull.draft


@pytest.mark.parametrize("head, lags", [("nowhere", True), ("sync/1", True), ("main", False)])
def test_refusals_that_may_pass_are_told_from_those_that_do_not(
    head: str, lags: bool, github: GitHubAdapter, sync: str
) -> None:
    del sync
    github.open_pull_request(head="sync/1", base="main", title="t", body="")
    with pytest.raises(HostError) as caught:
        github.open_pull_request(head=head, base="main", title="t", body="")
    assert (caught.value.status, caught.value.transient) == (422, lags)


def test_the_base_must_exist(github: GitHubAdapter, sync: str) -> None:
    del sync
    with pytest.raises(HostError, match="base invalid") as caught:
        github.open_pull_request(head="sync/1", base="none", title="t", body="")
    assert not caught.value.transient


def test_title_and_body_are_changed_one_by_one(github: GitHubAdapter, sync: str) -> None:
    del sync
    github.open_pull_request(head="sync/1", base="main", title="t", body="b")
    github.edit_pull_request(1, body="new body")
    github.edit_pull_request(1, title="new title")
    changed = github.pull_request(1)
    assert (changed.title, changed.body, changed.draft) == ("new title", "new body", True)


def test_it_is_made_ready_and_closed(github: GitHubAdapter, sync: str) -> None:
    del sync
    opened = github.open_pull_request(head="sync/1", base="main", title="t", body="b")
    github.mark_ready(opened.node_id)
    assert not github.pull_request(1).draft
    github.close_pull_request(1)
    github.close_pull_request(1)
    closed = github.pull_request(1)
    assert (closed.open, closed.merged, closed.merge_commit) == (False, False, "")
    assert not github.pull_requests(base="main")
    assert github.pull_requests(base="main", state="closed") == [closed]


def test_a_closed_one_cannot_be_made_ready(github: GitHubAdapter, sync: str) -> None:
    del sync
    opened = github.open_pull_request(head="sync/1", base="main", title="t", body="b")
    github.close_pull_request(1)
    with pytest.raises(HostError, match="closed"):
        github.mark_ready(opened.node_id)


def test_a_merged_one_names_its_commit(
    github: GitHubAdapter, rocket: Repository, sync: str
) -> None:
    github.open_pull_request(head="sync/1", base="main", title="t", body="b")
    rocket.merged(rocket.issues[1], sync)
    merged = github.pull_request(1)
    assert (merged.open, merged.merged, merged.merge_commit) == (False, True, sync)
    assert github.pull_requests(base="main", state="closed") == [merged]


def test_the_list_is_paged_and_bounded(
    github: GitHubAdapter, box: Sandbox, rocket: Repository
) -> None:
    head = commit(rocket, "seed", {"a": "b"}, parent="main")
    for number in range(130):
        rocket.git.set_ref(f"refs/heads/b{number}", head)
        rocket.add_pull("t", head=f"b{number}", base="main")
    commit(rocket, "dev", {"x": "y"}, parent="main")
    rocket.add_pull("t", head="b1", base="dev")
    found = github.pull_requests(base="main", limit=120)
    assert [pull.number for pull in found] == list(range(130, 10, -1))
    assert len(box.requests) == 2
    assert len(github.pull_requests(base="main", limit=3)) == 3


def test_one_that_does_not_exist(github: GitHubAdapter, rocket: Repository) -> None:
    rocket.add_issue("an issue")
    for ask in (github.pull_request, github.close_pull_request):
        for number in (1, 2):
            with pytest.raises(UserError, match=f"pull request #{number} does not exist"):
                ask(number)
