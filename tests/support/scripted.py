"""A server on loopback that answers what it is told to, in order, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Told:
    """An answer to give. A body that is no bytes is sent as JSON."""

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def data(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that came. `client` is the port of the connection's other end."""

    client: int
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Scripted:
    """The server; it listens while it is entered."""

    def __init__(self, *answers: Told) -> None:
        self.answers = list(answers)
        self.asked: list[Asked] = []
        self.url = ""
        self._server: ThreadingHTTPServer | None = None

    def __enter__(self) -> Self:
        script = self

        class Handler(BaseHTTPRequestHandler):
            """Takes the next answer from the script."""

            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                body = self.rfile.read(length)
                script.asked.append(
                    Asked(self.client_address[1], self.command, self.path, headers, body)
                )
                told = script.answers.pop(0)
                kind = "text/plain" if isinstance(told.body, bytes) else "application/json"
                self.send_response(told.status)
                for name, value in {"Content-Type": kind, **told.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(told.data)))
                self.end_headers()
                self.wfile.write(told.data)

            do_GET = do_POST = do_PATCH = answer

            def log_message(self, format: str, *args: Any) -> None:  # pylint: disable=W0622
                """Keep quiet."""

        server = self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(
            target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._server is not None
        self._server.shutdown()
        self._server.server_close()
