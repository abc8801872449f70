"""Faults on purpose: which request fails, how, and whether before or after the deed was done.

A fault that strikes after the deed is the one that catches a client which repeats its writes.
"""

from __future__ import annotations

import fnmatch
import json
import os
import socket
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from werkzeug.wrappers import Request, Response

from nightshift.sandbox.githost import target

Kind = Literal[
    "500",
    "502",
    "503",
    "timeout",
    "reset",
    "secondary",
    "429",
    "rate-limit",
    "graphql-error",
    "401",
    "403",
    "404",
    "422",
]
Match = str | int | Callable[[Request], bool]

SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes."
PRIMARY = "API rate limit exceeded for installation."
WENT_WRONG = (
    "Something went wrong while executing your query. "
    "Please include `0000:SANDBOX` when reporting this issue."
)
TEXTS = {
    "401": "Bad credentials",
    "403": "Resource not accessible by integration",
    "404": "Not Found",
    "422": "Validation Failed",
    "429": SECONDARY,
    "secondary": SECONDARY,
    "rate-limit": PRIMARY,
    "500": "Server Error",
    "502": "Server Error",
    "503": "Service Unavailable",
}
STATUS = {"secondary": 403, "rate-limit": 403}


@dataclass(slots=True)
class Fault:
    """A fault that waits for its request.

    :param match: `METHOD /path` with `*`, the number of a request counted from 1, or a predicate.
    :param kind: a status; `secondary` and `rate-limit` are the two limits that answer 403,
        `graphql-error` comes with 200, `reset` and `timeout` give no answer.
    :param times: how often it strikes.
    :param retry_after: seconds, where the kind's answer has that header.
    :param after: whether the deed is done all the same and only the answer is lost.
    :param struck: how often it has struck.
    """

    match: Match
    kind: Kind
    times: int = 1
    retry_after: int = 1
    after: bool = False
    struck: int = 0

    def fits(self, request: Request, number: int) -> bool:
        """Whether the fault is for this request; a GraphQL error is for GraphQL only."""
        if self.struck >= self.times:
            return False
        if self.kind == "graphql-error" and not request.path.endswith("/graphql"):
            return False
        return matches(self.match, request, number)


def matches(match: Match, request: Request, number: int) -> bool:
    """Whether a request is meant."""
    if isinstance(match, int):
        return number == match
    if isinstance(match, str):
        return fnmatch.fnmatchcase(f"{request.method} {request.path}", match)
    return match(request)


class Faults:
    """The fault plan of a sandbox, and what else is to happen when a request comes in.

    :ivar longest_hang: seconds after which a `timeout` ends, even if the client would wait on.
    """

    def __init__(self) -> None:
        self.longest_hang = 120.0
        self._faults: list[Fault] = []
        self._deeds: list[tuple[Match, Callable[[], object]]] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._count = 0

    def add(
        self, match: Match, kind: Kind, *, times: int = 1, retry_after: int = 1, after: bool = False
    ) -> Fault:
        """Make requests fail; what `Fault` says of the parameters."""
        fault = Fault(match, kind, times, retry_after, after)
        self._faults.append(fault)
        return fault

    def before(self, match: Match, deed: Callable[[], object]) -> None:
        """Do something once, just before a request is answered: a person pushes, a label goes."""
        self._deeds.append((match, deed))

    def clear(self) -> None:
        """Forget everything that has not happened yet."""
        self._faults.clear()
        self._deeds.clear()

    def take(self, request: Request) -> Fault | None:
        """Count a request, do what was to happen before it; the fault that strikes it."""
        with self._lock:
            self._count += 1
            number = self._count
            due = [pair for pair in self._deeds if matches(pair[0], request, number)]
            self._deeds = [pair for pair in self._deeds if pair not in due]
            fault = next((one for one in self._faults if one.fits(request, number)), None)
            if fault is not None:
                fault.struck += 1
        for _, deed in due:
            deed()
        return fault

    def close(self) -> None:
        """Let go of the requests that hang."""
        self._closing.set()

    def strike(self, fault: Fault, request: Request) -> Response:
        """The answer of a fault.

        :raises ConnectionError: there is none: the connection ends.
        """
        if fault.kind == "timeout":
            self._hang(request)
            raise ConnectionAbortedError("the client gave up")
        if fault.kind == "reset":
            _reset(request)
            raise ConnectionResetError("reset on purpose")
        if fault.kind == "graphql-error":
            return _json({"errors": [{"message": WENT_WRONG}]}, 200)
        if fault.kind == "502":
            return Response(
                "<html><body>502 Bad Gateway</body></html>", 502, content_type="text/html"
            )
        status = STATUS.get(fault.kind) or int(fault.kind)
        if target(request.path):
            response = Response(TEXTS[fault.kind], status, content_type="text/plain")
        else:
            response = _json({"message": TEXTS[fault.kind]}, status)
        if fault.kind in ("secondary", "429"):
            response.headers["Retry-After"] = str(fault.retry_after)
        if fault.kind == "rate-limit":
            response.headers["x-ratelimit-remaining"] = "0"
        return response

    def _hang(self, request: Request) -> None:
        """Say nothing until the client goes away, or the sandbox closes."""
        connection: socket.socket = request.environ["werkzeug.socket"]
        connection.settimeout(0.05)
        waited = 0.0
        while waited < self.longest_hang and not self._closing.wait(0.0):
            try:
                if not connection.recv(1):
                    return
            except TimeoutError:
                waited += 0.05
            except OSError:
                return


def _reset(request: Request) -> None:
    """End the connection with a reset rather than in good order."""
    connection: socket.socket = request.environ["werkzeug.socket"]
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    os.close(connection.detach())


def _json(data: object, status: int) -> Response:
    return Response(json.dumps(data), status, content_type="application/json; charset=utf-8")
