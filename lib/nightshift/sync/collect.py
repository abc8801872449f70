"""One round's reading: everything afresh through the ports, in the order in which it is needed.

Decides nothing that is written; what is not needed yet is not read.
"""

from __future__ import annotations

from dataclasses import dataclass

from nightshift.policy.sync import SyncPolicy
from nightshift.policy.texts import filled
from nightshift.ports import Commands, Formatter, Git, GitHub
from nightshift.sync.candidate import Candidate
from nightshift.sync.ci import CiReader
from nightshift.sync.facts import OurPull, Story, SyncFacts, SyncRequest
from nightshift.sync.mending import Mender
from nightshift.sync.pulls import Pulls, Seen
from nightshift.sync.trigger import asked
from nightshift.values import Standing


@dataclass(frozen=True, slots=True)
class SyncPorts:
    """What sync may ask.

    :param formatter: the style of the merged tree.
    :param commands: what runs the policy's commands; None: none are run.
    """

    github: GitHub
    git: Git
    formatter: Formatter
    commands: Commands | None = None


class Collector:
    """Reads the facts of each round of one run."""

    def __init__(
        self, ports: SyncPorts, policy: SyncPolicy, request: SyncRequest, candidate: Candidate
    ) -> None:
        self._github, self._git = ports.github, ports.git
        self._policy, self._request, self._candidate = policy, request, candidate
        self._pulls = Pulls(ports.github, ports.git, policy, candidate)
        mender = Mender(ports.git, policy, ports.formatter, ports.commands)
        self._ci = CiReader(ports.github, policy, mender)

    def __call__(self) -> SyncFacts:
        """The facts of a round."""
        seen = self._pulls.read()
        if seen.current is None or seen.standing is None:
            return self._to_begin(seen)
        if not seen.current.pull.open or not seen.current.head:
            return SyncFacts(self._candidate, seen.current)
        return self._under_way(seen.current, seen.standing, seen.older)

    def _to_begin(self, seen: Seen) -> SyncFacts:
        """Nothing stands yet: where it goes, and what became of it before."""
        branch = self._pulls.branch(branch_name(self._policy, self._request), seen)
        refused, story = self._pulls.refused(), None
        if branch.ready:
            candidate = self._candidate
            story = Story(
                tuple(self._git.commits([candidate.target], candidate.source)),
                self._git.remerge_diff(candidate.commit),
            )
        return SyncFacts(self._candidate, branch=branch, refused=refused, story=story)

    def _under_way(
        self, current: OurPull, standing: Standing, older: tuple[OurPull, ...]
    ) -> SyncFacts:
        comments, rules = standing.comments, self._policy.ci
        asks = asked(comments, current.pull, rules, current.head)
        settled = current.pull.head_sha == current.head
        started = bool(asks) or rules.trigger is None
        return SyncFacts(
            self._candidate,
            current,
            older=older,
            comments=comments,
            asked=asks,
            absent_labels=self._absent_labels(current),
            ci=self._ci.read(current, asks, standing.rollup) if settled and started else None,
        )

    def _absent_labels(self, current: OurPull) -> tuple[str, ...] | None:
        """The wanted labels that the repository lacks; asked for once, right after opening."""
        wanted = self._policy.pull_request.labels
        if not wanted or current.marker.absent_labels is not None:
            return None
        known = {name.lower() for name in self._github.label_names()}
        return tuple(label for label in wanted if label.lower() not in known)


def branch_name(policy: SyncPolicy, request: SyncRequest) -> str:
    """The sync branch of a run that begins today."""
    return request.branch or filled(
        policy.branch,
        source=policy.source,
        target=policy.target,
        date=request.started.strftime(policy.date_format),
    )
