"""Errors have an owner: the user, the host, or us. An error's owner decides the exit code.

Every error says what happened, where, and how to mend it. This module knows no wording of its own:
rooms that raise keep their cause-and-remedy texts as constants beside the code that raises.
"""

from __future__ import annotations

DEFECT_HINT = "This is a defect of nightshift. Please report it with the trace above."


class NightshiftError(Exception):
    """What went wrong, where, and how to mend it.

    :param what: the fault in one sentence.
    :param where: the file, line, key, input, label or address it stands at; "" where it has no
        place.
    :param mend: what the reader can do about it; "" where nothing can be done.
    """

    exit_code = 70
    owner = "nightshift"

    def __init__(self, what: str, *, where: str = "", mend: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.mend = mend

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        remedy = f" {self.mend}" if self.mend else ""
        return f"{place}{self.what}{remedy}"


class UserError(NightshiftError):
    """Bad input, policy or repository state: the caller mends it. Nothing has been written."""

    exit_code = 2
    owner = "user"


class HostError(NightshiftError):
    """The network, the host or git did not do what was asked.

    :param transient: whether the same call may go through later.
    :param status: the HTTP status, where there was one.
    :param reason: one word for programs that tell refusals apart, such as `stale` for a push whose
        branch has moved; "" where nothing tells them apart.
    """

    exit_code = 3
    owner = "host"

    def __init__(
        self,
        what: str,
        *,
        where: str = "",
        mend: str = "",
        transient: bool = False,
        status: int | None = None,
        reason: str = "",
    ) -> None:
        super().__init__(what, where=where, mend=mend)
        self.transient = transient
        self.status = status
        self.reason = reason


class Defect(NightshiftError):
    """A law of ours was broken, such as an effect outside the allow-list. Never the user's
    fault."""


class UserErrors(UserError):
    """Several user errors found in one reading, so that they can be mended in one go."""

    def __init__(self, errors: list[UserError]) -> None:
        super().__init__("\n".join(str(error) for error in errors))
        self.errors = tuple(errors)
