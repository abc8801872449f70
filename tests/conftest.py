"""Nothing in the tests may touch HOME, the user's git configuration, or the network beyond
loopback."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("suite", deadline=None, derandomize=True)
settings.load_profile("suite")

_LOOPBACK = ("127.", "::1", "localhost")
_connect = socket.socket.connect


def _connect_on_loopback(self: socket.socket, address: object) -> None:
    host = address[0] if isinstance(address, tuple) else ""
    if self.family in (socket.AF_INET, socket.AF_INET6) and not str(host).startswith(_LOOPBACK):
        raise AssertionError(f"a test tried to reach {host!r}")
    _connect(self, address)


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Iterator[None]:
    socket.socket.connect = _connect_on_loopback  # type: ignore[method-assign,assignment]
    yield
    socket.socket.connect = _connect  # type: ignore[method-assign]


@pytest.fixture(autouse=True)
def _no_home(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """An empty HOME of its own for each test, which must be empty still when the test ends."""
    home: Path = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name in list(os.environ):
        if name.startswith(("GITHUB_", "INPUT_", "RUNNER_", "ACTIONS_", "GIT_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    yield
    left = sorted(item.name for item in home.iterdir())
    assert not left, f"the test wrote into HOME: {left}"
