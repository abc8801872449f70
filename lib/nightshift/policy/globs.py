"""Path patterns of a policy, in the manner of CODEOWNERS, on google-re2: no path can make one
backtrack.

`*` and `?` stay inside a folder, `**` crosses folders. A pattern without a slash (but at its end)
matches in any folder; one with a slash, or with one at its front, from the top. A last part
without wildcards, or a slash at the end, stands for a folder with all that it holds. Decides
nothing about a path.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

import re2
from pydantic import AfterValidator, Field

BAD_PART = "has an empty part, `.` or `..`"
BAD_STARS = "`**` stands for whole folders: write it between slashes"
BACKSLASH = "has a backslash; parts are separated by `/`"

_WILD = ("*", "?")


@lru_cache(maxsize=4096)
def compiled_glob(pattern: str) -> Any:
    """A compiled pattern; its `fullmatch` takes a path as UTF-8 bytes.

    :raises ValueError: no pattern of a path inside the repository.
    """
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.dot_nl = True
    options.log_errors = False
    return re2.compile(_expression(pattern), options)


def matches(pattern: str, path: str) -> bool:
    """Whether a pattern stands for a path."""
    data = path.encode("utf-8", "surrogateescape")
    return compiled_glob(pattern).fullmatch(data) is not None


def _expression(pattern: str) -> bytes:
    parts = _parts(pattern)
    anchored = pattern.startswith("/") or len(parts) > 1
    folder = pattern.endswith("/")
    body = b"/".join(_part(part) for part in parts).replace(b"/\0/", b"/(?:.*/)?")
    body = body.replace(b"\0/", b"(?:.*/)?").replace(b"/\0", b"/.+").replace(b"\0", b".+")
    below = b"/.+" if folder else b"" if _is_wild(parts[-1]) else b"(?:/.+)?"
    return (b"" if anchored else b"(?:.*/)?") + body + below


def _parts(pattern: str) -> list[str]:
    if "\\" in pattern:
        raise ValueError(BACKSLASH)
    parts = pattern.removeprefix("/").removesuffix("/").split("/")
    for part in parts:
        if part in ("", ".", ".."):
            raise ValueError(BAD_PART)
        if "**" in part and part != "**":
            raise ValueError(BAD_STARS)
    return parts


def _part(part: str) -> bytes:
    if part == "**":
        return b"\0"
    wild = {"*": b"[^/]*", "?": rb"[^/][\x80-\xbf]*"}  # one character, whatever its bytes
    return b"".join(wild.get(sign) or re2.escape(sign.encode()) for sign in part)


def _is_wild(part: str) -> bool:
    return any(sign in part for sign in _WILD)


def _checked(pattern: str) -> str:
    compiled_glob(pattern)
    return pattern


PathPattern = Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(_checked)]
"""A path pattern that compiles."""
