"""An error that no rule knows, reported with its lines for a person."""

from __future__ import annotations

import re2

from nightshift.sync.fixes.cause import Cause, Failure

NAME = "unknown"
MAX_TEXT = 200

_ERROR = re2.compile(
    r"^(?:##\[error\]|E   |Error: |error: )(.+)$|^([A-Za-z_][\w.]*(?:Error|Exception)(?:: .*)?)$"
)
_SAYS_NOTHING = re2.compile(r"Process completed with exit code|^The operation was canceled")


def find(line: str) -> Failure | None:
    """An error that the runner or a tool announces, or the last line of a trace."""
    match = _ERROR.search(line)
    text = (match.group(1) or match.group(2)) if match else None
    if not text or _SAYS_NOTHING.search(text):
        return None
    return Failure(NAME, symbol=text.strip()[:MAX_TEXT])


CAUSE = Cause("an error that no rule knows", r"Error|Exception|##\[error\]|error: |E   ", find)
