"""What a run of triage looks at: one issue, or the backlog. Reads through the port, decides
nothing."""

from __future__ import annotations

from dataclasses import dataclass

from nightshift.inputs import Shard, TriageInputs
from nightshift.policy.triage import TriagePolicy
from nightshift.ports import IssueReader
from nightshift.triage import files
from nightshift.values import Issue, IssueEvent

ACTIONS = frozenset({"opened", "labeled"})

OTHER_ACTION = "the event is none that starts a triage"
OTHER_LABEL = "the label that was added is not the scope label"
MOVED = "it has moved to another number: it was transferred"


@dataclass(frozen=True, slots=True)
class Target:
    """What a run was asked for.

    :param ref: the commit at which the target repository's own policy files are read.
    """

    inputs: TriageInputs
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a round knows.

    :param policy: with the target repository's own files laid over it.
    :param idle: why there is nothing to look at; "" where there is something.
    """

    policy: TriagePolicy
    issues: tuple[Issue, ...] = ()
    sweep: bool = False
    idle: str = ""


def collect(reader: IssueReader, policy: TriagePolicy, target: Target) -> Facts:
    """Read what the run is about.

    :raises UserError: the issue does not exist, or a policy file of the repository is missing or
        faulty.
    """
    idle = "" if target.inputs.issue_number else idle_reason(target.inputs.event, policy)
    if idle and not target.inputs.sweep:
        return Facts(policy, idle=idle)
    policy = _with_files(reader, policy, target.ref)
    if target.inputs.sweep:
        issues = _backlog(reader, policy.labels.scope, target.inputs.shard)
        return Facts(policy, issues, sweep=True)
    number = target.inputs.issue_number or (
        target.inputs.event.number if target.inputs.event else 0
    )
    issue = reader.issue(number)
    if issue.number != number:
        return Facts(policy, idle=MOVED)
    return Facts(policy, (issue,))


def idle_reason(event: IssueEvent | None, policy: TriagePolicy) -> str:
    """Why an event starts nothing; "" if it does, or if there is none.

    Our own events are among those that start nothing: we open no issue, and of labels we never add
    the scope label, which no policy can put among those that steps add.
    """
    if event is None:
        return ""
    if event.action not in ACTIONS:
        return OTHER_ACTION
    if event.action == "labeled" and event.label.lower() != policy.labels.scope.lower():
        return OTHER_LABEL
    return ""


def _with_files(reader: IssueReader, policy: TriagePolicy, ref: str) -> TriagePolicy:
    if policy.labels_file:
        data = reader.file_at(policy.labels_file, ref)
        policy = files.narrowed(policy, data, name=policy.labels_file)
    if policy.templates_file:
        data = reader.file_at(policy.templates_file, ref)
        policy = files.reworded(policy, data, name=policy.templates_file)
    return policy


def _backlog(reader: IssueReader, label: str, shard: Shard | None) -> tuple[Issue, ...]:
    """The open issues of this job's part, newest first, each once however the pages moved
    meanwhile."""
    found: dict[int, Issue] = {}
    for issue in reader.backlog(label):
        if shard is None or shard.takes(issue.number):
            found.setdefault(issue.number, issue)
    return tuple(found[number] for number in sorted(found, reverse=True))
