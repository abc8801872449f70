"""The merge of one conflicted file: methods from the surest to the last resort, each proved before it counts.

Pure: bytes and history come in as values, bytes and a ledger go out. No I/O, no clock, no randomness:
the same conflict always ends the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from nightshift.merge.resolution import Confidence, Method, Resolution
from nightshift.merge.resolution import Side as Kept
from nightshift.policy.model import Side
from nightshift.ports import Formatter


@dataclass(frozen=True, slots=True)
class Past:
    """One version that the path had on one side since the merge base."""

    commit: str
    data: bytes


class History(Protocol):
    """The versions of one path on both sides since the merge base, newest first, fetched when asked for.

    The tips themselves and the merge base are not needed among them, but do no harm.
    """

    def target(self) -> Sequence[Past]:
        """The target's versions."""
        ...

    def source(self) -> Sequence[Past]:
        """The source's versions."""
        ...


@dataclass(frozen=True, slots=True)
class NoHistory:
    """A history that knows nothing."""

    def target(self) -> Sequence[Past]:
        """None."""
        return ()

    def source(self) -> Sequence[Past]:
        """None."""
        return ()


@dataclass(frozen=True, slots=True)
class FileConflict:
    """A path that git could not merge: the bytes of its three stages, None where a stage is absent."""

    path: str
    base: bytes | None
    target: bytes | None
    source: bytes | None
    history: History = field(default_factory=NoHistory)


@dataclass(frozen=True, slots=True)
class Options:
    """What policy says of a merge.

    :param wins: the side that wins where nothing else decides.
    :param formatter: the repository's style, None where there is none.
    """

    wins: Side = Side.SOURCE
    formatter: Formatter | None = None


@dataclass(frozen=True, slots=True)
class Merged:
    """The file as it comes out: its bytes (None: deleted) and how that was decided."""

    data: bytes | None
    resolutions: tuple[Resolution, ...] = ()


def merge_file(conflict: FileConflict, options: Options) -> Merged:
    """Merge one conflicted file. Never raises for any bytes; never leaves a conflict marker."""
    chosen = conflict.source if options.wins is Side.SOURCE else conflict.target
    ledger = Resolution(
        conflict.path, None, Method.POLICY, Kept(options.wins.value), (), Confidence.LOW, "whole file"
    )
    return Merged(chosen, (ledger,))
