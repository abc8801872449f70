"""A job's log as plain lines: without time stamps, colours, byte order marks and endless lines.

Linear in the text, and quick: a log may have 50 MB, of which only lines that may tell something are
taken out and cleaned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import re2

MAX_LINE = 2000
"""Characters of a line that are looked at."""

_ANSI = re2.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?")
_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z ?", re.ASCII)
_STAMP_LENGTH = 36
_BOM = "\ufeff"
_NEWLINE = b"\n"


class Log:
    """A log's bytes, with its lines by their place."""

    def __init__(self, text: str) -> None:
        self._data = text.encode("utf-8", "replace")

    def places(self, hint: Any) -> Iterator[tuple[int, str]]:
        """The lines in which a compiled pattern over bytes matches: (place, cleaned line)."""
        match = hint.search(self._data)
        while match is not None:
            start = self._data.rfind(_NEWLINE, 0, match.start()) + 1
            end = self._end(match.start())
            yield start, self._line(start, end)
            match = hint.search(self._data, end)

    def above(self, place: int, count: int) -> tuple[str, ...]:
        """So many cleaned lines that stand above a line, in order."""
        found: list[str] = []
        while place > 0 and len(found) < count:
            start = self._data.rfind(_NEWLINE, 0, place - 1) + 1
            found.append(self._line(start, place - 1))
            place = start
        return tuple(reversed(found))

    def below(self, place: int, count: int) -> tuple[str, ...]:
        """So many cleaned lines that stand below a line, in order."""
        found: list[str] = []
        start = self._end(place) + 1
        while start < len(self._data) and len(found) < count:
            end = self._end(start)
            found.append(self._line(start, end))
            start = end + 1
        return tuple(found)

    def _end(self, place: int) -> int:
        end = self._data.find(_NEWLINE, place)
        return len(self._data) if end < 0 else end

    def _line(self, start: int, end: int) -> str:
        return clean(self._data[start : min(end, start + 8 * MAX_LINE)].decode("utf-8", "replace"))


def clean(line: str) -> str:
    """One line without its time stamp and terminal codes; of a progress bar, its last state."""
    line = line.rstrip("\r").removeprefix(_BOM)
    stamp = _STAMP.match(line[:_STAMP_LENGTH])
    if stamp:
        line = line[stamp.end() :].removeprefix(_BOM)
    plain = str(_ANSI.sub("", line)) if "\x1b" in line else line
    return plain.rpartition("\r")[2][:MAX_LINE].rstrip()
