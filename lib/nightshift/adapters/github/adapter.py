"""The GitHub port on GitHub's API. Only puts together what the other modules do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from nightshift.adapters.github.checks import Checks
from nightshift.adapters.github.client import READ_SECONDS, Client
from nightshift.adapters.github.issues import Issues
from nightshift.adapters.github.pulls import Pulls
from nightshift.adapters.github.standing import Standings
from nightshift.ports import Clock
from nightshift.values import Check, Comment, Issue, PullRequest, Rollup, Standing


class GitHubAdapter:
    """`ports.GitHub` for one repository.

    Does nothing before the first request. Every method raises `UserError` where what was asked for
    does not exist, and `HostError` where GitHub refuses or fails. That is a transient one where the
    answer to a write was lost that is not sent twice.

    :param repository: `owner/name`.
    :param api_url: the API's address, from `GITHUB_API_URL`.
    :param clock: what is waited on between attempts.
    :param graphql_url: "" takes the place that belongs to `api_url`.
    :param timeout: seconds that a part of an answer may take.
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
        self._client = Client(
            token=token,
            repository=repository,
            api_url=api_url,
            clock=clock,
            graphql_url=graphql_url,
            timeout=timeout,
            say=say,
        )
        self._issues = Issues(self._client)
        self._pulls = Pulls(self._client)
        self._checks = Checks(self._client)
        self._standings = Standings(self._client, self._issues, self._checks)

    def close(self) -> None:
        """Let go of the connection."""
        self._client.transport.close()

    def issue(self, number: int) -> Issue:
        """One issue or pull request, with all of its comments and recent label removals."""
        return self._issues.issue(number)

    def backlog(self, label: str) -> Iterator[Issue]:
        """All open issues with a label, newest first, in batched reads."""
        return self._issues.backlog(label)

    def label_names(self) -> frozenset[str]:
        """The names of all labels that the repository has."""
        return self._issues.label_names()

    def file_at(self, path: str, ref: str) -> bytes:
        """A file of the repository at a ref, of at most a megabyte."""
        return self._issues.file_at(path, ref)

    def pull_requests(
        self, *, base: str, state: str = "open", limit: int = 100
    ) -> Sequence[PullRequest]:
        """Pull requests into a branch, most recently updated first."""
        return self._pulls.pull_requests(base=base, state=state, limit=limit)

    def pull_request(self, number: int) -> PullRequest:
        """One pull request, read afresh."""
        return self._pulls.pull_request(number)

    def standing(self, number: int) -> Standing:
        """One pull request with the head of its branch, its comments and that head's checks."""
        return self._standings.standing(number)

    def check_runs(self, sha: str, name: str) -> Sequence[Check]:
        """The check runs of one name on a commit, by REST."""
        return self._checks.check_runs(sha, name)

    def rollup(self, sha: str) -> Rollup:
        """All checks and status contexts of a commit."""
        return self._checks.rollup(sha)

    def job_log(self, job_id: int) -> str:
        """The log of an Actions job, shortened in the middle; "" where it has expired."""
        return self._checks.job_log(job_id)

    def add_labels(self, number: int, labels: Sequence[str]) -> None:
        """Add labels by the add-only endpoint."""
        self._issues.add_labels(number, labels)

    def post_comment(self, number: int, body: str) -> Comment:
        """Post one comment."""
        return self._issues.post_comment(number, body)

    def open_pull_request(self, *, head: str, base: str, title: str, body: str) -> PullRequest:
        """Open a draft pull request."""
        return self._pulls.open(head=head, base=base, title=title, body=body)

    def edit_pull_request(
        self, number: int, *, title: str | None = None, body: str | None = None
    ) -> None:
        """Change a pull request's title or body."""
        self._pulls.edit(number, title=title, body=body)

    def close_pull_request(self, number: int) -> None:
        """Close a pull request without merging it."""
        self._pulls.close(number)

    def mark_ready(self, node_id: str) -> None:
        """Turn a draft into a pull request that is ready for review."""
        self._pulls.mark_ready(node_id)

    def rerun_failed_jobs(self, run_id: int) -> None:
        """Run the failed jobs of a workflow run again."""
        self._checks.rerun_failed_jobs(run_id)
