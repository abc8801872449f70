"""Fixtures of the GitHub adapter's tests: an adapter on the sandbox, under GitHub's contract."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from nightshift.adapters.github.adapter import GitHubAdapter
from nightshift.sandbox import Sandbox
from support.clock import SimulatedClock
from support.sandbox import REPOSITORY, fixture_bare_box, fixture_box, fixture_clock, fixture_rocket

__all__ = ["fixture_bare_box", "fixture_box", "fixture_clock", "fixture_rocket"]


@pytest.fixture(name="github")
def fixture_github(box: Sandbox, clock: SimulatedClock) -> Iterator[GitHubAdapter]:
    """An adapter that may do everything."""
    adapter = GitHubAdapter(
        token=box.token, repository=REPOSITORY, api_url=box.api_url, clock=clock
    )
    yield adapter
    adapter.close()


@pytest.fixture(name="loose_github")
def fixture_loose_github(bare_box: Sandbox, clock: SimulatedClock) -> Iterator[GitHubAdapter]:
    """An adapter on a sandbox that may go beyond what GitHub describes."""
    adapter = GitHubAdapter(
        token=bare_box.token, repository=REPOSITORY, api_url=bare_box.api_url, clock=clock
    )
    yield adapter
    adapter.close()
