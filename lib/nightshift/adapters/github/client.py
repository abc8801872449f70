"""Requests to one repository: repeated where that is safe, in pages, by REST and GraphQL.

Knows no endpoint; those are in `issues`, `pulls` and `checks`. Waits on the clock it is given.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

import stamina

from nightshift.adapters.github import failures, retry
from nightshift.adapters.github.failures import Transient
from nightshift.adapters.github.transport import Answer, Call, Transport, checked_address
from nightshift.errors import HostError
from nightshift.ports import Clock

T = TypeVar("T")
Json = dict[str, Any]

PAGE = 100
"""The largest page that GitHub gives."""
READ_SECONDS = 60.0
WAITING = "{what} Trying again in {seconds:.0f} s."

# It would print a bare line for each repetition; `say` tells more.
logging.getLogger("stamina").addHandler(logging.NullHandler())


class Client:
    """The API of one repository. Nothing is loaded or connected before the first request.

    :param repository: `owner/name`.
    :param graphql_url: "" takes the place that belongs to `api_url`.
    :param say: is told of every wait.
    :raises UserError: an address or token that cannot be one.
    """

    def __init__(
        self,
        *,
        token: str,
        repository: str,
        api_url: str,
        clock: Clock,
        graphql_url: str = "",
        timeout: float = READ_SECONDS,
        say: Callable[[str], None] | None = None,
    ) -> None:
        self.owner, _, self.name = repository.partition("/")
        self.clock = clock
        self.transport = Transport(token=token, api_url=api_url, clock=clock, timeout=timeout)
        self._graphql_url = checked_address(graphql_url or _graphql_of(self.transport.base))
        self._say = say

    def send(self, call: Call) -> Answer:
        """Send a request, again where that is safe. `owner` and `name` of the path are filled in.

        :raises UserError: the thing that was asked for does not exist.
        :raises HostError: refused, or failed.
        """
        whole = self.whole(call)
        repeatable = call.repeatable or call.method == "GET"
        return self.attempts(lambda: self.transport.once(whole), repeatable=repeatable)

    def whole(self, call: Call) -> Call:
        """The call with the repository in its path."""
        return replace(call, route={"owner": self.owner, "name": self.name, **call.route})

    def read(self, call: Call) -> Json:
        """The JSON object that a request is answered with.

        :raises HostError: as `send`, or the answer is no object.
        """
        data = self.send(call).data
        if not isinstance(data, dict):
            raise HostError(failures.UNREADABLE, where=call.path)
        return data

    def pages(self, call: Call) -> Iterator[Json]:
        """The items of all pages of a list, page after page as they are wanted.

        :raises HostError: as `send`, or an answer is no list.
        """
        query: Mapping[str, str | int] = {"per_page": PAGE, **call.query}
        while query:
            answer = self.send(replace(call, query=query))
            if answer.data is None or isinstance(answer.data, (dict, str, bytes)):
                raise HostError(failures.UNREADABLE, where=call.path)
            yield from answer.data
            query = _next_query(answer.headers, call.path)

    def graphql(
        self,
        text: str,
        variables: Mapping[str, Any],
        *,
        permission: str,
        subject: str = "",
        repeatable: bool = True,
    ) -> Json:
        """The `data` of a GraphQL request. Partial data with errors is an error.

        :param subject: the user's thing that NOT_FOUND denies.
        :param repeatable: false for a mutation that must not be sent twice.
        :raises UserError: the thing that was asked for does not exist.
        :raises HostError: refused, or failed.
        """
        body = {"query": text, "variables": dict(variables)}
        call = Call("POST", self._graphql_url, permission, data=body, subject=subject)
        return self.attempts(lambda: self._graph(call), repeatable=repeatable)

    def in_repository(self, **variables: Any) -> Json:
        """The variables of a query, with the repository's."""
        return {"owner": self.owner, "name": self.name, **variables}

    def attempts(self, ask: Callable[[], T], *, repeatable: bool) -> T:
        """Ask once, and again as `retry` allows."""
        attempt = 0

        def wait(failure: Exception) -> bool | float:
            nonlocal attempt
            attempt += 1
            seconds = retry.pause(failure, attempt, repeatable=repeatable)
            if seconds is None:
                return False
            if self._say:
                self._say(WAITING.format(what=failure, seconds=seconds))
            self.clock.sleep(seconds)
            return 0.0

        again = stamina.RetryingCaller(attempts=retry.ATTEMPTS, timeout=None)
        return again(wait, ask)

    def _graph(self, call: Call) -> Json:
        answer = self.transport.once(call)
        payload = answer.data if isinstance(answer.data, dict) else {}
        errors = payload.get("errors")
        if errors:
            now = self.clock.now()
            raise failures.of_graphql(call.asked, list(errors), answer.headers, now)
        data = payload.get("data")
        if not isinstance(data, dict):
            raise Transient(failures.UNREADABLE, where=call.asked.where, lost=True)
        return data


def _graphql_of(base: str) -> str:
    """On a server of one's own the two live side by side: `/api/v3` and `/api/graphql`."""
    return f"{base.removesuffix('/v3')}/graphql"


def _next_query(headers: Mapping[str, str], path: str) -> dict[str, str | int]:
    """The query of the next page; empty on the last one. The address itself stays ours.

    :raises HostError: the header that leads there is not readable.
    """
    from ghapi.page import parse_link_hdr  # pylint: disable=import-outside-toplevel

    try:
        links = parse_link_hdr(headers.get("link", ""))  # type: ignore[no-untyped-call]
    except Exception as error:  # it raises bare ones
        raise HostError(failures.UNREADABLE, where=path) from error
    address = links["next"][0] if "next" in links else ""
    return dict(parse_qsl(urlsplit(address).query))
