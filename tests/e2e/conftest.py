"""A sandbox with the demonstration's repository, and the action started in it as the runner starts
it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nightshift.demo import world
from nightshift.sandbox import Sandbox
from nightshift.sandbox.repository import Repository
from support.action import Starter


@pytest.fixture(name="box")
def fixture_box() -> Iterator[Sandbox]:
    """A sandbox on the wall clock: the action is another process, with a clock of its own."""
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture(name="made")
def fixture_made(box: Sandbox) -> Repository:
    """The demonstration's repository."""
    return world.build(box)


@pytest.fixture(name="starter")
def fixture_starter(tmp_path: Path, box: Sandbox) -> Starter:
    """A starter in a folder of its own."""
    return Starter(tmp_path, box)
