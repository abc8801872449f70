"""The git remote, with real git: who may fetch and push, and how GitHub refuses a push."""

from __future__ import annotations

import subprocess
from hashlib import sha256
from pathlib import Path

import httpx2
import pytest

from nightshift.sandbox import Job, Sandbox
from nightshift.sandbox.repository import Repository
from support.sandbox import authed_url, commit, push, run_git

WORKFLOW = ".github/workflows/ci.yml"


def refused(box: Sandbox, rocket: Repository, sha: str, branch: str, *options: str) -> str:
    """What git says to a push that is refused: the ref's line and what the remote said."""
    with pytest.raises(subprocess.CalledProcessError) as caught:
        push(box, rocket, sha, branch, *options)
    return (caught.value.stdout + caught.value.stderr).decode()


def without(box: Sandbox, **permissions: str) -> None:
    """Take permissions from the sandbox's token."""
    box.state.tokens[box.token].permissions.update(permissions)


def test_a_clone_gets_all_branches(bare_box: Sandbox, rocket: Repository, tmp_path: Path) -> None:
    sha = commit(rocket, "feature/x", {"ünï code": "1"}, parent="main")
    run_git(tmp_path, "clone", "--quiet", authed_url(bare_box, rocket, bare_box.token), "copy")
    assert run_git(tmp_path / "copy", "rev-parse", "origin/feature/x") == sha
    assert run_git(tmp_path / "copy", "symbolic-ref", "--short", "HEAD") == "main"


def test_a_shallow_clone_can_be_deepened_and_one_commit_fetched(
    bare_box: Sandbox, rocket: Repository, tmp_path: Path
) -> None:
    first = rocket.git.head("main") or ""
    commit(rocket, "main", {"a": "1"})
    url = authed_url(bare_box, rocket, bare_box.token)
    run_git(tmp_path, "clone", "--quiet", "--depth=1", url, "copy")
    copy = tmp_path / "copy"
    assert run_git(copy, "rev-list", "--count", "HEAD") == "1"
    run_git(copy, "fetch", "--quiet", "--unshallow")
    assert run_git(copy, "rev-list", "--count", "HEAD") == "2"
    run_git(copy, "fetch", "--quiet", url, first)
    assert run_git(copy, "rev-parse", "FETCH_HEAD") == first


@pytest.mark.parametrize("token", ["wrong", ""])
def test_no_good_token_is_401(
    bare_box: Sandbox, rocket: Repository, tmp_path: Path, token: str
) -> None:
    url = authed_url(bare_box, rocket, token) if token else bare_box.remote_url("acme/rocket")
    with pytest.raises(subprocess.CalledProcessError) as caught:
        run_git(tmp_path, "ls-remote", url)
    assert (
        b"Authentication failed" in caught.value.stderr or b"could not read" in caught.value.stderr
    )
    assert {seen.status for seen in bare_box.requests} == {401}


@pytest.mark.usefixtures("rocket")
def test_the_api_s_scheme_is_none_for_git(bare_box: Sandbox) -> None:
    url = f"{bare_box.remote_url('acme/rocket')}/info/refs?service=git-upload-pack"
    answer = httpx2.get(url, headers={"Authorization": f"Bearer {bare_box.token}"})
    assert answer.status_code == 401 and "Basic" in answer.headers["www-authenticate"]


def test_a_token_that_expires_between_two_requests(bare_box: Sandbox, rocket: Repository) -> None:
    bare_box.state.tokens[bare_box.token].requests_left = 1
    sha = commit(rocket, "seed", {"a": "1"}, parent="main")
    assert "HTTP 401" in refused(bare_box, rocket, sha, "new")
    assert rocket.git.head("new") is None


def test_no_such_repository(bare_box: Sandbox, rocket: Repository, tmp_path: Path) -> None:
    url = authed_url(bare_box, rocket, bare_box.token).replace("rocket", "nothing")
    with pytest.raises(subprocess.CalledProcessError) as caught:
        run_git(tmp_path, "ls-remote", url)
    assert b"not found" in caught.value.stderr


def test_a_push_moves_the_branch_and_starts_ci(bare_box: Sandbox, rocket: Repository) -> None:
    bare_box.ci.on_push([Job("lint")], branch="fix/*")
    sha = commit(rocket, "seed", {"a": "1"}, parent="main")
    push(bare_box, rocket, sha, "fix/a")
    assert rocket.git.head("fix/a") == sha
    assert [(run.name, run.sha) for run in rocket.check_runs] == [("lint", sha)]
    push(bare_box, rocket, sha, "other")
    assert len(rocket.check_runs) == 1, "that branch does not fit, and fix/a did not move"


def test_a_push_of_the_default_token_starts_no_ci(bare_box: Sandbox, rocket: Repository) -> None:
    bare_box.ci.on_push([Job("lint")])
    bare_box.state.tokens[bare_box.token].starts_workflows = False
    push(bare_box, rocket, commit(rocket, "seed", {"a": "1"}, parent="main"), "new")
    assert rocket.check_runs == []


def test_a_branch_is_deleted_and_forced(bare_box: Sandbox, rocket: Repository) -> None:
    one = commit(rocket, "one", {"a": "1"}, parent="main")
    two = commit(rocket, "two", {"a": "2"}, parent="main")
    push(bare_box, rocket, one, "new")
    assert "rejected" in refused(bare_box, rocket, two, "new")
    push(bare_box, rocket, two, "new", f"--force-with-lease=new:{one}")
    assert rocket.git.head("new") == two
    push(bare_box, rocket, "", "new")
    assert rocket.git.head("new") is None


def test_a_stale_lease_is_refused(bare_box: Sandbox, rocket: Repository) -> None:
    one = commit(rocket, "one", {"a": "1"}, parent="main")
    two = commit(rocket, "two", {"a": "2"}, parent="main")
    push(bare_box, rocket, one, "new")
    said = refused(bare_box, rocket, two, "new", f"--force-with-lease=new:{two}")
    assert "stale info" in said and rocket.git.head("new") == one


def test_a_branch_that_moves_during_the_push(bare_box: Sandbox, rocket: Repository) -> None:
    one = commit(rocket, "one", {"a": "1"}, parent="main")
    two = commit(rocket, "two", {"a": "2"}, parent="main")
    push(bare_box, rocket, one, "new")
    person = commit(rocket, "person", {"p": "1"}, parent=one)
    bare_box.faults.before(
        "POST */git-receive-pack", lambda: rocket.git.set_ref("refs/heads/new", person)
    )
    said = refused(bare_box, rocket, two, "new", f"--force-with-lease=new:{one}")
    assert "remote rejected" in said and rocket.git.head("new") == person


def test_without_the_permission_a_push_is_403(bare_box: Sandbox, rocket: Repository) -> None:
    without(bare_box, contents="read")
    said = refused(bare_box, rocket, commit(rocket, "seed", {"a": "1"}, parent="main"), "new")
    assert "Permission to acme/rocket.git denied to github-actions[bot]" in said
    assert "403" in said


def test_without_any_permission_there_is_no_repository(
    bare_box: Sandbox, rocket: Repository, tmp_path: Path
) -> None:
    without(bare_box, contents="none")
    with pytest.raises(subprocess.CalledProcessError) as caught:
        run_git(tmp_path, "ls-remote", authed_url(bare_box, rocket, bare_box.token))
    assert b"not found" in caught.value.stderr


@pytest.mark.parametrize(
    ("kind", "code", "reason"),
    [
        ("protected", "GH006", "protected branch hook declined"),
        ("ruled", "GH013", "push declined due to repository rule violations"),
    ],
)
def test_a_protected_branch(
    bare_box: Sandbox, rocket: Repository, kind: str, code: str, reason: str
) -> None:
    getattr(rocket, kind).add("release/*")
    sha = commit(rocket, "seed", {"a": "1"}, parent="main")
    said = refused(bare_box, rocket, sha, "release/1")
    assert f"error: {code}: " in said and f"[remote rejected] ({reason})" in said
    assert rocket.git.head("release/1") is None
    push(bare_box, rocket, sha, "other")


def test_a_new_workflow_wants_its_permission(bare_box: Sandbox, rocket: Repository) -> None:
    sha = commit(rocket, "seed", {WORKFLOW: "on: push\n"}, parent="main")
    rocket.git.git("update-ref", "-d", "refs/heads/seed")
    without(bare_box, workflows="none")
    said = refused(bare_box, rocket, sha, "new")
    assert f"create or update workflow `{WORKFLOW}` without `workflows` permission" in said
    without(bare_box, workflows="write")
    push(bare_box, rocket, sha, "new")


def test_a_workflow_that_a_branch_has_already_wants_no_permission(
    bare_box: Sandbox, rocket: Repository
) -> None:
    commit(rocket, "main", {WORKFLOW: "on: push\n"})
    without(bare_box, workflows="none")
    sha = commit(rocket, "seed", {"a": "1"}, parent="main")
    push(bare_box, rocket, sha, "same")
    changed = commit(rocket, "seed", {WORKFLOW: "on: pull_request\n"})
    rocket.git.set_ref("refs/heads/seed", sha)
    assert "without `workflows`" in refused(bare_box, rocket, changed, "same")


def test_githubs_own_refs_cannot_be_pushed(bare_box: Sandbox, rocket: Repository) -> None:
    sha = commit(rocket, "seed", {"a": "1"}, parent="main")
    url = authed_url(bare_box, rocket, bare_box.token)
    with pytest.raises(subprocess.CalledProcessError) as caught:
        run_git(rocket.git.path, "push", "--porcelain", url, f"{sha}:refs/pull/1/head")
    assert b"deny updating a hidden ref" in caught.value.stdout


def test_a_large_push_comes_in_pieces(
    bare_box: Sandbox, rocket: Repository, tmp_path: Path
) -> None:
    """Over `http.postBuffer`, a megabyte, git sends no length."""
    encodings: list[str | None] = []
    bare_box.observers.append(
        lambda request, _: encodings.append(request.headers.get("Transfer-Encoding"))
    )
    run_git(tmp_path, "clone", "--quiet", authed_url(bare_box, rocket, bare_box.token), "copy")
    noise = b"".join(sha256(str(n).encode()).digest() for n in range(40_000))
    (tmp_path / "copy" / "noise").write_bytes(noise)
    run_git(tmp_path / "copy", "add", "noise")
    run_git(tmp_path / "copy", "commit", "--quiet", "-m", "noise")
    run_git(tmp_path / "copy", "push", "--quiet", "origin", "HEAD:new")
    assert "chunked" in encodings
    assert rocket.git.head("new") == run_git(tmp_path / "copy", "rev-parse", "HEAD")
