"""The rollup by GraphQL: both kinds of entries, pages, polls, every state and conclusion."""

from __future__ import annotations

from typing import Any

import pytest

from nightshift.sandbox import NEVER, After, Job, Sandbox
from nightshift.sandbox.repository import Repository
from support.client import Client
from support.sandbox import commit

CONTEXTS = """
statusCheckRollup { state contexts(first: 100, after: $after) {
  totalCount checkRunCount statusContextCount pageInfo { hasNextPage endCursor }
  nodes { __typename
    ... on CheckRun { databaseId name status conclusion startedAt completedAt detailsUrl
      isRequired(pullRequestNumber: 1)
      checkSuite { app { slug } workflowRun { databaseId event workflow { name } } } }
    ... on StatusContext { context state targetUrl isRequired(pullRequestNumber: 1)
      creator { login } } } } }
"""
BY_COMMIT = f"object(oid: $oid) {{ ... on Commit {{ oid {CONTEXTS} }} }}"
BY_PULL = f"""
pullRequest(number: $number) {{ headRefOid
  commits(last: 1) {{ nodes {{ commit {{ oid {CONTEXTS} }} }} }} }}
"""


@pytest.fixture(name="sha")
def fixture_sha(rocket: Repository) -> str:
    """The head of a pull request #1."""
    sha = commit(rocket, "fix", {"a": "1"}, parent="main")
    rocket.add_pull("Fix", head="fix", base="main")
    return sha


def rollup(api: Client, sha: str, after: str | None = None) -> Any:
    return api.repository(BY_COMMIT, oid=sha, after=after)["object"]["statusCheckRollup"]


def test_a_commit_without_checks_has_no_rollup(api: Client, sha: str) -> None:
    assert rollup(api, sha) is None
    unknown = api.repository(BY_COMMIT, oid="0" * 40, after=None)
    assert unknown["object"] is None


def test_a_run_and_a_context_from_queued_to_done(
    api: Client, box: Sandbox, rocket: Repository, sha: str
) -> None:
    jobs = [
        Job("test", workflow="CI", conclusion="failure", required=True),
        Job("ext", context=True, url="https://ci.example/1", ends=After(polls=3)),
        Job("bot", workflow=""),
    ]
    box.ci.start(rocket, sha, jobs)
    first = rollup(api, sha)
    assert (first["state"], first["contexts"]["totalCount"]) == ("PENDING", 3)
    run, bot, ext = first["contexts"]["nodes"]
    assert (run["name"], run["status"], run["conclusion"]) == ("test", "IN_PROGRESS", None)
    assert run["checkSuite"]["workflowRun"]["workflow"]["name"] == "CI"
    assert run["isRequired"] is True and ext["isRequired"] is False
    assert bot["checkSuite"] == {"app": None, "workflowRun": None}
    assert (ext["context"], ext["state"], ext["targetUrl"]) == (
        "ext",
        "PENDING",
        "https://ci.example/1",
    )
    second = rollup(api, sha)
    run = second["contexts"]["nodes"][0]
    assert (second["state"], run["status"], run["conclusion"]) == (
        "FAILURE",
        "COMPLETED",
        "FAILURE",
    )
    assert run["startedAt"] and run["completedAt"]
    assert f"/job/{run['databaseId']}" in run["detailsUrl"]
    assert rollup(api, sha)["contexts"]["nodes"][2]["state"] == "SUCCESS"


def test_a_pull_request_shows_the_rollup_of_its_head(
    api: Client, box: Sandbox, rocket: Repository, sha: str
) -> None:
    newer = commit(rocket, "fix", {"b": "1"})
    box.ci.start(rocket, newer, [Job("new", starts=After(), ends=After())])
    box.ci.start(rocket, sha, [Job("old")])
    pull = api.repository(BY_PULL, number=1, after=None)["pullRequest"]
    head = pull["commits"]["nodes"][0]["commit"]
    assert pull["headRefOid"] == head["oid"] == newer
    names = [node["name"] for node in head["statusCheckRollup"]["contexts"]["nodes"]]
    assert names == ["new"] and head["statusCheckRollup"]["state"] == "SUCCESS"


def test_250_contexts_come_in_three_pages_of_one_poll(
    api: Client, box: Sandbox, rocket: Repository, sha: str
) -> None:
    jobs = [Job(f"job {n:03}", ends=After(polls=2)) for n in range(240)]
    jobs += [Job(f"ext {n:03}", context=True, ends=NEVER) for n in range(10)]
    box.ci.start(rocket, sha, jobs)
    after, pages = None, []
    for _ in range(3):
        contexts = rollup(api, sha, after)["contexts"]
        assert contexts["totalCount"] == 250 and contexts["statusContextCount"] == 10
        pages.append(contexts["nodes"])
        after = contexts["pageInfo"]["endCursor"]
    assert [len(page) for page in pages] == [100, 100, 50]
    assert not contexts["pageInfo"]["hasNextPage"]
    runs = [node for page in pages for node in page if node["__typename"] == "CheckRun"]
    assert {node["status"] for node in runs} == {"IN_PROGRESS"}, "one poll, though three requests"
    names = {node.get("name") or node["context"] for page in pages for node in page}
    assert len(names) == 250


def test_the_same_name_in_two_suites_shows_twice(
    api: Client, box: Sandbox, rocket: Repository, sha: str
) -> None:
    for conclusion in ("failure", "success"):
        job = Job("test", conclusion=conclusion, starts=After(), ends=After())
        box.ci.start(rocket, sha, [job])
    contexts = rollup(api, sha)
    assert [node["conclusion"] for node in contexts["contexts"]["nodes"]] == ["FAILURE", "SUCCESS"]
    assert contexts["state"] == "FAILURE"


def test_every_state_and_conclusion_can_show(api: Client, rocket: Repository, sha: str) -> None:
    conclusions = (
        "action_required timed_out cancelled failure success neutral skipped startup_failure stale"
    ).split()
    statuses = "requested queued in_progress waiting pending".split()
    for name in conclusions:
        rocket.add_check_run(sha, name, conclusion=name)
    for name in statuses:
        rocket.add_check_run(sha, name, status=name)
    for name in ("expected", "error", "failure", "pending", "success"):
        rocket.add_status(sha, f"ctx {name}", name)
    nodes = rollup(api, sha)["contexts"]["nodes"]
    shown = [node["conclusion"] for node in nodes[:9]]
    assert shown == [name.upper() for name in conclusions]
    assert [node["status"] for node in nodes[9:14]] == [name.upper() for name in statuses]
    assert [node["state"] for node in nodes[14:]] == [
        "EXPECTED",
        "ERROR",
        "FAILURE",
        "PENDING",
        "SUCCESS",
    ]


def test_required_must_be_asked_of_a_pull_request(
    api: Client, rocket: Repository, sha: str
) -> None:
    rocket.add_check_run(sha, "test", conclusion="success")
    query = f"""{{ repository(owner: "acme", name: "rocket") {{ object(oid: "{sha}") {{
      ... on Commit {{ statusCheckRollup {{ contexts(first: 1) {{ nodes {{
        ... on CheckRun {{ isRequired }} }} }} }} }} }} }} }}"""
    assert "pull request" in api.graphql(query)["errors"][0]["message"]


def test_a_token_that_may_read_no_checks(box: Sandbox, rocket: Repository, sha: str) -> None:
    rocket.add_check_run(sha, "test", conclusion="success")
    box.state.add_token("weak", checks="none", statuses="none")
    query = f"""{{ repository(owner: "acme", name: "rocket") {{ object(oid: "{sha}") {{
      ... on Commit {{ statusCheckRollup {{ state }} }} }} }} }}"""
    assert Client(box, "weak").graphql(query)["errors"][0]["type"] == "FORBIDDEN"
