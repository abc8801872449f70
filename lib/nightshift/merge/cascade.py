"""The merge of one conflicted file: methods from the surest to the last resort, each proved before
it counts.

Pure: bytes and history come in as values, bytes and a ledger go out. No I/O, no clock, no
randomness: the same conflict always ends the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from nightshift.merge import document, python
from nightshift.merge.combine import Context, Piece
from nightshift.merge.encoding import decode, encode, is_binary
from nightshift.merge.lineage import Line, Stage
from nightshift.merge.lines import split
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
    """The versions of one path on both sides since the merge base, newest first, fetched when
    asked for.

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
    """A path that git could not merge: the bytes of its three stages, None where a stage is
    absent."""

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
    :param absent: names that the merged tree cannot serve to imports of this file (`treecheck`).
    """

    wins: Side = Side.SOURCE
    formatter: Formatter | None = None
    absent: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Merged:
    """The file as it comes out: its bytes (None: deleted) and how that was decided."""

    data: bytes | None
    resolutions: tuple[Resolution, ...] = ()


def merge_file(conflict: FileConflict, options: Options) -> Merged:
    """Merge one conflicted file. Never raises for any bytes; never leaves a conflict marker."""
    if conflict.target is None or conflict.source is None:
        return _absent(conflict)
    if conflict.source in (conflict.target, conflict.base):
        return Merged(conflict.target)
    if conflict.target == conflict.base:
        return Merged(conflict.source)
    if any(map(is_binary, (conflict.base, conflict.target, conflict.source))):
        return _whole(conflict, options, "binary")
    return _text(conflict, options)


def _text(conflict: FileConflict, options: Options) -> Merged:
    """A file that both sides changed, as text."""
    files = [decode(data) for data in (conflict.base, conflict.target, conflict.source)]
    base, target, source = (file.text for file in files)
    if target in (base, source) or source == base:
        pieces = [_line_ends_only(base, target, source)]
    else:
        context = Context(
            Line(base, target, lambda: _stages(conflict.history.target())),
            Line(base, source, lambda: _stages(conflict.history.source())),
            Kept(options.wins.value),
        )
        sides = (split(base), split(target), split(source))
        merged = None
        if conflict.path.endswith((".py", ".pyi")):
            merged = python.merge(conflict.path, sides, context, options.formatter, options.absent)
        pieces = document.merge(conflict.path, sides, context) if merged is None else merged
    text = "".join(line for piece in pieces for line in piece.lines)
    return Merged(encode(text, *files), tuple(_ledger(conflict.path, pieces)))


def _line_ends_only(base: str, target: str, source: str) -> Piece:
    """A side that changed line ends alone changed no line; `encode` sees to the ends."""
    side = Kept.SOURCE if target == base else Kept.TARGET
    lines = split(source if side is Kept.SOURCE else target)
    return Piece(lines, Method.END_OF_LINE, side, (), Confidence.HIGH)


def _stages(versions: Sequence[Past]) -> list[Stage]:
    return [Stage(past.commit, decode(past.data).text) for past in versions]


def _absent(conflict: FileConflict) -> Merged:
    """One side deleted what the other changed: the deletion stands (so all 17 of 17 that people
    landed).

    Whether the merged tree still needs the file is for `treecheck` to say.
    """
    kept = Kept.TARGET if conflict.source is None else Kept.SOURCE
    data = conflict.target if conflict.source is None else conflict.source
    if conflict.base is None:
        return Merged(data)
    away = Kept.SOURCE if kept is Kept.TARGET else Kept.TARGET
    note = f"deleted on the {away}, changed on the {kept}"
    return Merged(
        None, (Resolution(conflict.path, None, Method.HISTORY, away, (), Confidence.LOW, note),)
    )


def _whole(conflict: FileConflict, options: Options, note: str) -> Merged:
    """The winner's file as it stands."""
    wins = Kept(options.wins.value)
    data = conflict.source if wins is Kept.SOURCE else conflict.target
    return Merged(
        data, (Resolution(conflict.path, None, Method.POLICY, wins, (), Confidence.LOW, note),)
    )


def _ledger(path: str, pieces: Sequence[Piece]) -> Iterator[Resolution]:
    """The decisions among the pieces, with the lines that they cover in the result."""
    at = 1
    for piece in pieces:
        size = len(piece.lines)
        if piece.method is not None:
            span = (at, at + size - 1) if size else None
            yield Resolution(
                path, span, piece.method, piece.side, piece.evidence, piece.confidence, piece.note
            )
        at += size
