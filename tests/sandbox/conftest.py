"""Fixtures of the sandbox's own tests: the shared ones, and a client that speaks plain HTTP."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from nightshift.sandbox import Sandbox
from support.client import Client
from support.sandbox import fixture_bare_box, fixture_box, fixture_clock, fixture_rocket

__all__ = ["fixture_bare_box", "fixture_box", "fixture_clock", "fixture_rocket"]


@pytest.fixture(name="api")
def fixture_api(box: Sandbox) -> Iterator[Client]:
    """A client that may do everything, under contract."""
    client = Client(box, box.token)
    yield client
    client.http.close()


@pytest.fixture(name="loose_api")
def fixture_loose_api(bare_box: Sandbox) -> Iterator[Client]:
    """A client whose requests need not be ones that GitHub would grant."""
    client = Client(bare_box, bare_box.token)
    yield client
    client.http.close()
