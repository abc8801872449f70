"""Seconds by step, by a clock that is handed in. For the report only: no decision depends on
them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager


class Stopwatch:
    """Adds up how long each step took."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self.seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Measure what runs inside."""
        start = self._monotonic()
        try:
            yield
        finally:
            spent = self._monotonic() - start
            self.seconds[name] = round(self.seconds.get(name, 0.0) + spent, 3)

    def add(self, prefix: str, seconds: Mapping[str, float]) -> None:
        """Take over what a step has measured of its parts."""
        for name, spent in seconds.items():
            key = f"{prefix}: {name}"
            self.seconds[key] = round(self.seconds.get(key, 0.0) + spent, 3)
