"""The network, a package mirror or the runner failed: nothing in the code is to be mended.

Only such words count as tell of the machine or of getting packages. A test that fails is the code's
failure, unless its own line says that a name could not be resolved or a server answered 502 or 503.
"""

from __future__ import annotations

import re2

from nightshift.sync.fixes.cause import Cause, Failure

NAME = "infrastructure"

_REMOTE = "|".join(
    (
        "Temporary failure in name resolution",
        "Could not resolve host",
        "Could not resolve '",
        "Name or service not known",
        "NameResolutionError",
        "502 Bad Gateway",
        "503 Service (?:Temporarily )?Unavailable",
        "504 Gateway Time-?out",
        r"HTTP (?:status code |Error |status )?50[234]\b",
    )
)
_MACHINE = "|".join(
    (
        "Connection timed out",
        "Connect(?:ion)? ?Timeout",
        "Read timed out",
        "ReadTimeoutError",
        "ETIMEDOUT",
        "ECONNRESET",
        "ECONNREFUSED",
        "EAI_AGAIN",
        "Network is unreachable",
        "No route to host",
        "TLS handshake timeout",
        "Connection reset by peer",
        "unexpected EOF while reading",
        "Failed to fetch https?:",
        "Unable to fetch some archives",
        "Failed to download (?:metadata|package)",
        "Hash Sum mismatch",
        "toomanyrequests",
        "No space left on device",
        "received a shutdown signal",
        "lost communication with the server",
        "Docker pull failed",
        "Failed to pull image",
        "error pulling image",
        "RPC failed; curl",
        "early EOF",
    )
)
_TEST = re2.compile(r"(?:^|\s)(?:E  |FAILED |ERROR )")
_ANY = re2.compile(f"(?i)({_REMOTE}|{_MACHINE})")
_FAR = re2.compile(f"(?i)({_REMOTE})")


def find(line: str) -> Failure | None:
    """A line that tells of the machine or the network."""
    pattern = _FAR if _TEST.search(line) else _ANY
    match = pattern.search(line)
    return Failure(NAME, symbol=match.group(1).lower()) if match else None


CAUSE = Cause(
    "the network, a mirror or the runner failed", f"(?i:{_REMOTE}|{_MACHINE})", find, retry=True
)
