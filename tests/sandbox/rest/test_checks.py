"""Checks by REST: check runs, the combined status, workflow runs, re-runs and logs."""

from __future__ import annotations

import httpx2
import pytest

from nightshift.sandbox import NEVER, Job, Sandbox
from nightshift.sandbox.repository import Repository
from support.client import Client


@pytest.fixture(name="sha")
def fixture_sha(rocket: Repository) -> str:
    """The head of main."""
    sha = rocket.git.head("main")
    assert sha is not None
    return sha


def poll(box: Sandbox, rocket: Repository, sha: str, times: int = 2) -> None:
    for _ in range(times):
        box.ci.read(rocket, sha)


def test_check_runs_by_name_and_status(
    api: Client, box: Sandbox, rocket: Repository, sha: str
) -> None:
    box.ci.start(
        rocket, sha, [Job("lint"), Job("test", conclusion="failure"), Job("slow", ends=NEVER)]
    )
    poll(box, rocket, sha)
    data = api.get("commits/main/check-runs").json()
    assert data["total_count"] == 3
    assert [(run["name"], run["conclusion"]) for run in data["check_runs"]] == [
        ("lint", "success"),
        ("test", "failure"),
        ("slow", None),
    ]
    one = api.get(f"commits/{sha}/check-runs", check_name="test").json()
    assert [run["name"] for run in one["check_runs"]] == ["test"]
    running = api.get(f"commits/{sha}/check-runs", status="in_progress").json()
    assert [run["name"] for run in running["check_runs"]] == ["slow"]
    assert api.get("commits/nowhere/check-runs").status_code == 422


def test_reading_by_rest_does_not_count_as_a_poll(
    api: Client, box: Sandbox, rocket: Repository, sha: str
) -> None:
    box.ci.start(rocket, sha, [Job("lint")])
    for _ in range(5):
        run = api.get(f"commits/{sha}/check-runs").json()["check_runs"][0]
    assert run["status"] == "queued"


def test_the_combined_status_takes_the_newest_of_each_context(
    api: Client, rocket: Repository, sha: str
) -> None:
    assert api.get(f"commits/{sha}/status").json()["state"] == "pending"
    rocket.add_status(sha, "ext", "failure")
    rocket.add_status(sha, "ext", "success", target_url="https://ci.example/1")
    data = api.get(f"commits/{sha}/status").json()
    assert (data["state"], data["total_count"]) == ("success", 1)
    rocket.add_status(sha, "other", "expected")
    data = api.get(f"commits/{sha}/status").json()
    assert [row["state"] for row in data["statuses"]] == ["success", "pending"]
    rocket.add_status(sha, "third", "error")
    assert api.get(f"commits/{sha}/status").json()["state"] == "failure"


def test_failed_jobs_run_again_under_new_ids(
    api: Client, box: Sandbox, rocket: Repository, sha: str
) -> None:
    box.ci.start(rocket, sha, [Job("lint"), Job("test", conclusion=("failure", "success"))])
    poll(box, rocket, sha)
    before = api.get(f"commits/{sha}/check-runs").json()["check_runs"]
    run = next(iter(rocket.runs.values()))
    assert api.get(f"actions/runs/{run.id}").json()["conclusion"] == "failure"
    assert api.post(f"actions/runs/{run.id}/rerun-failed-jobs").status_code == 201
    data = api.get(f"actions/runs/{run.id}").json()
    assert (data["run_attempt"], data["status"]) == (2, "in_progress")
    poll(box, rocket, sha)
    after = api.get(f"commits/{sha}/check-runs").json()["check_runs"]
    assert [row["conclusion"] for row in after] == ["success", "success"]
    assert before[0]["id"] == after[0]["id"] and before[1]["id"] != after[1]["id"]
    everything = api.get(f"commits/{sha}/check-runs", filter="all").json()
    assert everything["total_count"] == 3
    assert api.get(f"actions/runs/{run.id}").json()["conclusion"] == "success"


def test_nothing_to_run_again_and_no_such_run(
    api: Client, box: Sandbox, rocket: Repository, sha: str
) -> None:
    box.ci.start(rocket, sha, [Job("lint")])
    poll(box, rocket, sha)
    run = next(iter(rocket.runs))
    assert api.post(f"actions/runs/{run}/rerun-failed-jobs").status_code == 403
    assert api.post("actions/runs/1/rerun-failed-jobs").status_code == 404
    assert api.get("actions/runs/1").status_code == 404


def test_a_log_is_a_download_from_another_host(
    api: Client, box: Sandbox, rocket: Repository, sha: str
) -> None:
    box.ci.start(rocket, sha, [Job("test", conclusion="failure", log="one\n\x1b[31mtwo\x1b[0m\n")])
    job = rocket.check_runs[0]
    assert api.get(f"actions/jobs/{job.id}/logs").status_code == 404, "it is still queued"
    poll(box, rocket, sha)
    answer = api.get(f"actions/jobs/{job.id}/logs")
    location = answer.headers["location"]
    assert answer.status_code == 302 and not location.startswith(box.server_url)
    log = httpx2.get(location)
    assert log.content.startswith("\ufeff2026-03-02T04:05:06.".encode())
    lines = [line.split(" ", 1)[1] for line in log.text.splitlines()]
    assert lines == [
        "##[group]Run test",
        "##[endgroup]",
        "one",
        "\x1b[31mtwo\x1b[0m",
        "##[error]Process completed with exit code 1.",
    ]


def test_the_download_wants_no_credentials_and_the_right_address(
    api: Client, box: Sandbox, rocket: Repository, sha: str
) -> None:
    box.ci.start(rocket, sha, [Job("test", log="x")])
    poll(box, rocket, sha)
    location = api.get(f"actions/jobs/{rocket.check_runs[0].id}/logs").headers["location"]
    headers = {"Authorization": f"Bearer {box.token}"}
    assert httpx2.get(location, headers=headers).status_code == 400
    assert httpx2.get(location.split("?")[0]).status_code == 404
    assert httpx2.get(location.replace(".txt", "0.txt")).status_code == 404


def test_a_log_that_expired_and_a_check_that_is_no_job(
    api: Client, box: Sandbox, rocket: Repository, sha: str
) -> None:
    box.ci.start(rocket, sha, [Job("old", log=None), Job("bot", workflow="")])
    poll(box, rocket, sha)
    old, bot = rocket.check_runs
    assert api.get(f"actions/jobs/{old.id}/logs").status_code == 410
    assert api.get(f"actions/jobs/{bot.id}/logs").status_code == 404
