"""Bytes to text and back without loss: encoding, byte order mark, line ends.

A file is merged as text with `\\n` line ends only where every line of it ends the same way; a file
with mixed ends is merged as it stands, so that each line keeps its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")
MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file as text, with what is needed to write its bytes again.

    :param newline: the end of every line; "" where the text has none, or mixed ones (kept in
        `text`).
    """

    text: str
    newline: str
    mark: bool


def decode(data: bytes | None) -> Decoded:
    """Bytes as text. Bytes that are not UTF-8 survive as surrogates; an absent file is empty."""
    text = (data or b"").decode("utf-8", "surrogateescape")
    mark = text.startswith(MARK)
    text = text.removeprefix(MARK)
    windows = text.count("\r\n")
    if windows and windows == text.count("\n") == text.count("\r"):
        return Decoded(text.replace("\r\n", "\n"), "\r\n", mark)
    return Decoded(text, "\n" if "\n" in text and "\r" not in text else "", mark)


def encode(text: str, base: Decoded, target: Decoded, source: Decoded) -> bytes:
    """Merged text as bytes: line end and byte order mark are merged three-way like everything
    else."""
    newline = _three_way(base.newline, target.newline, source.newline)
    mark = MARK if _three_way(base.mark, target.mark, source.mark) else ""
    if newline == "\r\n" and "\r" not in text:
        text = text.replace("\n", "\r\n")
    return (mark + text).encode("utf-8", "surrogateescape")


def _three_way(base: T, target: T, source: T) -> T:
    return source if target == base else target


def is_binary(data: bytes | None) -> bool:
    """Whether a file is one that lines mean nothing in (git's own test: a NUL byte near the
    start)."""
    return data is not None and b"\0" in data[:8000]
