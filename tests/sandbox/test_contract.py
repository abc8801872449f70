"""The contract itself: what it finds in requests and in answers."""

from __future__ import annotations

import json

import pytest
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Request, Response

from nightshift.sandbox import Sandbox
from nightshift.sandbox.repository import Repository
from nightshift.sandbox.rest.endpoints import ENDPOINTS
from support.client import Client
from support.contract import Contract, description
from support.sandbox import commit


@pytest.fixture(name="contract")
def fixture_contract(bare_box: Sandbox) -> Contract:
    """A contract whose problems the test looks at."""
    contract = Contract()
    bare_box.observers.append(contract)
    return contract


def test_every_endpoint_of_the_sandbox_is_in_the_description() -> None:
    assert sum(len(item) for item in description()["paths"].values()) == len(ENDPOINTS)


def test_a_misspelt_field_and_an_unknown_parameter(
    loose_api: Client, contract: Contract, rocket: Repository
) -> None:
    commit(rocket, "fix", {"a": "1"}, parent="main")
    loose_api.post("pulls", title="T", head="fix", base="main", drfat=True)
    loose_api.get("issues", lables="bug")
    loose_api.get("issues", state="opne")
    assert len(contract.problems) == 3
    assert "drfat" in contract.problems[0]
    assert "unknown query parameter lables" in contract.problems[1]
    assert "state" in contract.problems[2]


def test_a_refused_request_need_not_be_right(
    loose_api: Client, contract: Contract, rocket: Repository
) -> None:
    rocket.add_issue("t")
    assert loose_api.post("issues/1/comments", bdoy="x").status_code == 422
    assert contract.problems == []
    assert contract.seen == {"POST /repos/{owner}/{repo}/issues/{issue_number}/comments"}


def test_an_answer_of_another_shape(contract: Contract) -> None:
    asked = Request(EnvironBuilder(path="/api/v3/repos/o/r/labels").get_environ())
    contract(asked, Response(json.dumps([{"name": "bug"}]), content_type="application/json"))
    assert any("'id'" in text or '"id"' in text for text in contract.problems)


def test_an_endpoint_that_github_does_not_have(contract: Contract) -> None:
    asked = Request(EnvironBuilder(path="/api/v3/repos/o/r/nothing").get_environ())
    contract(asked, Response("{}", content_type="application/json"))
    assert "no such endpoint" in contract.problems[0]
