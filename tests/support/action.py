"""Starts the action's entrypoint as a subprocess, as the runner does, in folders of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nightshift.demo import repository
from nightshift.sandbox import Sandbox
from support.runner import RunnerEnv


class Starter:
    """Starts the action's entrypoint as a subprocess."""

    def __init__(self, folder: Path, box: Sandbox) -> None:
        self._folder, self._box = folder, box
        self._runs = 0

    def prepare(
        self,
        inputs: Mapping[str, str],
        event_name: str = "schedule",
        event: Mapping[str, Any] | None = None,
        *,
        sha: str = "0" * 40,
    ) -> RunnerEnv:
        """The runner's side of one more step."""
        self._runs += 1
        payload = {"repository": {"full_name": repository.REPOSITORY}, **(event or {})}
        place = self._folder / str(self._runs)
        return RunnerEnv(place, self._box, inputs, event_name, payload, sha=sha)
