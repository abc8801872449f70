"""One request, once: ghapi does the talking, typed errors come out.

The base address always comes from the caller. One kept-alive connection, explicit time limits, no
repetition. Nothing is redirected blindly: a read follows on the same host only, a write never. The
token goes to the API's host and nowhere else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from nightshift import __version__
from nightshift.adapters.github import failures
from nightshift.adapters.github.failures import Asked, Transient
from nightshift.errors import Defect, HostError, UserError
from nightshift.ports import Clock

if TYPE_CHECKING:
    import httpx2

    from nightshift.adapters.github.api import Api

REDIRECTS = 3
HEADERS = {
    "Accept": "application/vnd.github+json",
    "X-GitHub-Api-Version": "2022-11-28",
    "User-Agent": f"nightshift/{__version__}",
}

BAD_ADDRESS = "it is not the address of an API."
MEND_ADDRESS = "Give an address such as https://api.github.com, without credentials."
BAD_TOKEN = "it has characters that no token has."
MEND_TOKEN = "Check the secret for line breaks and spaces."
NO_CONNECTION = "GitHub cannot be reached: {reason}."
NO_ANSWER = "GitHub's answer did not come: {reason}."
TOO_MANY = "GitHub redirects in a circle."


@dataclass(frozen=True, slots=True)
class Call:
    """One request, and what its failure would mean.

    :param path: below the API's address, or a whole address; `{name}` is filled from `route`.
    :param permission: what the token must be allowed.
    :param subject: the user's thing that a 404 denies; "" where a 404 is not the user's to mend.
    :param repeatable: whether a second sending changes nothing more; a GET always is.
    :param follow: whether a read follows a redirect on the same host.
    """

    method: str
    path: str
    permission: str
    route: Mapping[str, str | int] = field(default_factory=dict)
    query: Mapping[str, str | int] = field(default_factory=dict)
    data: Mapping[str, Any] | None = None
    subject: str = ""
    repeatable: bool = False
    follow: bool = True

    @property
    def asked(self) -> Asked:
        """What an error says of it."""
        path = self.path.format(**self.route) if self.route else urlsplit(self.path).path
        return Asked(f"{self.method} {path}", self.permission, self.subject)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. Headers are looked up without regard to case."""

    data: Any
    headers: Mapping[str, str]


class Transport:
    """The connection to one API. Nothing is loaded or connected before the first request.

    :param timeout: seconds for each part of a request but connecting.
    :raises UserError: an address or token that cannot be one.
    """

    def __init__(self, *, token: str, api_url: str, clock: Clock, timeout: float) -> None:
        self.base = checked_address(api_url)
        self._token = _checked_token(token)
        self._clock = clock
        self._timeout = timeout
        self._accepted = False

    def close(self) -> None:
        """Let go of the connection, if there is one."""
        if "_api" in self.__dict__:
            self._api.transport.close()

    def once(self, call: Call) -> Answer:
        """Send a request.

        :raises UserError: the thing that was asked for does not exist.
        :raises HostError: refused, or failed.
        """
        target: Mapping[str, Any] = {
            "path": call.path,
            "route": _checked_route(call.route),
            "query": dict(call.query) or None,
        }
        for _ in range(REDIRECTS + 1):
            location = self._ask(call, target)
            if isinstance(location, Answer):
                return location
            target = {"path": location}
        raise HostError(TOO_MANY, where=call.asked.where)

    def address(self, call: Call) -> str:
        """The whole address of a call, without its query."""
        route = _checked_route(call.route)
        return self.base + call.path.format(**{k: quote(str(v), safe="") for k, v in route.items()})

    @contextmanager
    def stream(self, asked: Asked, address: str, *, with_token: bool) -> Iterator[httpx2.Response]:
        """An answer to be read piece by piece, whatever its status. Redirects are not followed.

        :raises HostError: the connection failed, now or while it is read.
        """
        import httpx2  # pylint: disable=import-outside-toplevel

        client: httpx2.Client = self._api.transport.client
        headers = dict(self._api.headers) if with_token else {}
        try:
            with client.stream("GET", address, headers=headers) as response:
                yield response
        except (httpx2.RequestError, httpx2.InvalidURL) as error:
            raise _failure(asked, error) from None

    def refusal(self, asked: Asked, response: httpx2.Response) -> Exception:
        """What an answer with an error's status means."""
        try:
            payload = response.json()
        except ValueError:
            payload = None
        now = self._clock.now()
        return failures.of_response(
            asked,
            response.status_code,
            response.headers,
            payload,
            now,
            was_accepted=self._accepted,
        )

    def _ask(self, call: Call, target: Mapping[str, Any]) -> Answer | str:
        """One exchange: the answer, or the address that a redirect leads to."""
        import httpx2  # pylint: disable=import-outside-toplevel

        body = None if call.data is None else _encoded(call.data)
        headers = {} if body is None else {"Content-Type": "application/json"}
        try:
            # ghapi adds its `__call__` from outside the class.
            # pylint: disable-next=not-callable
            data = self._api(verb=call.method, headers=headers, data=body, **target)
            self._accepted = True
            return Answer(data, self._api.recv_hdrs)
        except httpx2.HTTPStatusError as error:
            location = self._followed(call, error.response)
            if location:
                return location
            raise self.refusal(call.asked, error.response) from None
        except httpx2.RequestError as error:
            raise _failure(call.asked, error) from None
        except ValueError as error:
            raise Transient(failures.UNREADABLE, where=call.asked.where, lost=True) from error

    def _followed(self, call: Call, response: httpx2.Response) -> str:
        """Where a read is redirected to on the API's own host; "" where it is not followed."""
        if call.method != "GET" or not call.follow or response.next_request is None:
            return ""
        location = str(response.next_request.url)
        return location if location.startswith(_origin(self.base)) else ""

    @cached_property
    def _api(self) -> Api:
        """ghapi, loaded at the first request."""
        from nightshift.adapters.github.api import Api  # pylint: disable=import-outside-toplevel

        headers = {**HEADERS, "Authorization": f"Bearer {self._token}"}
        return Api(self.base, headers, self._timeout)


def _failure(asked: Asked, error: Exception) -> Transient:
    """What it means that a request got no answer. Without a connection nothing was done."""
    import httpx2  # pylint: disable=import-outside-toplevel

    never_sent = (
        httpx2.ConnectError,
        httpx2.ConnectTimeout,
        httpx2.PoolTimeout,
        httpx2.ProxyError,
    )
    reason = failures.one_line(str(error)) or type(error).__name__
    lost = not isinstance(error, never_sent)
    text = NO_ANSWER if lost else NO_CONNECTION
    return Transient(text.format(reason=reason), where=asked.where, lost=lost)


def checked_address(url: str) -> str:
    """An API's address without a slash at its end.

    :raises UserError: it is none, or has credentials in it.
    """
    try:
        parts = urlsplit(url.strip())
        good = parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc
    except ValueError:
        good = False
    if not good:
        raise UserError(BAD_ADDRESS, where="GITHUB_API_URL", mend=MEND_ADDRESS)
    return url.strip().rstrip("/")


def _checked_token(token: str) -> str:
    """The token, if a header can carry it: the library would quote it in its error."""
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise UserError(BAD_TOKEN, where="token", mend=MEND_TOKEN)
    return token


def _checked_route(route: Mapping[str, str | int]) -> Mapping[str, str | int]:
    """The values of a path: one that climbs would make another endpoint of it."""
    for name, value in route.items():
        if str(value) in ("", ".", ".."):
            raise Defect(f"{value!r} cannot be a part of a path.", where=name)
    return route


def _encoded(data: Mapping[str, Any]) -> bytes:
    """JSON that every receiver takes: a lone surrogate has no place in it."""
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")


def _origin(url: str) -> str:
    """What every address on the same host starts with."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/"
