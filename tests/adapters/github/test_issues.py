"""Issues, labels, comments and files, as GitHub gives them and as it denies them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from nightshift.adapters.github.adapter import GitHubAdapter
from nightshift.adapters.github.issues import next_cursor
from nightshift.errors import HostError, UserError
from nightshift.sandbox import Sandbox
from nightshift.sandbox.repository import Repository
from support.clock import START
from support.sandbox import REPOSITORY, commit

SCOPE = "oncall: distributed"


def requests(box: Sandbox) -> list[str]:
    return [f"{seen.method} {seen.path}" for seen in box.requests]


def test_an_issue_comes_whole_in_one_request(
    github: GitHubAdapter, box: Sandbox, rocket: Repository
) -> None:
    rocket.associations["ada"] = "MEMBER"
    seed = rocket.add_issue("Title é", "Body\r\n", author="bob", labels=[SCOPE, "bug"])
    rocket.comment(seed, "first", by="ada")
    rocket.comment(seed, "second", by="helper[bot]")
    rocket.unlabel(seed, "bug", by="ada")
    issue = github.issue(seed.number)
    assert (issue.number, issue.title, issue.body, issue.author) == (
        1,
        "Title é",
        "Body\r\n",
        "bob",
    )
    assert issue.labels == (SCOPE,)
    assert (issue.open, issue.locked, issue.is_pull_request) == (True, False, False)
    assert issue.created_at == START
    assert issue.url == f"{box.server_url}/{REPOSITORY}/issues/1"
    first, second = issue.comments
    assert (first.body, first.author, first.role, first.is_bot) == ("first", "ada", "MEMBER", False)
    assert (second.author, second.is_bot) == ("helper[bot]", True)
    assert [comment.id for comment in issue.comments] == [one.id for one in seed.comments]
    (removal,) = issue.label_removals
    assert (removal.label, removal.actor, removal.is_bot, removal.at) == (
        "bug",
        "ada",
        False,
        START,
    )
    assert requests(box) == ["POST /api/graphql"]


def test_all_comments_are_read(github: GitHubAdapter, rocket: Repository) -> None:
    seed = rocket.add_issue("t", labels=[SCOPE])
    for number in range(230):
        rocket.comment(seed, str(number))
    bodies = [str(number) for number in range(230)]
    assert [comment.body for comment in github.issue(1).comments] == bodies
    assert [comment.body for one in github.backlog(SCOPE) for comment in one.comments] == bodies


def test_the_state_of_an_issue(github: GitHubAdapter, rocket: Repository) -> None:
    seed = rocket.add_issue("t", None)
    seed.locked = True
    rocket.close(seed)
    issue = github.issue(1)
    assert (issue.open, issue.locked, issue.body) == (False, True, "")


def test_a_pull_request_shows_as_one(github: GitHubAdapter, rocket: Repository) -> None:
    commit(rocket, "work", {"a": "b"}, parent="main")
    seed = rocket.add_pull("t", head="work", base="main")
    rocket.label(seed, ["bug"])
    issue = github.issue(seed.number)
    assert (issue.is_pull_request, issue.labels) == (True, ("bug",))


@pytest.mark.parametrize("number", [99, 0, -1, 2**31])
def test_an_issue_that_does_not_exist(
    number: int, github: GitHubAdapter, rocket: Repository
) -> None:
    del rocket
    with pytest.raises(UserError, match=f"#{number} does not exist"):
        github.issue(number)


def test_a_deleted_issue(github: GitHubAdapter, rocket: Repository) -> None:
    rocket.add_issue("t").gone = "deleted"
    with pytest.raises(UserError, match="#1 was deleted"):
        github.issue(1)


@pytest.mark.parametrize("place", ["acme/other#7", f"{REPOSITORY}#2"])
def test_a_transferred_issue(
    place: str, loose_github: GitHubAdapter, bare_box: Sandbox, rocket: Repository
) -> None:
    other = bare_box.state.add_repository("acme/other")
    for _ in range(7):
        other.add_issue("t")
    rocket.add_issue("t").gone = place
    rocket.add_issue("another")
    asks: list[Callable[[], object]] = [
        lambda: loose_github.issue(1),
        lambda: loose_github.add_labels(1, ["bug"]),
        lambda: loose_github.post_comment(1, "hello"),
    ]
    for ask in asks:
        with pytest.raises(UserError, match="#1 is elsewhere: it was transferred"):
            ask()
    assert not other.issues[7].labels and not other.issues[7].comments


def test_the_backlog_is_read_in_batches_newest_first(
    github: GitHubAdapter, box: Sandbox, rocket: Repository
) -> None:
    for number in range(120):
        rocket.add_issue(f"t{number}", labels=[SCOPE.upper() if number % 2 else SCOPE])
    rocket.add_issue("other", labels=[f"{SCOPE} parallelisms"])
    rocket.close(rocket.issues[5])
    commit(rocket, "work", {"a": "b"}, parent="main")
    rocket.label(rocket.add_pull("pr", head="work", base="main"), [SCOPE])
    numbers = [issue.number for issue in github.backlog(SCOPE)]
    assert numbers == [number for number in range(120, 0, -1) if number != 5]
    assert requests(box) == ["POST /api/graphql"] * 3


def test_the_backlog_is_read_only_as_far_as_it_is_wanted(
    github: GitHubAdapter, box: Sandbox, rocket: Repository
) -> None:
    for _ in range(60):
        rocket.add_issue("t", labels=[SCOPE])
    assert next(iter(github.backlog(SCOPE))).number == 60
    assert len(box.requests) == 1


@pytest.mark.parametrize("times, sizes", [(5, [50] * 5 + [25]), (10, [50] * 5 + [25] * 5 + [12])])
def test_batches_that_github_cannot_make_are_halved(
    times: int, sizes: list[int], loose_github: GitHubAdapter, bare_box: Sandbox, rocket: Repository
) -> None:
    for _ in range(60):
        rocket.add_issue("t", labels=[SCOPE])
    bare_box.faults.add("POST */graphql", "502", times=times)
    assert [issue.number for issue in loose_github.backlog(SCOPE)] == list(range(60, 0, -1))
    asked = [json.loads(seen.body)["variables"]["first"] for seen in bare_box.requests]
    assert asked[: len(sizes)] == sizes
    assert set(asked[len(sizes) :]) == {sizes[-1]}


def test_halving_has_an_end(
    loose_github: GitHubAdapter, bare_box: Sandbox, rocket: Repository
) -> None:
    del rocket
    bare_box.faults.add("POST */graphql", "502", times=999)
    with pytest.raises(HostError):
        list(loose_github.backlog(SCOPE))
    assert len(bare_box.requests) == 4 * 5


def test_an_empty_backlog(github: GitHubAdapter, rocket: Repository) -> None:
    del rocket
    assert not list(github.backlog(SCOPE))


def test_all_labels_of_the_repository(github: GitHubAdapter, rocket: Repository) -> None:
    names = {f"label {number}" for number in range(250)} | {"Module: É"}
    for name in names:
        rocket.add_label(name)
    assert github.label_names() == names


def test_labels_are_added_and_none_is_removed(github: GitHubAdapter, rocket: Repository) -> None:
    rocket.add_issue("t", labels=["old", "bug"])
    github.add_labels(1, ["BUG", "module: nccl"])
    assert [label.name for label in rocket.issues[1].labels] == ["old", "bug", "module: nccl"]


def test_a_label_that_github_refuses_is_an_error(github: GitHubAdapter, rocket: Repository) -> None:
    rocket.add_issue("t")
    rocket.creates_missing_labels = False
    with pytest.raises(HostError, match="name invalid") as caught:
        github.add_labels(1, ["nobody made this"])
    assert (caught.value.status, caught.value.transient) == (422, False)


def test_a_comment_is_posted(github: GitHubAdapter, rocket: Repository) -> None:
    rocket.add_issue("t")
    comment = github.post_comment(1, "line\nüber \ud800 <!-- mark -->")
    (posted,) = rocket.issues[1].comments
    assert posted.body == comment.body == "line\nüber ? <!-- mark -->"
    assert (comment.id, comment.is_bot) == (posted.id, True)


def test_a_locked_issue_refuses_comments_with_403(
    github: GitHubAdapter, rocket: Repository
) -> None:
    rocket.add_issue("t").locked = True
    with pytest.raises(HostError, match="locked") as caught:
        github.post_comment(1, "hello")
    assert (caught.value.status, caught.value.transient) == (403, False)


def test_a_file_at_a_ref(github: GitHubAdapter, rocket: Repository) -> None:
    data = "é\r\n".encode() + b"\xff\x00"
    sha = commit(rocket, "main", {".github/policy.yaml": data})
    commit(rocket, "main", {".github/policy.yaml": "newer"})
    assert github.file_at(".github/policy.yaml", sha) == data
    assert github.file_at(".github/policy.yaml", "main") == b"newer"


def test_a_path_with_signs_of_an_address(loose_github: GitHubAdapter, rocket: Repository) -> None:
    commit(rocket, "main", {"a b/{c}%2e#?.yaml": "x"})
    assert loose_github.file_at("a b/{c}%2e#?.yaml", "main") == b"x"


@pytest.mark.parametrize("path, ref", [("none.yaml", "main"), ("README.md", "none")])
def test_a_file_that_is_not_there(
    path: str, ref: str, github: GitHubAdapter, rocket: Repository
) -> None:
    del rocket
    with pytest.raises(UserError, match="does not exist"):
        github.file_at(path, ref)


def test_a_folder_is_no_file(github: GitHubAdapter, rocket: Repository) -> None:
    commit(rocket, "main", {"docs/a.md": "a", "docs/b.md": "b"})
    with pytest.raises(UserError, match="not a file"):
        github.file_at("docs", "main")


def test_a_file_over_a_megabyte(github: GitHubAdapter, rocket: Repository) -> None:
    commit(rocket, "main", {"large": b"x" * 1_100_000})
    with pytest.raises(UserError, match="too large"):
        github.file_at("large", "main")


@pytest.mark.parametrize("path", ["../x", "a/../../issues", "a/./b", "a//b", ""])
def test_a_path_that_climbs_is_never_sent(
    path: str, github: GitHubAdapter, box: Sandbox, rocket: Repository
) -> None:
    del rocket
    with pytest.raises(UserError, match="not a path"):
        github.file_at(path, "main")
    assert not box.requests


def test_pages_that_go_in_a_circle_are_an_error() -> None:
    page = {"pageInfo": {"hasNextPage": True, "endCursor": "x"}}
    assert next_cursor(page, None) == "x"
    with pytest.raises(HostError, match="circle"):
        next_cursor(page, "x")
    with pytest.raises(HostError, match="circle"):
        next_cursor({"pageInfo": {"hasNextPage": True, "endCursor": None}}, None)
