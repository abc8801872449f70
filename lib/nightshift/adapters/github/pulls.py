"""Pull requests: reads, and the writes that nightshift makes on its own ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from nightshift.adapters.github import convert, queries
from nightshift.adapters.github.client import PAGE, Client
from nightshift.adapters.github.transport import Call
from nightshift.errors import HostError
from nightshift.values import PullRequest

READ, WRITE = "pull-requests: read", "pull-requests: write"

PULLS = "/repos/{owner}/{name}/pulls"
PULL = f"{PULLS}/{{number}}"

OTHER_PULL = "GitHub opened another pull request than was asked for."
STILL_DRAFT = "GitHub left the pull request a draft."


class Pulls:
    """Reads and writes of pull requests."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def pull_requests(self, *, base: str, state: str, limit: int) -> Sequence[PullRequest]:
        """Pull requests into a branch, most recently updated first."""
        query: dict[str, str | int] = {
            "base": base,
            "state": state,
            "sort": "updated",
            "direction": "desc",
            "per_page": min(limit, PAGE),
        }
        items = self._client.pages(Call("GET", PULLS, READ, query=query))
        with convert.readable("pull requests"):
            return [convert.pull_request(item) for item in islice(items, limit)]

    def pull_request(self, number: int) -> PullRequest:
        """One pull request.

        :raises UserError: it does not exist.
        """
        return self._pull(self._call("GET", READ, number))

    def open(self, *, head: str, base: str, title: str, body: str) -> PullRequest:
        """Open a draft, once. What came back is compared with what was asked for.

        :raises HostError: refused; transient where it may be there already, or be possible soon.
        """
        data = {"head": head, "base": base, "title": title, "body": body, "draft": True}
        opened = self._pull(Call("POST", PULLS, WRITE, data=data))
        if (opened.head_ref, opened.base_ref) != (head, base):
            raise HostError(OTHER_PULL, where=opened.url)
        return opened

    def edit(self, number: int, *, title: str | None, body: str | None) -> None:
        """Set the title or the body; None leaves it. Twice is as good as once."""
        given = {"title": title, "body": body}
        data = {name: text for name, text in given.items() if text is not None}
        self._pull(self._call("PATCH", WRITE, number, data))

    def close(self, number: int) -> None:
        """Close without merging. Twice is as good as once."""
        self._pull(self._call("PATCH", WRITE, number, {"state": "closed"}))

    def mark_ready(self, node_id: str) -> None:
        """Turn a draft into a pull request that is ready for review.

        :raises HostError: refused, or it is a draft still.
        """
        data = self._client.graphql(
            queries.MARK_READY, {"id": node_id}, permission=WRITE, repeatable=False
        )
        with convert.readable("pull request"):
            still_draft = data["markPullRequestReadyForReview"]["pullRequest"]["isDraft"]
        if still_draft:
            raise HostError(STILL_DRAFT)

    def _call(
        self, method: str, permission: str, number: int, data: Mapping[str, Any] | None = None
    ) -> Call:
        return Call(
            method,
            PULL,
            permission,
            route={"number": number},
            data=data,
            subject=f"pull request #{number}",
            repeatable=True,
        )

    def _pull(self, call: Call) -> PullRequest:
        data = self._client.read(call)
        with convert.readable(call.subject or "pull request"):
            return convert.pull_request(data)
