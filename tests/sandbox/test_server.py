"""The sandbox as a whole: addresses, the log of requests, its end, and defects that show."""

from __future__ import annotations

import threading

import httpx2
import pytest

from nightshift.sandbox import Sandbox
from support.client import Client
from support.sandbox import commit


def test_addresses_as_a_runner_has_them() -> None:
    with Sandbox(token="t0ken") as box:
        box.state.add_repository("acme/rocket")
        assert box.api_url == f"{box.server_url}/api/v3"
        assert box.graphql_url == f"{box.server_url}/api/graphql"
        assert box.remote_url("acme/rocket") == f"{box.server_url}/acme/rocket.git"
        assert (box.remote_path("Acme/Rocket") / "HEAD").is_file()
        assert Client(box, "t0ken").get("/repos/acme/rocket").status_code == 200
        with pytest.raises(KeyError):
            box.remote_path("acme/nothing")


def test_nothing_is_left_of_it() -> None:
    threads = threading.active_count()
    with Sandbox() as box:
        repository = box.state.add_repository("acme/rocket")
        commit(repository, "main", {"a": "1"})
        folder, url = box.state.folder, box.server_url
        assert folder.stat().st_mode & 0o077 == 0
    assert not folder.exists()
    with pytest.raises(httpx2.ConnectError):
        httpx2.get(url)
    assert threading.active_count() <= threads + 2, "its two listeners may still be ending"


def test_two_sandboxes_know_nothing_of_each_other() -> None:
    with Sandbox() as one, Sandbox() as other:
        one.state.add_repository("acme/rocket")
        assert Client(one, one.token).get("/repos/acme/rocket").status_code == 200
        assert Client(other, other.token).get("/repos/acme/rocket").status_code == 404


def test_the_log_has_method_path_status_and_body(bare_box: Sandbox) -> None:
    bare_box.state.add_repository("acme/rocket").add_issue("t")
    client = Client(bare_box, bare_box.token)
    client.get("issues", per_page=1)
    client.post("issues/1/comments", body="hello")
    first, second = bare_box.requests
    assert (first.method, first.status, first.query) == ("GET", 200, "per_page=1")
    assert second.path == "/api/v3/repos/acme/rocket/issues/1/comments"
    assert b"hello" in second.body and second.status == 201


def test_requests_side_by_side_lose_nothing(bare_box: Sandbox) -> None:
    repository = bare_box.state.add_repository("acme/rocket")
    repository.add_issue("t")
    client = Client(bare_box, bare_box.token)

    def write(name: str) -> None:
        for number in range(5):
            client.post("issues/1/labels", labels=[f"{name}{number}"])

    threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(repository.issues[1].labels) == 20 == len(bare_box.requests)


def test_a_defect_of_the_sandbox_is_kept_and_answered_with_500(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with Sandbox() as box:
        repository = box.state.add_repository("acme/rocket")
        repository.add_issue("t").comments = None  # type: ignore[assignment]
        assert Client(box, box.token).get("issues/1/comments").status_code == 500
        assert [type(error) for error in box.errors] == [TypeError]
    assert "TypeError" in caplog.text
