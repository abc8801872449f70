"""The repository itself by REST: its facts, files at a ref, refs."""

from __future__ import annotations

import base64

from nightshift.sandbox.repository import Repository
from support.client import Client
from support.sandbox import commit


def test_the_repository_shows_its_default_branch(api: Client, rocket: Repository) -> None:
    rocket.add_issue("t")
    data = api.get("/repos/Acme/ROCKET").json()
    assert (data["full_name"], data["default_branch"]) == ("acme/rocket", "main")
    assert data["open_issues_count"] == 1
    assert api.get("/repos/acme/nothing").status_code == 404


def test_a_file_at_a_ref_as_json_and_raw(api: Client, rocket: Repository) -> None:
    content = "line\n".encode() + bytes(range(256))
    sha = commit(rocket, "feature/x", {"conf/policy.yaml": content}, parent="main")
    for ref in ("feature/x", "refs/heads/feature/x", sha):
        data = api.get("contents/conf/policy.yaml", ref=ref).json()
        assert base64.b64decode(data["content"]) == content
        assert (data["encoding"], data["size"], data["type"]) == ("base64", len(content), "file")
    raw = {"Accept": "application/vnd.github.raw+json"}
    answer = api.ask("GET", "contents/conf/policy.yaml?ref=feature/x", headers=raw)
    assert answer.content == content
    assert api.get("contents/conf/policy.yaml").status_code == 404, "main has no such file"


def test_a_file_over_a_megabyte_comes_raw_only(api: Client, rocket: Repository) -> None:
    commit(rocket, "main", {"big": b"x" * 1_000_001})
    data = api.get("contents/big").json()
    assert (data["content"], data["encoding"], data["size"]) == ("", "none", 1_000_001)
    raw = {"Accept": "application/vnd.github.raw"}
    assert len(api.ask("GET", "contents/big", headers=raw).content) == 1_000_001


def test_a_folder_is_a_list(api: Client, rocket: Repository) -> None:
    commit(rocket, "main", {"d/one": "1", "d/sub/two": "2"})
    rows = api.get("contents/d").json()
    assert [(row["path"], row["type"]) for row in rows] == [("d/one", "file"), ("d/sub", "dir")]


def test_refs_that_are_there_and_not(api: Client, rocket: Repository) -> None:
    data = api.get("git/ref/heads/main").json()
    assert data["object"]["sha"] == rocket.git.head("main")
    assert api.get("git/ref/heads/nowhere").status_code == 404
    assert api.get("contents/README.md", ref="nowhere").status_code == 404
    assert api.get("contents/README.md", ref="--help").status_code == 404
