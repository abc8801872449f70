"""Reads our sync pull requests and their branches; which of them is driven is `choose`'s to say.

What it keeps between rounds is an address (the number of the pull request) and what cannot change
(the commits behind a commit id): never progress.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from nightshift.errors import UserError
from nightshift.policy.sync import SyncPolicy
from nightshift.ports import Git, PullReader
from nightshift.sync import commits, marker
from nightshift.sync.candidate import Candidate
from nightshift.sync.facts import Branch, OurPull
from nightshift.sync.marker import Marker
from nightshift.values import Commit, PullRequest, Standing

LOOK_BACK = 30
"""How many closed pull requests are looked through for a sync that was refused."""

COPY_BOT = "pull-request/"
"""Branches of the bot that copies pull requests for CI: never ours."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The open pull requests into the target, as far as they matter.

    :param current: the sync that is driven; `older`: those that it supersedes.
    :param others: all other open ones of ours; `unmarked`: those that do not say that they are.
    :param standing: the current one as it was read, with its comments and checks.
    """

    current: OurPull | None = None
    older: tuple[OurPull, ...] = ()
    others: tuple[OurPull, ...] = ()
    unmarked: tuple[PullRequest, ...] = ()
    standing: Standing | None = None


class Pulls:
    """The sync pull requests of one source and target."""

    def __init__(
        self, github: PullReader, git: Git, policy: SyncPolicy, candidate: Candidate
    ) -> None:
        self._github, self._git = github, git
        self._policy, self._candidate = policy, candidate
        self._number: int | None = None
        self._commits: dict[tuple[str, ...], tuple[Commit, ...]] = {}

    def read(self) -> Seen:
        """The one that is driven, read by its number once it is known and supersedes none; before,
        all of them."""
        if self._number is not None:
            standing = self._github.standing(self._number)
            known = self._ours(standing.pull, self._head(standing))
            if known is not None:
                return Seen(known, standing=standing)
        seen = self._listed()
        if seen.current is None:
            return seen
        standing = self._github.standing(seen.current.pull.number)
        current = self._ours(standing.pull, self._head(standing))
        if current is None:  # a person took the hidden line away between the two looks
            return Seen(None, (), seen.others, (*seen.unmarked, standing.pull))
        if not seen.older:
            self._number = current.pull.number
        return replace(seen, current=current, standing=standing)

    def _head(self, standing: Standing) -> str:
        """What its branch points at. That it is gone is believed of git alone: the API lags."""
        if standing.head or not standing.pull.open:
            return standing.head
        return self._git.remote_head(standing.pull.head_ref) or ""

    def _listed(self) -> Seen:
        """All open ones, and which of them is to be driven."""
        listed = self._github.pull_requests(base=self._candidate.target_ref)
        ours = [pull for item in listed if (pull := self._ours_of_list(item)) is not None]
        unmarked = [it for it in listed if not it.from_fork and marker.read(it.body) is None]
        current = choose(ours, self._covers)
        others = tuple(pull for pull in ours if pull is not current)
        if current is None:
            return Seen(None, (), others, tuple(unmarked))
        return Seen(current, superseded(current, others, self._covers), others, tuple(unmarked))

    def refused(self) -> PullRequest | None:
        """A sync of the very same commits that a person closed: it would be the same once more."""
        candidate = self._candidate
        closed = self._github.pull_requests(
            base=candidate.target_ref, state="closed", limit=LOOK_BACK
        )
        for pull in closed:
            mark = None if pull.merged else self._marker(pull)
            if mark and (mark.source_sha, mark.target_sha) == (candidate.source, candidate.target):
                return pull
        return None

    def branch(self, name: str, seen: Seen) -> Branch:
        """The branch for the candidate as it stands on the remote. Where another open sync of ours
        stands on it, the next name that is free."""
        used = {item.pull.head_ref for item in seen.others}
        names = (name, *(f"{name}-{number}" for number in range(2, len(used) + 2)))
        name = next(item for item in names if item not in used)
        head = self._git.remote_head(name)
        taken = next((item.number for item in seen.unmarked if item.head_ref == name), 0)
        if head is None:
            return Branch(name, taken_by=taken)
        found = self._since((self._candidate.target, self._candidate.source), name, head)
        people = commits.people(found, self._policy.commit)
        return Branch(name, head, people, self._is_candidate(head), taken)

    def _is_candidate(self, head: str) -> bool:
        """Whether a branch that a killed run pushed is what we would push."""
        candidate, commit = self._candidate, self._git.commit(head)
        same = (commit.tree, commit.parents) == (
            candidate.tree,
            (candidate.target, candidate.source),
        )
        return head == candidate.commit or same

    def _ours_of_list(self, pull: PullRequest) -> OurPull | None:
        if self._marker(pull) is None:
            return None
        return self._ours(pull, self._git.remote_head(pull.head_ref) or "")

    def _ours(self, pull: PullRequest, head: str) -> OurPull | None:
        mark = self._marker(pull)
        if mark is None:
            return None
        if not head or not pull.open:
            return OurPull(pull, mark, "")
        since = (mark.target_sha, mark.source_sha)
        beyond = self._since(since, pull.head_ref, head)
        found = [commit for commit in beyond if commit.sha != mark.merge]
        rules = self._policy.commit
        rounds = [commits.round_of(commit, rules) for commit in found]
        return OurPull(
            pull,
            mark,
            head,
            people=commits.people(found, rules),
            fix_rounds=max(rounds, default=0),
            amends=bool(found) and found[0].sha == head and rounds[0] > 0,
        )

    def _marker(self, pull: PullRequest) -> Marker | None:
        """What it says of itself, if it may be ours: from this repository, of these branches."""
        mark = marker.read(pull.body)
        candidate = self._candidate
        if mark is None or pull.from_fork or pull.head_ref.startswith(COPY_BOT):
            return None
        branches = (candidate.source_ref, candidate.target_ref)
        if (mark.source, mark.target) != branches or pull.head_ref in branches:
            return None
        return mark

    def _covers(self, mark: Marker) -> bool:
        """Whether it holds all of the source that the candidate has."""
        return self._holds(mark.source_sha, self._candidate.source)

    def _holds(self, descendant: str, ancestor: str) -> bool:
        if descendant == ancestor:
            return True
        try:
            self._git.resolve(descendant)
        except UserError:
            return False
        return self._git.is_ancestor(ancestor, descendant)

    def _since(self, since: tuple[str, ...], branch: str, head: str) -> tuple[Commit, ...]:
        """The commits of a branch beyond what was merged, newest first. Fetches the branch."""
        key = (*since, head)
        if key not in self._commits:
            if self._git.resolve(branch) != head:
                self._git.resolve(head)
            self._commits[key] = tuple(self._git.commits(since, head))
        return self._commits[key]


def choose(pulls: Sequence[OurPull], covers: Callable[[Marker], bool]) -> OurPull | None:
    """The sync pull request to go on with: the newest that holds all of the source, else the newest
    that people have committed to. One that the source has left behind is superseded."""
    newest = sorted(pulls, key=lambda item: item.pull.number, reverse=True)
    covering = [item for item in newest if covers(item.marker)]
    kept = [item for item in newest if item.people]
    return next(iter([*covering, *kept]), None)


def superseded(
    current: OurPull, others: Sequence[OurPull], covers: Callable[[Marker], bool]
) -> tuple[OurPull, ...]:
    """The open ones that the current one makes needless. Never one that people have committed
    to."""
    if not covers(current.marker):
        return ()
    return tuple(item for item in others if not item.people)
