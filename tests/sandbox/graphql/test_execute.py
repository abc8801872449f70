"""Executing GraphQL: the two mutations, what they refuse, the rate limit, no request."""

from __future__ import annotations

from typing import Any

import pytest

from nightshift.sandbox import Sandbox
from nightshift.sandbox.repository import Repository
from support.client import Client
from support.sandbox import commit

READY = """
mutation($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) {
  pullRequest { isDraft number } } }
"""
DRAFT = READY.replace("markPullRequestReadyForReview", "convertPullRequestToDraft")


@pytest.fixture(name="node_id")
def fixture_node_id(api: Client, rocket: Repository) -> str:
    """The id, as REST tells it, of a draft pull request."""
    commit(rocket, "fix", {"a": "1"}, parent="main")
    rocket.add_pull("Fix", head="fix", base="main", draft=True)
    node_id: str = api.get("pulls/1").json()["node_id"]
    assert node_id.startswith("PR_")
    return node_id


def draft_of(rocket: Repository) -> Any:
    pull = rocket.issues[1].pull
    return pull and pull.draft


def test_a_draft_becomes_ready_and_a_draft_again(
    api: Client, rocket: Repository, node_id: str
) -> None:
    answer = api.graphql(READY, id=node_id)
    pull = answer["data"]["markPullRequestReadyForReview"]["pullRequest"]
    assert pull == {"isDraft": False, "number": 1} and draft_of(rocket) is False
    api.graphql(DRAFT, id=node_id)
    assert draft_of(rocket) is True
    assert api.get("pulls/1").json()["draft"] is True


def test_a_closed_one_cannot_be_marked(api: Client, rocket: Repository, node_id: str) -> None:
    rocket.close(rocket.issues[1])
    answer = api.graphql(READY, id=node_id)
    assert answer["errors"][0]["type"] == "UNPROCESSABLE"
    assert answer["data"] == {"markPullRequestReadyForReview": None}


def test_it_wants_the_permission_and_the_right_id(
    api: Client, box: Sandbox, rocket: Repository, node_id: str
) -> None:
    box.state.add_token("weak", pull_requests="read")
    answer = Client(box, "weak").graphql(READY, id=node_id)
    assert answer["errors"][0]["type"] == "FORBIDDEN"
    answer = api.graphql(READY, id="PR_nothing")
    assert answer["errors"][0]["type"] == "NOT_FOUND"
    assert draft_of(rocket) is True


def test_the_id_is_a_node(api: Client, node_id: str) -> None:
    query = "query($id: ID!) { node(id: $id) { ... on PullRequest { number } } }"
    assert api.graphql(query, id=node_id)["data"]["node"] == {"number": 1}


def test_who_asks_and_what_is_left(api: Client) -> None:
    answer = api.graphql("{ viewer { login } rateLimit { limit remaining used } }")["data"]
    assert answer["rateLimit"] == {"limit": 5000, "remaining": 4999, "used": 1}
    assert answer["viewer"] == {"login": "github-actions"}


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"query": 3}', b"{}"])
def test_a_request_without_a_query_is_400(loose_api: Client, content: bytes) -> None:
    assert loose_api.ask("POST", "/graphql", content=content).status_code == 400


def test_the_enterprise_address_is_good_too(api: Client, box: Sandbox) -> None:
    data = {"query": "{ viewer { login } }"}
    assert api.http.post(box.graphql_url, json=data).json()["data"]
