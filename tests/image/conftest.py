"""One build for all tests here. What is missing on the machine makes them fail, never skip."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from nightshift.demo import world
from nightshift.sandbox import Sandbox
from nightshift.sandbox.repository import Repository
from support.image import Image, build_image


@pytest.fixture(name="image", scope="session")
def built_image() -> Image:
    """The action's image."""
    return build_image()


@pytest.fixture(name="box")
def listening_sandbox() -> Iterator[Sandbox]:
    """A GitHub on the host's loopback, which containers share."""
    with Sandbox() as box:
        yield box


@pytest.fixture(name="made")
def made_up_repository(box: Sandbox) -> Repository:
    """The demonstration's repository: issues to triage, branches to sync, a CI that looks."""
    return world.build(box)
