"""What a round of the sync loop knows. Values only: read afresh each round, remembered nowhere."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from nightshift.sync.candidate import Candidate
from nightshift.sync.checks import Normal
from nightshift.sync.findings import Finding
from nightshift.sync.fixes.cause import Failure
from nightshift.sync.gate import Verdict
from nightshift.sync.marker import Marker
from nightshift.sync.preexisting import Evidence
from nightshift.sync.repair import Repair
from nightshift.values import Comment, Commit, PullRequest


@dataclass(frozen=True, slots=True)
class SyncRequest:
    """What a run was asked for.

    :param started: when the run began: the date in names and titles.
    :param deadline: when it must end.
    :param branch: the sync branch by its input; "" lets policy name it.
    """

    started: datetime
    deadline: datetime
    dry_run: bool = False
    branch: str = ""


@dataclass(frozen=True, slots=True)
class OurPull:
    """A sync pull request of ours as it stands.

    :param head: what its branch points at on the remote, "" where it is gone.
    :param people: the commits on it that are not ours.
    :param fix_rounds: how many rounds of fixes it has had.
    :param amends: whether its newest commit is such a fix.
    """

    pull: PullRequest
    marker: Marker
    head: str
    people: tuple[Commit, ...] = ()
    fix_rounds: int = 0
    amends: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """The sync branch where no pull request stands on it.

    :param head: what it points at on the remote, None where it does not exist.
    :param people: the commits on it that are not ours.
    :param ready: whether it holds the candidate, or a merge of the same commits with the same tree.
    :param taken_by: an open pull request from it that does not say that it is ours, 0 for none.
    """

    name: str
    head: str | None = None
    people: tuple[Commit, ...] = ()
    ready: bool = False
    taken_by: int = 0


@dataclass(frozen=True, slots=True)
class Story:
    """What a pull request's body tells beside the candidate.

    :param commits: of the source that the target did not have, newest first.
    :param remerge_diff: None where git is too old to make one.
    """

    commits: tuple[Commit, ...] = ()
    remerge_diff: str | None = None


@dataclass(frozen=True, slots=True)
class FailedCheck:
    """A failed check, looked into.

    :param failures: what its log tells; empty where there is no log, or it tells nothing.
    :param transient: whether running it again may help.
    :param gate: whether it collects others, none of which failed: its log was not read.
    """

    item: Normal
    failures: tuple[Failure, ...] = ()
    transient: bool = False
    gate: bool = False


@dataclass(frozen=True, slots=True)
class Ci:
    """The checks of the head.

    :param failed: what the verdict's failures tell; empty unless it is failed.
    :param evidence: failures that are proved to be the target's own.
    :param repair: what can be mended, None where nothing failed.
    :param since: when CI was asked for, None where a push starts it.
    :param broken: invariants that the head breaks, looked at when all is green.
    """

    verdict: Verdict
    failed: tuple[FailedCheck, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    repair: Repair | None = None
    since: datetime | None = None
    broken: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class SyncFacts:
    """All that a round decides on.

    :param current: the sync pull request that is driven, None where none stands yet.
    :param older: open sync pull requests that it supersedes.
    :param refused: a pull request of the very same commits that a person closed.
    :param branch: where the candidate goes, None where a pull request stands.
    :param story: for the body, None until the branch stands.
    :param comments: of the current pull request.
    :param asked: those of them that asked for CI on the head, oldest first.
    :param absent_labels: of the policy's labels those that the repository lacks; None: not asked.
    """

    candidate: Candidate
    current: OurPull | None = None
    older: tuple[OurPull, ...] = ()
    refused: PullRequest | None = None
    branch: Branch | None = None
    story: Story | None = None
    comments: tuple[Comment, ...] = ()
    asked: tuple[Comment, ...] = ()
    absent_labels: tuple[str, ...] | None = None
    ci: Ci | None = None
