"""Issues, labels, comments and files of the repository: the reads, and the writes on issues."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nightshift.adapters.github import convert, failures, queries
from nightshift.adapters.github.client import Client
from nightshift.adapters.github.transport import Call
from nightshift.errors import HostError, UserError
from nightshift.values import Comment, Issue

READ, WRITE, CONTENTS = "issues: read", "issues: write", "contents: read"

ISSUE = "/repos/{owner}/{name}/issues/{number}"
LARGEST_NUMBER = 2**31 - 1

NOT_A_PATH = "it is not a path in the repository."
MEND_PATH = "Give a path from the repository's root, such as .github/policy.yaml."
NOT_A_FILE = "it is not a file."
TOO_LARGE = "it is too large to be read through the API."
NOT_ADDED = "GitHub did not add: {names}."
CIRCLE = "the pages of an answer go in a circle."


class Issues:
    """Reads and writes of issues."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._batch_size = queries.BACKLOG_PAGE

    def issue(self, number: int) -> Issue:
        """An issue or pull request with all of its comments; one request for most.

        :raises UserError: it does not exist, was deleted, or was transferred.
        """
        subject = f"issue #{number}"
        if not 0 < number <= LARGEST_NUMBER:
            raise UserError(
                failures.NOT_THERE.format(subject=subject), mend=failures.MEND_NOT_THERE
            )
        try:
            data = self._ask(queries.ISSUE, subject, number=number, comments=queries.PAGE)
        except UserError:
            # GraphQL says "not found" of everything; REST tells deleted and transferred from it.
            self._client.send(self._get(number))
            raise
        with convert.readable(subject):
            repository = data["repository"]
            return self._whole(repository["issueOrPullRequest"], repository["url"], number)

    def backlog(self, label: str) -> Iterator[Issue]:
        """All open issues with a label, newest first, in batches; each once however pages move."""
        seen: set[int] = set()
        cursor: str | None = None
        while True:
            data = self._batch(label, cursor)
            with convert.readable("backlog"):
                repository = data["repository"]
                page = repository["issues"]
                for node in page["nodes"]:
                    if node and node["number"] not in seen:
                        seen.add(node["number"])
                        yield self._whole(node, repository["url"], node["number"])
            cursor = next_cursor(page, cursor)
            if cursor is None:
                return

    def label_names(self) -> frozenset[str]:
        """The names of all labels of the repository."""
        call = Call("GET", "/repos/{owner}/{name}/labels", READ)
        with convert.readable("labels"):
            return frozenset(str(item["name"]) for item in self._client.pages(call))

    def file_at(self, path: str, ref: str) -> bytes:
        """A file of the repository at a ref.

        :raises UserError: no such file, or a path that leaves the repository.
        """
        if not {"", ".", ".."}.isdisjoint(path.split("/")):
            raise UserError(NOT_A_PATH, where=path, mend=MEND_PATH)
        parts = {f"part{number}": part for number, part in enumerate(path.split("/"))}
        where = "/repos/{owner}/{name}/contents/" + "/".join(f"{{{name}}}" for name in parts)
        call = Call("GET", where, CONTENTS, route=parts, query={"ref": ref}, subject=path)
        data = self._client.send(call).data
        if not isinstance(data, dict) or data.get("type") != "file":
            raise UserError(NOT_A_FILE, where=path)
        if data.get("encoding") != "base64":
            raise UserError(TOO_LARGE, where=path)
        with convert.readable(path):
            return base64.b64decode(data["content"])

    def add_labels(self, number: int, labels: Sequence[str]) -> None:
        """Add labels by the endpoint that cannot remove one; twice is as good as once.

        :raises HostError: refused, or GitHub answered without them.
        """
        path, subject = f"{ISSUE}/labels", f"issue #{number}"
        call = Call(
            "POST",
            path,
            WRITE,
            route={"number": number},
            data={"labels": list(labels)},
            subject=subject,
            repeatable=True,
        )
        answer = self._client.send(call).data
        with convert.readable(subject):
            there = {str(item["name"]).casefold() for item in answer}
        missing = [name for name in labels if name.casefold() not in there]
        if missing:
            raise HostError(NOT_ADDED.format(names=", ".join(missing)), where=subject)

    def post_comment(self, number: int, body: str) -> Comment:
        """Post a comment, once: where its answer is lost, the error is transient."""
        path, subject = f"{ISSUE}/comments", f"issue #{number}"
        call = Call(
            "POST", path, WRITE, route={"number": number}, data={"body": body}, subject=subject
        )
        answer = self._client.read(call)
        with convert.readable(subject):
            return convert.rest_comment(answer)

    def _batch(self, label: str, cursor: str | None) -> Mapping[str, Any]:
        """A page of the backlog, a smaller one where GitHub cannot make one of the usual size.

        The size that worked is kept: the issues that follow are as large.
        """
        while True:
            try:
                return self._ask(
                    queries.BACKLOG,
                    labels=[label],
                    first=self._batch_size,
                    comments=queries.BACKLOG_COMMENTS,
                    cursor=cursor,
                )
            except HostError as error:
                too_much = error.reason == failures.TOO_MUCH or error.status in (200, 502, 504)
                if not too_much or self._batch_size <= queries.SMALLEST_PAGE:
                    raise
            self._batch_size //= 2

    def _get(self, number: int) -> Call:
        subject = f"issue #{number}"
        return Call("GET", ISSUE, READ, route={"number": number}, subject=subject, follow=False)

    def _ask(self, text: str, subject: str = "", **variables: Any) -> Mapping[str, Any]:
        values = self._client.in_repository(**variables)
        return self._client.graphql(text, values, permission=READ, subject=subject)

    def _whole(self, node: Mapping[str, Any], repository_url: str, number: int) -> Issue:
        """The issue of a node, with the comments of its later pages.

        :raises UserError: the node is another issue than was asked for.
        """
        place = str(node["url"])
        if node["number"] != number or not place.startswith(f"{repository_url}/"):
            text = failures.MOVED.format(subject=f"issue #{number}")
            raise UserError(text, where=place, mend=failures.MEND_MOVED)
        return convert.issue(node, more=self.later_comments(number, node["comments"]))

    def later_comments(self, number: int, page: Mapping[str, Any]) -> Iterator[Comment]:
        """The comments of an issue or pull request that come after a first page."""
        cursor = next_cursor(page, None)
        while cursor is not None:
            data = self._ask(
                queries.MORE_COMMENTS,
                f"issue #{number}",
                number=number,
                comments=queries.PAGE,
                cursor=cursor,
            )
            page = data["repository"]["issueOrPullRequest"]["comments"]
            yield from convert.comments(page)
            cursor = next_cursor(page, cursor)


def next_cursor(page: Mapping[str, Any], cursor: str | None) -> str | None:
    """Where the next page of a connection starts; None after the last.

    :raises HostError: where this one did.
    """
    if not page["pageInfo"]["hasNextPage"]:
        return None
    following = page["pageInfo"]["endCursor"]
    if not following or following == cursor:
        raise HostError(CIRCLE)
    return str(following)
