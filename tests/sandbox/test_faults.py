"""Faults on purpose: each kind as a client meets it, once, before or after the deed."""

from __future__ import annotations

from collections.abc import Callable

import httpx2
import pytest

from nightshift.sandbox import Sandbox
from nightshift.sandbox.faults import Kind
from nightshift.sandbox.repository import Repository
from support.client import Client
from support.sandbox import run_git

QUERY = "{ viewer { login } }"


@pytest.fixture(autouse=True)
def issue(rocket: Repository) -> None:
    """An issue #1."""
    rocket.add_issue("t")


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("500", 500),
        ("502", 502),
        ("503", 503),
        ("secondary", 403),
        ("429", 429),
        ("rate-limit", 403),
        ("401", 401),
        ("403", 403),
        ("404", 404),
        ("422", 422),
    ],
)
def test_an_answer_that_refuses_once(api: Client, box: Sandbox, kind: Kind, status: int) -> None:
    box.faults.add("GET */issues/1", kind, retry_after=7)
    answer = api.get("issues/1")
    assert answer.status_code == status
    assert answer.headers.get("retry-after") == ("7" if kind in ("secondary", "429") else None)
    assert answer.headers.get("x-ratelimit-remaining") == ("0" if kind == "rate-limit" else None)
    assert api.get("issues/1").status_code == 200
    assert [seen.fault for seen in box.requests] == [kind, ""]


@pytest.mark.parametrize(
    ("kind", "error"), [("reset", httpx2.ReadError), ("timeout", httpx2.ReadTimeout)]
)
def test_no_answer_at_all(box: Sandbox, api: Client, kind: Kind, error: type[Exception]) -> None:
    box.faults.add("GET *", kind)
    api.http.timeout = 0.2
    with pytest.raises(error):
        api.get("issues/1")
    api.http.timeout = 10
    assert api.get("issues/1").status_code == 200
    assert [seen.status for seen in sorted(box.requests, key=lambda seen: seen.status)] == [0, 200]


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("kind", ["502", "reset"])
def test_a_write_may_have_been_done_all_the_same(
    api: Client, box: Sandbox, rocket: Repository, kind: Kind, after: bool
) -> None:
    box.faults.add("POST *", kind, after=after)
    try:
        assert api.post("issues/1/comments", body="x").status_code == 502
    except httpx2.ReadError:
        assert kind == "reset"
    assert len(rocket.issues[1].comments) == int(after)


def test_a_graphql_error_comes_with_200_and_strikes_nothing_else(api: Client, box: Sandbox) -> None:
    fault = box.faults.add("*", "graphql-error")
    assert api.get("issues/1").status_code == 200
    assert fault.struck == 0
    answer = api.graphql(QUERY)
    assert "Something went wrong" in answer["errors"][0]["message"] and "data" not in answer
    assert "errors" not in api.graphql(QUERY)


@pytest.mark.parametrize(
    "match", [2, "GET */labels", lambda request: request.path.endswith("/labels")]
)
def test_by_number_by_pattern_by_predicate(
    api: Client, box: Sandbox, match: int | str | Callable[..., bool]
) -> None:
    box.faults.add(match, "500")
    statuses = [api.get(path).status_code for path in ("issues", "labels", "labels", "issues")]
    assert statuses == [200, 500, 200, 200]


def test_several_times_and_forgotten(api: Client, box: Sandbox) -> None:
    box.faults.add("GET *", "500", times=2)
    assert [api.get("labels").status_code for _ in range(3)] == [500, 500, 200]
    box.faults.add("GET *", "500")
    box.faults.clear()
    assert api.get("labels").status_code == 200


def test_something_happens_just_before_a_request(
    api: Client, box: Sandbox, rocket: Repository
) -> None:
    box.faults.before("POST */labels", lambda: rocket.label(rocket.issues[1], ["first"]))
    api.get("labels")
    assert rocket.issues[1].labels == []
    answer = api.post("issues/1/labels", labels=["second"])
    assert [label["name"] for label in answer.json()] == ["first", "second"]


def test_git_meets_faults_too(bare_box: Sandbox, rocket: Repository) -> None:
    bare_box.faults.add("GET */info/refs", "503")
    url = bare_box.remote_url("acme/rocket").replace("//", f"//x:{bare_box.token}@")
    with pytest.raises(Exception, match="128"):
        run_git(rocket.git.path, "ls-remote", url)
    assert run_git(rocket.git.path, "ls-remote", url)
