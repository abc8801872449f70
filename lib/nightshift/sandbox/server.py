"""The sandbox: API, git remote and log downloads of a GitHub, on loopback, in one process.

    with Sandbox() as box:
        box.api_url, box.server_url, box.token, box.state
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from nightshift.sandbox.ci import Script
from nightshift.sandbox.faults import Faults
from nightshift.sandbox.front import API, GRAPHQL, Front
from nightshift.sandbox.joblogs import serve_log
from nightshift.sandbox.state import Clock, SystemClock, World
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server
from werkzeug.wrappers import Request, Response

HOST = "127.0.0.1"
TOKEN = "sandbox-token"
COPY_BOT = "copy-pr-bot[bot]"

Answer = Callable[[Request], Response]


@dataclass(frozen=True, slots=True)
class Seen:
    """A request that reached the sandbox. `status` 0: it got no answer; `fault`: the one that struck it."""

    method: str
    path: str
    status: int
    query: str = ""
    body: bytes = b""
    fault: str = ""


class _Handler(WSGIRequestHandler):
    """Keeps quiet: `Sandbox.requests` is the log. A connection that a fault has torn down is no error."""

    def handle(self) -> None:
        try:
            super().handle()
        except OSError:
            if self.connection.fileno() != -1:
                raise

    def log(self, type: str, message: str, *args: Any) -> None:  # pylint: disable=redefined-builtin
        if type == "error":
            super().log(type, message, *args)


class Sandbox:
    """A stateful GitHub. It listens once it is entered; all that it holds goes when it is left.

    :param clock: the time that it shows and lives by; the wall clock where none is given.
    :param token: the value of the token that may do everything.
    """

    def __init__(self, *, clock: Clock | None = None, token: str = TOKEN) -> None:
        self._folder = tempfile.TemporaryDirectory(
            prefix="nightshift-sandbox-", ignore_cleanup_errors=True
        )
        self.state = World(clock or SystemClock(), Path(self._folder.name))
        self.token = token
        self.state.add_token(token)
        self.ci = Script(self.state.user(COPY_BOT))
        self.faults = Faults()
        self.requests: list[Seen] = []
        self.observers: list[Callable[[Request, Response], object]] = []
        self.server_url = self.api_url = self.graphql_url = ""
        self._lock = threading.Lock()
        self._count = 0
        self._servers: list[BaseWSGIServer] = []

    def __enter__(self) -> Self:
        logs_url = self._listen(lambda request: serve_log(self.state, request))
        self.server_url = self._listen(lambda request: self._front.answer(request))
        self._front = Front(self.state, self.ci, self.server_url, logs_url)
        self.api_url, self.graphql_url = f"{self.server_url}{API}", f"{self.server_url}{GRAPHQL[0]}"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.faults.close()
        for server in self._servers:
            server.shutdown()
            server.server_close()
        self._folder.cleanup()

    def remote_path(self, full_name: str) -> Path:
        """Where the bare repository is on disk.

        :raises KeyError: there is no such repository.
        """
        return self.state.repositories[full_name.lower()].git.path

    def remote_url(self, full_name: str) -> str:
        """The address to clone and push, without credentials."""
        return f"{self.server_url}/{full_name}.git"

    def _listen(self, answer: Answer) -> str:
        """Serve on a free port; its address."""
        application = Request.application(lambda request: self._recorded(request, answer))
        server = make_server(HOST, 0, application, threaded=True, request_handler=_Handler)
        threading.Thread(
            target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        ).start()
        self._servers.append(server)
        return f"http://{HOST}:{server.server_port}"

    def _recorded(self, request: Request, answer: Answer) -> Response:
        """Answer a request, or let a fault strike it, and write it down either way."""
        body = request.get_data()
        with self._lock:
            self._count += 1
            number = self._count
        fault = self.faults.take(request, number)
        status, query = 0, request.query_string.decode("latin-1")
        try:
            response = answer(request) if fault is None or fault.after else Response()
            if fault is not None:
                response = self.faults.strike(fault, request)
            status = response.status_code
            for observer in self.observers:
                observer(request, response)
            return response
        finally:
            kind = fault.kind if fault else ""
            self.requests.append(Seen(request.method, request.path, status, query, body, kind))
