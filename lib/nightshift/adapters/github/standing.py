"""A pull request as it stands: facts, branch, comments and checks in one request.

What a long wait asks for again and again, so that it costs one request a poll. Further pages are
read where there are more comments or checks than fit on one.
"""

from __future__ import annotations

from nightshift.adapters.github import convert, queries
from nightshift.adapters.github.checks import READ as CHECKS
from nightshift.adapters.github.checks import Checks, Page, page_of
from nightshift.adapters.github.client import Client
from nightshift.adapters.github.issues import Issues
from nightshift.values import Rollup, Standing

READ = f"pull-requests: read`, `contents: read`, `{CHECKS}"


class Standings:
    """The read that puts the others together."""

    def __init__(self, client: Client, issues: Issues, checks: Checks) -> None:
        self._client, self._issues, self._checks = client, issues, checks

    def standing(self, number: int) -> Standing:
        """One pull request with all that a round looks at.

        :raises UserError: it does not exist.
        :raises HostError: refused, failed, or the answer leaves something out.
        """
        subject = f"pull request #{number}"
        variables = self._client.in_repository(
            number=number, first=queries.PAGE, comments=queries.PAGE, required=True
        )
        data = self._client.graphql(queries.STANDING, variables, permission=READ, subject=subject)
        with convert.readable(subject):
            node = data["repository"]["pullRequest"]
            comments = convert.comments(node["comments"])
            comments += self._issues.later_comments(number, node["comments"])
            head, page = _head(node["headRef"])
            pull = convert.standing_pull(node)
        rollup = self._checks.whole(head, [page], number) if head else Rollup("", ())
        return Standing(pull, head, tuple(comments), rollup)


def _head(ref: Page | None) -> tuple[str, Page | None]:
    """What a branch points at, and the first page of its contexts; "" where it is gone."""
    if not ref or not ref["target"]:
        return "", None
    head = str(ref["target"]["oid"])
    return head, page_of(ref["target"], head)
