"""What GitHub's refusals mean: status, headers and body in, an error with an owner out. No I/O.

The texts that GitHub sends are shown in one short line: its own, but they may quote foreign ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from nightshift.errors import HostError, NightshiftError, UserError

TOKEN_REFUSED = "the token is not accepted."
MEND_TOKEN = (
    "Check the secret: it may be another host's, revoked, or expired. An app's token lives one "
    "hour, the job's own as long as the job."
)
TOKEN_EXPIRED = "the token has expired: GitHub took it earlier in this run, and does not now."
MEND_EXPIRED = (
    "An app's token lives one hour. Use one that outlives the wait, such as a personal one (the "
    "job's own starts no CI), or set `deadline-minutes` below the token's life: what is done "
    "stays, and the next run goes on from there."
)
NOT_PERMITTED = "the token may not do this."
MEND_PERMISSION = "Give the token the permission `{permission}`."
LIMITED = "GitHub's rate limit is used up."
SECONDARY = "GitHub asks for a pause: too much was asked at once."
NOT_THERE = "{subject} does not exist, or the token may not see it."
MEND_NOT_THERE = "Check the name or number, and that the token may read this repository."
DELETED = "{subject} was deleted."
MOVED = "{subject} is elsewhere: it was transferred, or the repository was renamed."
MEND_MOVED = "Name the place where it is now."
GONE = "GitHub has no such thing (any more)."
INVALID = "GitHub does not take this: {message}."
REFUSED = "GitHub refused: {message}."
TROUBLE = "GitHub has trouble: {message}."
UNREADABLE = "GitHub's answer is not readable."
NO_MESSAGE = "it does not say why"

INTEGRATION = "resource not accessible by"
PRIMARY = "api rate limit exceeded"
SECONDARY_PAUSE = 60.0
"""Seconds to wait where GitHub does not say how long; its documentation asks for a minute."""

LIMIT = "limit"
"""The `reason` of a limit: it was waited for as long as may be, and asking again makes it worse."""
AUTH = "auth"
"""The `reason` of a token that is not taken."""
TOO_MUCH = "too-much"
"""The `reason` of a query that asked for more than GitHub gives at once."""

_TOO_MUCH = {"RESOURCE_LIMITS_EXCEEDED", "MAX_NODE_LIMIT_EXCEEDED"}
_MESSAGE_LENGTH = 400


class Transient(HostError):
    """The same call may go through later.

    :param pause: the seconds that GitHub asked to wait, None where it did not say.
    :param lost: only the answer failed: what was asked may have been done.
    """

    def __init__(
        self,
        what: str,
        *,
        where: str,
        status: int | None = None,
        pause: float | None = None,
        lost: bool = False,
        reason: str = "",
    ) -> None:
        super().__init__(what, where=where, transient=True, status=status, reason=reason)
        self.pause = pause
        self.lost = lost


@dataclass(frozen=True, slots=True)
class Asked:
    """What a failed request was about.

    :param where: method and path, for the error.
    :param permission: what the token must be allowed, as GitHub writes it.
    :param subject: the user's thing that a 404 denies; "" where a 404 is not the user's to mend.
    """

    where: str
    permission: str
    subject: str = ""


def of_response(
    asked: Asked,
    status: int,
    headers: Mapping[str, str],
    payload: object,
    now: datetime,
    *,
    was_accepted: bool = False,
) -> NightshiftError:
    """The error that an answer stands for.

    :param was_accepted: whether GitHub has taken the same token before.

    Source of the rules: docs.github.com/rest, "Troubleshooting the REST API" and "Rate limits".
    """
    message = message_of(payload, status)
    if status == 401:
        what, mend = (TOKEN_EXPIRED, MEND_EXPIRED) if was_accepted else (TOKEN_REFUSED, MEND_TOKEN)
        return HostError(what, where=asked.where, mend=mend, status=status, reason=AUTH)
    if status in (403, 429):
        return _denied(asked, status, headers, message, now)
    if status in (404, 410) or 300 <= status < 400:
        return _missing(asked, status)
    if status == 422:
        return _invalid(asked, payload, message)
    if status >= 500 or status == 408:
        text = TROUBLE.format(message=message)
        return Transient(text, where=asked.where, status=status, lost=True)
    return HostError(REFUSED.format(message=message), where=asked.where, status=status)


def of_graphql(
    asked: Asked, errors: list[Any], headers: Mapping[str, str], now: datetime
) -> NightshiftError:
    """The error that the `errors` of a GraphQL answer stand for; the status was 200."""
    kinds = {str(item.get("type", "")) for item in errors if isinstance(item, dict)}
    texts = [str(item.get("message", "")) for item in errors if isinstance(item, dict)]
    message = one_line("; ".join(text for text in texts if text)) or NO_MESSAGE
    low = message.lower()
    if "RATE_LIMITED" in kinds or "rate limit" in low:
        return _limited(asked, 429, headers, message, now)
    if kinds & {"FORBIDDEN", "INSUFFICIENT_SCOPES"} or INTEGRATION in low:
        return _not_permitted(asked, headers)
    if "NOT_FOUND" in kinds:
        return _missing(asked, 404)
    if kinds <= {"", "INTERNAL", "SERVICE_UNAVAILABLE"} and _is_trouble(low):
        return Transient(TROUBLE.format(message=message), where=asked.where, status=200, lost=True)
    status = 422 if "UNPROCESSABLE" in kinds else None
    reason = TOO_MUCH if kinds & _TOO_MUCH else ""
    text = REFUSED.format(message=message)
    return HostError(text, where=asked.where, status=status, reason=reason)


def _denied(
    asked: Asked, status: int, headers: Mapping[str, str], message: str, now: datetime
) -> HostError:
    """403 and 429: a permission is missing, a limit is reached, or GitHub just says no."""
    if INTEGRATION in message.lower():
        return _not_permitted(asked, headers)
    if _limits(status, headers, message):
        return _limited(asked, status, headers, message, now)
    return HostError(REFUSED.format(message=message), where=asked.where, status=status)


def _not_permitted(asked: Asked, headers: Mapping[str, str]) -> HostError:
    """The token lacks a permission: GitHub's own word for it where it says so, else ours."""
    accepted = headers.get("x-accepted-github-permissions", "").replace("=", ": ")
    permission = one_line(accepted) or asked.permission
    mend = MEND_PERMISSION.format(permission=permission)
    return HostError(NOT_PERMITTED, where=asked.where, mend=mend, status=403)


def message_of(payload: object, status: int) -> str:
    """GitHub's message in one line, with the details of its `errors`."""
    if not isinstance(payload, dict):
        return f"status {status}"
    parts = [str(payload.get("message") or f"status {status}")]
    errors = payload.get("errors")
    for item in errors if isinstance(errors, list) else []:
        parts.append(_detail(item) if isinstance(item, dict) else str(item))
    return one_line("; ".join(parts))


def _detail(error: Mapping[str, Any]) -> str:
    if error.get("message"):
        return str(error["message"])
    return f"{error.get('field', error.get('resource', ''))} {error.get('code', '')}".strip()


def _limits(status: int, headers: Mapping[str, str], message: str) -> bool:
    if status == 429 or "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0":
        return True
    return "rate limit" in message.lower() or "abuse" in message.lower()


def _limited(
    asked: Asked, status: int, headers: Mapping[str, str], message: str, now: datetime
) -> Transient:
    """A limit: nothing was done. How long to wait is in one of two headers, or is a minute."""
    after = _seconds(headers.get("retry-after"))
    reset = _seconds(headers.get("x-ratelimit-reset"))
    primary = headers.get("x-ratelimit-remaining") == "0" or PRIMARY in message.lower()
    if after is None and reset is not None and primary:
        after = max(reset - now.timestamp(), 0.0) + 1.0
    pause = SECONDARY_PAUSE if after is None else after
    what = SECONDARY if "secondary" in message.lower() else LIMITED
    return Transient(what, where=asked.where, status=status, pause=pause, reason=LIMIT)


def _missing(asked: Asked, status: int) -> NightshiftError:
    """404, 410 or a redirect: the user's where the thing is theirs to name."""
    if not asked.subject and status < 400:
        text = MOVED.format(subject="the repository")
        return HostError(text, where=asked.where, mend=MEND_MOVED, status=status)
    if not asked.subject:
        mend = MEND_PERMISSION.format(permission=asked.permission)
        return HostError(GONE, where=asked.where, mend=mend, status=status)
    if status == 404:
        text, mend = NOT_THERE, MEND_NOT_THERE
    elif status == 410:
        text, mend = DELETED, ""
    else:
        text, mend = MOVED, MEND_MOVED
    return UserError(text.format(subject=asked.subject), where=asked.where, mend=mend)


def _invalid(asked: Asked, payload: object, message: str) -> HostError:
    """422. A branch just pushed, or a pull request just opened, may not be known everywhere yet."""
    errors = payload.get("errors") if isinstance(payload, dict) else None
    lags = "already exists" in message or any(
        isinstance(item, dict) and (item.get("field"), item.get("code")) == ("head", "invalid")
        for item in (errors if isinstance(errors, list) else [])
    )
    text = INVALID.format(message=message)
    return HostError(text, where=asked.where, status=422, transient=lags)


def _is_trouble(message: str) -> bool:
    return any(word in message for word in ("something went wrong", "timeout", "timed out"))


def _seconds(text: str | None) -> float | None:
    return float(text) if text and text.isascii() and text.isdigit() and len(text) < 12 else None


def one_line(text: str) -> str:
    """A text as a part of one of our sentences: in one line, short, without its full stop."""
    shown = " ".join("".join(c if c.isprintable() or c.isspace() else "?" for c in text).split())
    cut = shown if len(shown) <= _MESSAGE_LENGTH else f"{shown[:_MESSAGE_LENGTH]}…"
    return cut.rstrip(".")
