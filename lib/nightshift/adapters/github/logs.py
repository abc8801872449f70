"""A job's log as text: its head and its tail, of a download that may be huge. No requests here."""

from __future__ import annotations

from collections.abc import Iterable

import re2

HEAD_BYTES = 1 << 20
TAIL_BYTES = 4 << 20
READ_BYTES = 256 << 20
"""What is read at most. The tail of a longer log is not its end; the text says so."""

LEFT_OUT = "[… {count} bytes of the log are left out here …]"
NOT_READ = "[… the log goes on; no more of it was read …]"

# Colours and cursor moves (CSI), titles and links (OSC), and the few short ones that are left.
_ANSI = re2.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[@-Z\\^_=>])")


def read_log(chunks: Iterable[bytes]) -> str:
    """The text of a log: the first mebibyte and the last four, and a line for what is between.

    Decoded as UTF-8 without its mark, foreign bytes replaced; no terminal colours; lines end in LF.
    """
    head, tail, skipped, more = _head_and_tail(chunks)
    if skipped:
        start = _whole_lines(_decoded(head), at_end=True)
        end = _whole_lines(_decoded(tail), at_end=False)
        text = f"{start}{LEFT_OUT.format(count=skipped)}\n{end}"
    else:
        text = _decoded(head + tail)
    return f"{text}\n{NOT_READ}\n" if more else text


def _head_and_tail(chunks: Iterable[bytes]) -> tuple[bytes, bytes, int, bool]:
    """(head, tail, the number of bytes between them, whether there is more than was read)."""
    head, tail, size = bytearray(), bytearray(), 0
    for chunk in chunks:
        if size >= READ_BYTES:
            return bytes(head), bytes(tail[-TAIL_BYTES:]), _between(size), True
        size += len(chunk)
        rest = HEAD_BYTES - len(head)
        head += chunk[:rest]
        tail += chunk[rest:]
        if len(tail) > 2 * TAIL_BYTES:
            del tail[:-TAIL_BYTES]
    return bytes(head), bytes(tail[-TAIL_BYTES:]), _between(size), False


def _between(size: int) -> int:
    return max(size - HEAD_BYTES - TAIL_BYTES, 0)


def _decoded(data: bytes) -> str:
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    return str(_ANSI.sub("", text))


def _whole_lines(text: str, *, at_end: bool) -> str:
    """Without the line that was cut through; a text of one line stays as it is."""
    place = text.rfind("\n") if at_end else text.find("\n")
    if place < 0:
        return f"{text}\n" if at_end else text
    return text[: place + 1] if at_end else text[place + 1 :]
