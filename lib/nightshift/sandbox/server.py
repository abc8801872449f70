"""The sandbox: API, git remote and log downloads of a GitHub, on loopback, in one process.

    with Sandbox() as box:
        box.api_url, box.server_url, box.token, box.state
"""

from __future__ import annotations

import secrets
import shutil
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server
from werkzeug.wrappers import Request, Response

from nightshift.sandbox.ci import Script
from nightshift.sandbox.faults import Fault, Faults
from nightshift.sandbox.forms import Addresses
from nightshift.sandbox.front import API, GRAPHQL, Front
from nightshift.sandbox.joblogs import serve_log
from nightshift.sandbox.state import Clock, SystemClock, World

HOST = "127.0.0.1"
TOKEN = "sandbox-token"
COPY_BOT = "copy-pr-bot[bot]"

Answer = Callable[[Request], Response]
Observer = Callable[[Request, Response], object]


@dataclass(frozen=True, slots=True)
class Seen:
    """A request that reached the sandbox.

    :param status: of the answer; 0 where there was none.
    :param fault: the kind of the fault that struck it.
    """

    method: str
    path: str
    status: int
    query: str = ""
    body: bytes = b""
    fault: str = ""


class _Handler(WSGIRequestHandler):
    """Keeps quiet: `Sandbox.requests` is the log. A connection torn down by a fault is no error."""

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

    :ivar state: the world, to seed and to look at; `ci`: what CI does; `faults`: what goes wrong.
    :ivar requests: every request in the order of their ends, for as long as the sandbox lives.
    :ivar errors: what the sandbox itself failed at; a test that ends with one has found a defect.
    :ivar observers: called with each request and its answer, before the answer is sent.
    """

    def __init__(self, *, clock: Clock | None = None, token: str = TOKEN) -> None:
        """
        :param clock: the time that it shows and lives by; the wall clock where none is given.
        :param token: the value of the token that may do everything.
        """
        name = f"nightshift-sandbox-{secrets.token_hex(8)}"
        self.state = World(clock or SystemClock(), Path(tempfile.gettempdir()) / name)
        self.token = token
        self.state.add_token(token)
        self.ci = Script(self.state.user(COPY_BOT))
        self.faults = Faults()
        self.requests: list[Seen] = []
        self.errors: list[Exception] = []
        self.observers: list[Observer] = []
        self._servers: list[BaseWSGIServer] = []
        self._front = Front(self.state, self.ci, Addresses("", "", ""))

    def __enter__(self) -> Self:
        self.state.folder.mkdir(mode=0o700)
        logs = self._listen(lambda request: serve_log(self.state, request))
        server = self._listen(self._answer)
        self._front = Front(self.state, self.ci, Addresses(f"{server}{API}", server, logs))
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
        shutil.rmtree(self.state.folder, ignore_errors=True)

    @property
    def server_url(self) -> str:
        """What GITHUB_SERVER_URL is on a runner: pages, and the git remotes below it."""
        return self._front.urls.server

    @property
    def api_url(self) -> str:
        """What GITHUB_API_URL is on a runner."""
        return self._front.urls.api

    @property
    def graphql_url(self) -> str:
        """What GITHUB_GRAPHQL_URL is on a runner."""
        return f"{self.server_url}{GRAPHQL[0]}"

    def remote_path(self, full_name: str) -> Path:
        """Where the bare repository is on disk.

        :raises KeyError: there is no such repository.
        """
        return self.state.repositories[full_name.lower()].git.path

    def remote_url(self, full_name: str) -> str:
        """The address to clone and push, without credentials."""
        return f"{self.server_url}/{full_name}.git"

    def _answer(self, request: Request) -> Response:
        return self._front.answer(request)

    def _listen(self, answer: Answer) -> str:
        """Serve on a free port; its address."""
        application = Request.application(lambda request: self._recorded(request, answer))
        server = make_server(HOST, 0, application, threaded=True, request_handler=_Handler)
        threading.Thread(
            target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()
        self._servers.append(server)
        return f"http://{HOST}:{server.server_port}"

    def _recorded(self, request: Request, answer: Answer) -> Response:
        """Answer a request, or let a fault strike it, and write it down either way."""
        body, query = request.get_data(), request.query_string.decode("latin-1")
        fault = self.faults.take(request)
        kind, status = fault.kind if fault else "", 0
        try:
            response = self._response(request, answer, fault)
            status = response.status_code
            for observer in self.observers:
                observer(request, response)
            return response
        except ConnectionError:
            raise
        except Exception as error:
            self.errors.append(error)
            raise
        finally:
            self.requests.append(Seen(request.method, request.path, status, query, body, kind))

    def _response(self, request: Request, answer: Answer, fault: Fault | None) -> Response:
        if fault is None:
            return answer(request)
        if fault.after:
            answer(request)
        return self.faults.strike(fault, request)
