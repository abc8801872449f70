"""Which names may be handed to git: the rules of `git check-ref-format`, and no option in disguise.

Pure: looks at the text of a name only. Whether something of that name exists is not known here.
"""

from __future__ import annotations

import re

from nightshift.errors import UserError

BAD_NAME = "{name!r} is no valid name of a branch or tag."
MEND_NAME = (
    "Give a branch, a tag or a commit id; expressions such as `main~1` and options are not taken."
)

_FORBIDDEN = re.compile(r"[ ~^:?*\[\\]|\.\.|@\{|//")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_ABBREVIATION = re.compile(r"[0-9a-f]{7,40}")
_LONGEST = 250


def is_ref_name(name: str) -> bool:
    """Whether git takes a name as a branch's or tag's (git-check-ref-format(1), rules 1 to 10)."""
    if not name or len(name) > _LONGEST or name[0] in "-/" or name[-1] in "/.":
        return False
    if name in ("@", "HEAD") or _FORBIDDEN.search(name) or not name.isprintable():
        return False
    return not any(part.startswith(".") or part.endswith(".lock") for part in name.split("/"))


def check_name(name: str, *, where: str = "") -> str:
    """The name itself, if git may see it.

    :raises UserError: it looks like an option or breaks git's rules.
    """
    if not is_ref_name(name):
        raise UserError(BAD_NAME.format(name=name), where=where, mend=MEND_NAME)
    return name


def is_commit_id(text: str) -> bool:
    """Whether a text is a full object id."""
    return _COMMIT.fullmatch(text) is not None


def is_abbreviation(text: str) -> bool:
    """Whether a text can be an object id, whole or shortened."""
    return _ABBREVIATION.fullmatch(text) is not None
