"""ghapi, made for one address and one token. Importing this module costs a second: do it late.

What ghapi would take from the environment (token, address, printing of requests) is given here
instead, and its own repetition and redirects are off.
"""

from __future__ import annotations

from collections.abc import Mapping

import httpx2
from ghapi.core import GhApi, GhSyncTransport

CONNECT_SECONDS = 10.0


class Api(GhApi):
    """GitHub's API for requests by path.

    Without the twelve hundred operations that ghapi generates: making them costs a third of a
    second, and they let `..` in a parameter climb to another endpoint.
    """

    def __init__(self, base: str, headers: Mapping[str, str], timeout: float) -> None:
        # pylint: disable=super-init-not-called  # it makes the operations
        self.headers = dict(headers)
        self.gh_host = base
        self.transport = GhSyncTransport(  # type: ignore[no-untyped-call]
            debug=_quiet, base_headers=self.headers, client=_connection(timeout), retries=0
        )


def _connection(timeout: float) -> httpx2.Client:
    """A client that keeps its connection and follows nowhere."""
    limits = httpx2.Timeout(timeout, connect=min(CONNECT_SECONDS, timeout))
    return httpx2.Client(timeout=limits, follow_redirects=False)


def _quiet(*_: object) -> None:
    """ghapi prints requests where the environment asks it to; ours are nobody's to read."""
