"""Who is let in: tokens, permissions, expiry, and GitHub's limits; and what is not there."""

from __future__ import annotations

import httpx2
import pytest

from nightshift.sandbox import Sandbox
from nightshift.sandbox.repository import Repository
from support.client import Client
from support.clock import SimulatedClock

QUERY = '{ repository(owner: "acme", name: "rocket") { issues(first: 1) { totalCount } } }'


@pytest.mark.parametrize(
    "header", [None, "Bearer wrong", "sandbox-token", "Basic c2FuZGJveC10b2tlbg=="]
)
def test_no_good_token_is_401(box: Sandbox, rocket: Repository, header: str | None) -> None:
    headers = {"Authorization": header} if header else {}
    for answer in (
        httpx2.get(f"{box.api_url}/repos/{rocket.full_name}", headers=headers),
        httpx2.post(box.graphql_url, headers=headers, json={"query": QUERY}),
    ):
        assert answer.status_code == 401
        assert answer.json()["status"] == "401"


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "token"])
def test_both_schemes_are_good(box: Sandbox, rocket: Repository, scheme: str) -> None:
    headers = {"Authorization": f"{scheme} {box.token}"}
    url = f"{box.api_url}/repos/{rocket.full_name}"
    assert httpx2.get(url, headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("permissions", "reads", "writes"),
    [
        ({}, 200, 201),
        ({"issues": "read"}, 200, 201),
        ({"issues": "read", "pull_requests": "read"}, 200, 403),
        ({"issues": "none", "pull_requests": "none"}, 403, 403),
    ],
)
def test_permissions_decide(
    box: Sandbox, rocket: Repository, permissions: dict[str, str], reads: int, writes: int
) -> None:
    rocket.add_issue("t")
    box.state.add_token("weak", **permissions)
    weak = Client(box, "weak")
    assert weak.get("issues/1").status_code == reads
    answer = weak.post("issues/1/comments", body="x")
    assert answer.status_code == writes
    if writes == 403:
        assert answer.json()["message"] == "Resource not accessible by integration"
        assert "issues=write" in answer.headers["x-accepted-github-permissions"]
        assert rocket.issues[1].comments == []


@pytest.mark.usefixtures("rocket")
def test_a_permission_that_graphql_misses(box: Sandbox) -> None:
    box.state.add_token("weak", issues="none")
    answer = Client(box, "weak").graphql(QUERY)
    assert answer["data"] == {"repository": None}
    assert answer["errors"][0]["type"] == "FORBIDDEN"
    assert answer["errors"][0]["path"] == ["repository", "issues"]


@pytest.mark.usefixtures("rocket")
def test_a_token_expires_after_its_requests_or_its_hour(
    box: Sandbox, clock: SimulatedClock
) -> None:
    box.state.add_token("short").requests_left = 2
    client = Client(box, "short")
    assert [client.get("issues").status_code for _ in range(3)] == [200, 200, 401]
    late = box.state.add_token("hour")
    clock.advance(1)
    late.expires_at = clock.now()
    assert Client(box, "hour").get("issues").status_code == 401


@pytest.mark.usefixtures("rocket")
def test_the_hourly_limit(box: Sandbox, clock: SimulatedClock) -> None:
    box.state.add_token("few").rate.limit = 2
    client = Client(box, "few")
    first = client.get("issues")
    assert first.headers["x-ratelimit-remaining"] == "1"
    client.graphql(QUERY)
    refused = client.get("issues")
    assert (refused.status_code, refused.headers["x-ratelimit-remaining"]) == (403, "0")
    assert client.graphql(QUERY)["errors"][0]["type"] == "RATE_LIMITED", "with status 200"
    clock.advance(int(first.headers["x-ratelimit-reset"]) - clock.now().timestamp())
    assert client.get("issues").status_code == 200


def test_writes_that_come_too_fast(
    api: Client, box: Sandbox, rocket: Repository, clock: SimulatedClock
) -> None:
    assert (box.state.writes.minute, box.state.writes.hour) == (80, 500), "as on GitHub"
    box.state.writes.minute = 2
    rocket.add_issue("t")
    for _ in range(2):
        assert api.post("issues/1/labels", labels=["bug"]).status_code == 200
    refused = api.post("issues/1/comments", body="x")
    assert refused.status_code == 403 and "secondary rate limit" in refused.json()["message"]
    assert api.get("issues").status_code == 200, "reads go on"
    clock.advance(int(refused.headers["retry-after"]))
    assert api.post("issues/1/comments", body="x").status_code == 201


@pytest.mark.usefixtures("rocket")
def test_what_the_sandbox_does_not_know_is_501_and_not_404(loose_api: Client) -> None:
    assert loose_api.get("milestones").status_code == 501
    assert loose_api.ask("DELETE", "issues/1/labels/bug").status_code == 501
    assert loose_api.get("/user").status_code == 501


def test_the_number_of_a_repository_leads_to_it(api: Client, rocket: Repository) -> None:
    rocket.add_issue("t")
    assert api.get(f"/repositories/{rocket.id}/issues/1").json()["title"] == "t"
    assert api.get("/repositories/1/issues/1").status_code == 404
