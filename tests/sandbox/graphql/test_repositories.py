"""A repository by GraphQL: batched issues, single ones, pull requests, refs, GitHub's errors."""

from __future__ import annotations

import pytest

from nightshift.sandbox.repository import Repository
from support.client import Client
from support.clock import SimulatedClock
from support.sandbox import commit

ISSUES = """
issues(first: 2, after: $after, labels: ["bug"], states: [OPEN],
       orderBy: {field: CREATED_AT, direction: DESC}) {
  totalCount pageInfo { hasNextPage endCursor }
  nodes { number title body author { login __typename } authorAssociation locked
    labels(first: 100) { nodes { name } }
    comments(first: 100) { totalCount nodes { databaseId body author { login } } }
    timelineItems(last: 10, itemTypes: [UNLABELED_EVENT]) {
      nodes { ... on UnlabeledEvent { createdAt actor { login } label { name } } } } } }
"""


def test_a_backlog_is_read_in_pages(api: Client, rocket: Repository, clock: SimulatedClock) -> None:
    for number in range(1, 6):
        clock.advance(1)
        rocket.add_issue(f"n{number}", labels=["Bug"] if number != 2 else [])
    rocket.close(rocket.issues[4])
    issue = rocket.issues[5]
    rocket.comment(issue, "hello", by="github-actions[bot]")
    rocket.label(issue, ["hot"])
    rocket.unlabel(issue, "hot", by="ada")
    first = api.repository(ISSUES, after=None)["issues"]
    assert first["totalCount"] == 3
    assert [node["number"] for node in first["nodes"]] == [5, 3]
    node = first["nodes"][0]
    assert [label["name"] for label in node["labels"]["nodes"]] == ["Bug"]
    comment = node["comments"]["nodes"][0]
    assert (comment["body"], comment["author"]["login"]) == ("hello", "github-actions")
    removal = node["timelineItems"]["nodes"][0]
    assert (removal["label"]["name"], removal["actor"]["login"]) == ("hot", "ada")
    rest = api.repository(ISSUES, after=first["pageInfo"]["endCursor"])["issues"]
    assert [node["number"] for node in rest["nodes"]] == [1]
    assert not rest["pageInfo"]["hasNextPage"]


def test_pull_requests_are_not_among_the_issues(api: Client, rocket: Repository) -> None:
    commit(rocket, "fix", {"a": "1"}, parent="main")
    rocket.add_pull("Fix", head="fix", base="main")
    assert api.repository("issues(first: 1) { totalCount }")["issues"]["totalCount"] == 0


def test_any_label_is_enough_unlike_rest(api: Client, rocket: Repository) -> None:
    rocket.add_issue("one", labels=["a"])
    rocket.add_issue("two", labels=["b"])
    found = api.repository('issues(first: 9, labels: ["a", "B"]) { totalCount }')["issues"]
    assert found["totalCount"] == 2
    assert api.get("issues", labels="a,b").json() == []


def test_by_number_of_either_kind(api: Client, rocket: Repository) -> None:
    commit(rocket, "fix", {"a": "1"}, parent="main")
    rocket.add_issue("An issue")
    rocket.add_pull("A pull", head="fix", base="main")
    both = "issueOrPullRequest(number: $number) { __typename ... on Issue { state } }"
    kinds = [api.repository(both, number=n)["issueOrPullRequest"]["__typename"] for n in (1, 2)]
    assert kinds == ["Issue", "PullRequest"]


@pytest.mark.parametrize(
    ("field", "number", "words"),
    [
        ("issue", 2, "an Issue with the number of 2"),
        ("issue", 3, "an Issue with the number of 3"),
        ("pullRequest", 1, "a PullRequest with the number of 1"),
        ("issueOrPullRequest", 9, "an issue or pull request with the number of 9"),
    ],
)
def test_what_is_not_there_is_an_error_with_200(
    api: Client, rocket: Repository, field: str, number: int, words: str
) -> None:
    rocket.add_issue("An issue")
    commit(rocket, "fix", {"a": "1"}, parent="main")
    rocket.add_pull("A pull", head="fix", base="main")
    rocket.add_issue("Gone").gone = "deleted"
    selection = f"{field}(number: {number}) {{ __typename }}"
    answer = api.graphql(f'{{ repository(owner: "acme", name: "rocket") {{ {selection} }} }}')
    assert answer["data"] == {"repository": {field: None}}
    error = answer["errors"][0]
    assert error["type"] == "NOT_FOUND" and error["path"] == ["repository", field]
    assert error["message"] == f"Could not resolve to {words}."


@pytest.mark.parametrize(
    ("selection", "words"),
    [
        ("issues { totalCount }", "You must provide a `first` or `last` value"),
        ("issues(first: 101) { totalCount }", "Requesting 101 records"),
        ('issues(first: 1, after: "x") { totalCount }', "not appear to be a valid cursor"),
    ],
)
@pytest.mark.usefixtures("rocket")
def test_pages_that_github_refuses(api: Client, selection: str, words: str) -> None:
    answer = api.graphql(f'{{ repository(owner: "acme", name: "rocket") {{ {selection} }} }}')
    assert words in answer["errors"][0]["message"]


@pytest.mark.usefixtures("rocket")
def test_an_unknown_field_is_refused_without_data(api: Client) -> None:
    answer = api.graphql('{ repository(owner: "acme", name: "rocket") { isuses { id } } }')
    assert "data" not in answer
    assert "isuses" in answer["errors"][0]["message"]
    nothing = api.graphql('{ repository(owner: "acme", name: "nope") { id } }')
    assert nothing["errors"][0]["type"] == "NOT_FOUND"


def test_pull_requests_by_state_and_branch(
    api: Client, rocket: Repository, clock: SimulatedClock
) -> None:
    for name in ("one", "two", "three"):
        clock.advance(1)
        commit(rocket, name, {name: "1"}, parent="main")
        rocket.add_pull(name, head=name, base="main")
    rocket.close(rocket.issues[1])
    rocket.land(rocket.issues[2])
    fields = "{ nodes { number state merged mergeCommit { oid } } }"
    order = "orderBy: {field: UPDATED_AT, direction: DESC}"
    merged = api.repository(f"pullRequests(first: 9, states: [MERGED], {order}) {fields}")
    assert merged["pullRequests"]["nodes"] == [
        {
            "number": 2,
            "state": "MERGED",
            "merged": True,
            "mergeCommit": {"oid": rocket.git.head("main")},
        }
    ]
    by_head = api.repository(f'pullRequests(first: 9, headRefName: "three") {fields}')
    assert [node["number"] for node in by_head["pullRequests"]["nodes"]] == [3]


def test_labels_and_refs(api: Client, rocket: Repository) -> None:
    rocket.add_label("Bug", description="broken")
    found = api.repository(
        'label(name: "bug") { name description } labels(first: 9) { totalCount }'
        'ref(qualifiedName: "refs/heads/main") { name prefix target { oid } }'
        "defaultBranchRef { name }"
    )
    assert found["label"] == {"name": "Bug", "description": "broken"}
    assert found["ref"]["name"] == found["defaultBranchRef"]["name"] == "main"
    assert found["ref"]["target"]["oid"] == rocket.git.head("main")
