"""Issues by REST: reads, filters, pages, comments, labels, timeline, and issues that are gone."""

from __future__ import annotations

import pytest

from nightshift.sandbox import Sandbox
from nightshift.sandbox.repository import Repository
from support.client import Client
from support.clock import SimulatedClock
from support.sandbox import commit


def test_an_issue_shows_what_was_filed(api: Client, rocket: Repository) -> None:
    rocket.associations["ada"] = "MEMBER"
    rocket.add_issue("It burns", "Badly.", author="ada", labels=["bug"])
    data = api.get("issues/1").json()
    assert (data["title"], data["body"], data["state"]) == ("It burns", "Badly.", "open")
    assert data["user"]["login"] == "ada" and data["author_association"] == "MEMBER"
    assert [label["name"] for label in data["labels"]] == ["bug"]
    assert "pull_request" not in data


def test_a_pull_request_is_an_issue_too(api: Client, rocket: Repository) -> None:
    commit(rocket, "fix", {"a": "1"}, parent="main")
    rocket.add_pull("Fix", head="fix", base="main", draft=True)
    data = api.get("issues/1").json()
    assert data["pull_request"]["url"].endswith("/pulls/1") and data["draft"] is True
    assert [item["number"] for item in api.get("issues").json()] == [1]


def test_filters_sorting_and_pages(api: Client, rocket: Repository, clock: SimulatedClock) -> None:
    for number in range(1, 8):
        clock.advance(1)
        rocket.add_issue(f"n{number}", labels=["bug", "hot"] if number % 2 else ["bug"])
    rocket.close(rocket.issues[3])
    rocket.comment(rocket.issues[1], "again")

    def numbers(**query: object) -> list[int]:
        return [one["number"] for one in api.get("issues", **query).json()]

    assert numbers() == [7, 6, 5, 4, 2, 1]
    assert numbers(labels="BUG,hot") == [7, 5, 1]
    assert numbers(state="closed") == [3]
    assert numbers(state="all", direction="asc", per_page=2) == [1, 2]
    clock.advance(1)
    rocket.comment(rocket.issues[2], "and again")
    assert numbers(sort="updated")[0] == 2
    assert numbers(since=clock.now().isoformat().replace("+00:00", "Z")) == [2]


def test_link_headers_lead_through_all_pages(api: Client, rocket: Repository) -> None:
    for number in range(5):
        rocket.add_issue(str(number))
    answer = api.get("issues", per_page=2, state="all")
    seen = [one["number"] for one in answer.json()]
    while "next" in answer.links:
        answer = api.ask("GET", answer.links["next"]["url"])
        seen += [one["number"] for one in answer.json()]
    assert seen == [5, 4, 3, 2, 1]
    assert set(answer.links) == {"prev", "first"}


def test_comments_come_oldest_first_and_say_who_is_a_bot(api: Client, rocket: Repository) -> None:
    issue = rocket.add_issue("t")
    rocket.comment(issue, "first", by="ada")
    posted = api.post("issues/1/comments", body="second")
    assert posted.status_code == 201
    rows = api.get("issues/1/comments").json()
    assert [(row["body"], row["user"]["type"]) for row in rows] == [
        ("first", "User"),
        ("second", "Bot"),
    ]
    assert rows[1]["id"] == posted.json()["id"]


@pytest.mark.parametrize(
    ("body", "code"),
    [({}, "missing_field"), ({"body": ""}, "missing_field"), ({"body": 3}, "invalid")],
)
def test_a_comment_without_a_body_is_refused(
    api: Client, rocket: Repository, body: dict[str, object], code: str
) -> None:
    rocket.add_issue("t")
    answer = api.post("issues/1/comments", **body)
    assert answer.status_code == 422
    error = {"resource": "IssueComment", "code": code, "field": "body"}
    assert answer.json()["errors"] == [error]
    assert rocket.issues[1].comments == []


def test_a_comment_may_be_65536_characters_and_no_more(api: Client, rocket: Repository) -> None:
    rocket.add_issue("t")
    assert api.post("issues/1/comments", body="é" * 65_536).status_code == 201
    answer = api.post("issues/1/comments", body="é" * 65_537)
    assert answer.status_code == 422
    assert "maximum is 65536" in answer.json()["errors"][0]["message"]


def test_a_locked_issue_takes_labels_but_no_comment(
    api: Client, box: Sandbox, rocket: Repository
) -> None:
    rocket.add_issue("t").locked = True
    refused = api.post("issues/1/comments", body="hi")
    assert refused.status_code == 403 and "is locked" in refused.json()["message"]
    assert api.post("issues/1/labels", labels=["bug"]).status_code == 200
    box.state.tokens[box.token].comments_when_locked = True
    assert api.post("issues/1/comments", body="hi").status_code == 201


def test_labels_are_added_never_removed_and_compared_without_case(
    api: Client, rocket: Repository
) -> None:
    rocket.add_issue("t", labels=["Bug"])
    answer = api.post("issues/1/labels", labels=["bug", "hot"])
    assert [label["name"] for label in answer.json()] == ["Bug", "hot"]
    assert [event.label.name for event in rocket.issues[1].events] == ["Bug", "hot"]


def test_a_label_that_does_not_exist_is_made_unless_switched_off(
    api: Client, rocket: Repository
) -> None:
    rocket.add_issue("t")
    assert api.post("issues/1/labels", labels=["new"]).status_code == 200
    assert [label["name"] for label in api.get("labels").json()] == ["new"]
    rocket.creates_missing_labels = False
    assert api.post("issues/1/labels", labels=["newer"]).status_code == 422
    assert "newer" not in rocket.labels


def test_an_issue_holds_a_hundred_labels(api: Client, rocket: Repository) -> None:
    rocket.add_issue("t", labels=[f"l{number}" for number in range(99)])
    assert api.post("issues/1/labels", labels=["one more"]).status_code == 200
    answer = api.post("issues/1/labels", labels=["too many"])
    assert answer.status_code == 422 and len(rocket.issues[1].labels) == 100


@pytest.mark.parametrize("labels", [None, [], [""], ["x" * 51], [3]])
def test_labels_that_are_none_are_refused(
    loose_api: Client, rocket: Repository, labels: object
) -> None:
    rocket.add_issue("t")
    assert loose_api.post("issues/1/labels", labels=labels).status_code == 422
    assert rocket.issues[1].labels == []


def test_the_timeline_tells_who_took_a_label_off(
    api: Client, rocket: Repository, clock: SimulatedClock
) -> None:
    issue = rocket.add_issue("t", labels=["bug"])
    clock.advance(1)
    rocket.comment(issue, "not a bug", by="ada")
    clock.advance(1)
    rocket.unlabel(issue, "BUG", by="ada")
    rows = api.get("issues/1/timeline").json()
    assert [row["event"] for row in rows] == ["labeled", "commented", "unlabeled"]
    assert rows[2]["label"]["name"] == "bug" and rows[2]["actor"]["login"] == "ada"
    assert api.get("issues/1").json()["labels"] == []


def test_no_issue_a_deleted_one_and_a_transferred_one(
    api: Client, box: Sandbox, rocket: Repository
) -> None:
    rocket.add_issue("gone").gone = "deleted"
    rocket.add_issue("moved").gone = "acme/other#1"
    box.state.add_repository("acme/other").add_issue("here now")
    assert api.get("issues/9").status_code == 404
    assert api.get("issues/1").status_code == 410
    answer = api.get("issues/2")
    assert answer.status_code == 301
    assert api.ask("GET", answer.headers["location"]).json()["title"] == "here now"
    assert api.get("issues").json() == []


def test_what_is_no_json_object_is_refused(loose_api: Client, rocket: Repository) -> None:
    rocket.add_issue("t")
    for content in (b"{", b"[]"):
        assert loose_api.ask("POST", "issues/1/comments", content=content).status_code == 400
