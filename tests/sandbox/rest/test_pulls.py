"""Pull requests by REST: opening, refusals, following the branch, editing, landing, listing."""

from __future__ import annotations

from typing import Any

import pytest

from nightshift.sandbox.repository import Repository
from support.client import Client
from support.clock import SimulatedClock
from support.sandbox import commit, run_git


def opened(api: Client, **more: Any) -> Any:
    """Open a pull request from `fix` into `main`."""
    return api.post("pulls", **{"head": "fix", "base": "main", "title": "Fix", "body": "b"} | more)


@pytest.fixture(name="fix", autouse=True)
def fixture_fix(rocket: Repository) -> str:
    """A branch `fix` with one commit."""
    return commit(rocket, "fix", {"a.py": "1\n2\n"}, parent="main")


def test_a_draft_is_opened_and_shows_its_size(api: Client, fix: str) -> None:
    data = opened(api, draft=True).json()
    assert (data["draft"], data["state"], data["merged"]) == (True, "open", False)
    assert (data["head"]["sha"], data["base"]["ref"]) == (fix, "main")
    assert (data["commits"], data["additions"], data["changed_files"]) == (1, 2, 1)
    assert data["mergeable"] is True


def test_a_conflict_shows(api: Client, rocket: Repository) -> None:
    commit(rocket, "main", {"a.py": "other\n"})
    data = opened(api).json()
    assert (data["mergeable"], data["mergeable_state"]) == (False, "dirty")


def test_a_second_one_for_the_same_branches_already_exists(api: Client, rocket: Repository) -> None:
    opened(api)
    answer = opened(api)
    assert answer.status_code == 422
    message = answer.json()["errors"][0]["message"]
    assert message == "A pull request already exists for acme:fix."
    rocket.close(rocket.issues[1])
    assert opened(api).json()["number"] == 2


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"head": "nowhere"}, "head"),
        ({"base": "nowhere"}, "base"),
        ({"title": ""}, "title"),
        ({"title": "x" * 257}, "title"),
        ({"body": "x" * 65_537}, "body"),
        ({"draft": "yes"}, "draft"),
    ],
)
def test_what_github_refuses(
    api: Client, rocket: Repository, change: dict[str, object], field: str
) -> None:
    answer = opened(api, **change)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == field
    assert not rocket.issues


def test_nothing_between_the_branches_is_refused(api: Client, rocket: Repository) -> None:
    rocket.git.set_ref("refs/heads/same", rocket.git.head("main") or "")
    answer = opened(api, head="same")
    assert answer.json()["errors"][0]["message"] == "No commits between main and same"


def test_an_open_one_follows_its_branch_and_ends_with_it(api: Client, rocket: Repository) -> None:
    opened(api)
    new = commit(rocket, "fix", {"a.py": "3\n"})
    assert api.get("pulls/1").json()["head"]["sha"] == new
    assert rocket.git.resolve("refs/pull/1/head") == new
    run_git(rocket.git.path, "update-ref", "-d", "refs/heads/fix")
    assert api.get("pulls/1").json()["state"] == "closed"


def test_a_closed_one_keeps_its_head(api: Client, rocket: Repository, fix: str) -> None:
    opened(api)
    assert api.patch("pulls/1", state="closed").json()["state"] == "closed"
    commit(rocket, "fix", {"a.py": "3\n"})
    assert api.get("pulls/1").json()["head"]["sha"] == fix


def test_title_and_body_are_edited_and_draft_is_not(loose_api: Client) -> None:
    opened(loose_api, draft=True)
    answer = loose_api.patch("pulls/1", title="Better", body=None, draft=False)
    assert (answer.json()["title"], answer.json()["body"]) == ("Better", None)
    assert answer.json()["draft"] is True
    assert loose_api.patch("pulls/1", state="merged").status_code == 422


def test_reopening_needs_the_branch_and_no_merge(api: Client, rocket: Repository) -> None:
    opened(api)
    api.patch("pulls/1", state="closed")
    assert api.patch("pulls/1", state="open").json()["state"] == "open"
    rocket.land(rocket.issues[1])
    assert api.patch("pulls/1", state="open").status_code == 422


@pytest.mark.parametrize(("squash", "parents"), [(False, 2), (True, 1)])
def test_landing_shows_as_merged(
    api: Client, rocket: Repository, squash: bool, parents: int
) -> None:
    opened(api)
    sha = rocket.land(rocket.issues[1], squash=squash)
    data = api.get("pulls/1").json()
    assert (data["state"], data["merged"], data["merge_commit_sha"]) == ("closed", True, sha)
    assert rocket.git.head("main") == sha
    body = rocket.git.git("cat-file", "commit", sha).decode()
    assert body.count("\nparent ") == parents


def test_lists_by_head_base_and_state(
    api: Client, rocket: Repository, clock: SimulatedClock
) -> None:
    commit(rocket, "dev", {"b": "1"}, parent="main")
    for head, base in (("fix", "main"), ("fix", "dev"), ("dev", "main")):
        clock.advance(1)
        opened(api, head=head, base=base)
    clock.advance(1)
    api.patch("pulls/1", state="closed")

    def numbers(**query: str) -> list[int]:
        return [one["number"] for one in api.get("pulls", **query).json()]

    assert numbers() == [3, 2]
    assert numbers(state="all", head="acme:fix") == [2, 1]
    assert numbers(base="main") == [3]
    assert numbers(state="all", sort="updated", direction="desc") == [1, 3, 2]
    assert numbers(head="fix") == [3, 2], "a head without its owner is no filter on GitHub"


def test_an_issue_is_no_pull_request(api: Client, rocket: Repository) -> None:
    rocket.add_issue("t")
    assert api.get("pulls/1").status_code == 404
    assert api.patch("pulls/1", title="x").status_code == 404
