"""As which user code of the target repository may run, and when it must not run at all.

A child can read the environment of its parents if it is the same user as they, and what a checkout
left in the workspace if others may read it. Where a secret is in reach, nothing runs, and whoever
asks is told why.
"""

from __future__ import annotations

import os
import pwd
import re
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from nightshift.errors import UserError

NO_USER = "there is no user {name!r} to run it as, and root is not for code of a repository."
MEND_USER = "Create that user, or name an unprivileged one as `commands.user` in the policy."
SAME_USER = "it would run as the user that holds the token, and could read it."
MEND_SAME_USER = "Run the action in its container: it starts as root and runs this as another user."
SECRET_NEAR = (
    "it would run as the same user as we, and could read {name} in a parent's environment."
)
MEND_SECRET = "Unset that variable where nightshift is started from."
CHECKOUT_TOKEN = "the checkout has left its token in the workspace, where any user can read it."
MEND_CHECKOUT = "Check out with `persist-credentials: false`."

DEFAULTS = ("nightshift", "nobody")
"""The image has the first, every system the second."""

_SECRET = re.compile(r"TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY")
_LEFT_BY_CHECKOUT = (b"extraheader", b"git-credentials-")
_MOST_PARENTS = 64


@dataclass(frozen=True, slots=True)
class Account:
    """Who runs code of the target repository.

    :param user: the name of the unprivileged user, for where we are root; None: one of `DEFAULTS`.
    :param holds_token: whether this process was given a token.
    :param workspace: the checkout's folder, where there is one.
    :param proc: where the kernel shows processes.
    """

    user: str | None
    holds_token: bool
    workspace: Path | None = None
    proc: Path = field(default=Path("/proc"), repr=False)

    def number(self) -> int | None:
        """The numeric user to run as; None: as we are, which is not root and has nothing to hide.

        :raises UserError: it must not run, with the reason and its remedy.
        """
        if self.workspace is not None and _has_token(self.workspace):
            raise UserError(CHECKOUT_TOKEN, mend=MEND_CHECKOUT)
        if os.geteuid() == 0:
            return _unprivileged(self.user)
        if self.holds_token:
            raise UserError(SAME_USER, mend=MEND_SAME_USER)
        for name in self._secrets():
            raise UserError(SECRET_NEAR.format(name=name), mend=MEND_SECRET)
        return None

    def _secrets(self) -> Iterator[str]:
        """Names of variables that look like secrets, of this process and those above it, as they
        were when each started: that is what the kernel shows."""
        process = os.getpid()
        for _ in range(_MOST_PARENTS):
            for pair in _read(self.proc / str(process) / "environ").split(b"\0"):
                name, _, value = pair.decode("utf-8", "replace").partition("=")
                if value and _SECRET.search(name.upper()):
                    yield name
            process = _parent(_read(self.proc / str(process) / "stat"))
            if process < 1:
                return


def analyser(name: str | None) -> int | None:
    """The numeric user for a child that runs no code of the repository, as hardening only: the
    unprivileged one where we are root, it exists, and our programs are open to it; else None."""
    if os.geteuid() != 0:
        return None
    try:
        number = _unprivileged(name)
    except UserError:
        return None
    program = Path(sys.executable)
    folders = {*program.parents, *program.resolve().parents}
    return number if all(folder.stat().st_mode & stat.S_IXOTH for folder in folders) else None


def _unprivileged(name: str | None) -> int:
    names = DEFAULTS if name is None else (name,)
    numbers = [_number(name) for name in names]
    number = next((number for number in numbers if number), 0)
    if not number:
        raise UserError(NO_USER.format(name=names[0]), mend=MEND_USER)
    return number


def _number(name: str) -> int:
    """A user's number; 0, which is no user for this, where there is none."""
    try:
        return pwd.getpwnam(name).pw_uid
    except KeyError:
        return 0


def _has_token(workspace: Path) -> bool:
    """Whether actions/checkout left its credentials: as a header, or as a file that is included."""
    places = (workspace, *workspace.glob("*"))  # a checkout may have been given a path below
    configs = (_read(place / ".git" / "config").lower() for place in places)
    return any(word in config for config in configs for word in _LEFT_BY_CHECKOUT)


def _parent(facts: bytes) -> int:
    """The parent in `/proc/PID/stat`: the second field after the name, which is in brackets."""
    fields = facts.rpartition(b")")[2].split()
    return int(fields[1]) if len(fields) > 1 else 0


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
