"""The candidate: a merge commit that nobody has seen yet, with its ledger and findings. Values
only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from nightshift.merge.resolution import Resolution
from nightshift.sync.findings import Finding, blocking
from nightshift.values import Entry


@dataclass(frozen=True, slots=True)
class Stats:
    """Sizes of a merge.

    :param commits: commits of the source that the target did not have.
    :param python_files: Python files that differ from the target, with the lines added and
        deleted in them.
    """

    commits: int = 0
    python_lines_added: int = 0
    python_lines_deleted: int = 0
    python_files: int = 0

    @property
    def line(self) -> str:
        """The line that reviewers look for in the pull request (sync.md, phase 2)."""
        added, deleted = self.python_lines_added, self.python_lines_deleted
        return f"Python lines: +{added} / -{deleted} across {self.python_files} files"


@dataclass(frozen=True, slots=True)
class Restored:
    """A file that the merge would have dropped and that was brought back.

    :param why: what in the merged tree needs it.
    :param evidence: the commit that had deleted it, where there is one.
    """

    path: str
    why: str
    evidence: tuple[str, ...] = ()


class Notable(StrEnum):
    """Changes against the target that a reviewer should not miss among hundreds of files."""

    WORKFLOW = "workflow"
    SUBMODULE = "submodule"
    MODE = "mode"


@dataclass(frozen=True, slots=True)
class NotableChange:
    """A workflow file, a submodule pointer or a mode that the merge changes: before and after."""

    kind: Notable
    path: str
    target: Entry | None
    merged: Entry | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A merge of source into target, ready to be looked at and pushed.

    :param target_ref, source_ref: the names that were merged; `target`, `source`: their commit ids.
    :param commit: the merge commit: parents are target and source, in this order.
    :param conflicts: paths that git could not merge by itself, in path order.
    :param taken_from_source: of the paths in conflict or under policy, those that are wholly the
        source's; `kept_from_target`: wholly the target's.
    :param formatted: files whose text the formatters changed.
    :param seconds: step -> seconds that it took.
    :param steps_not_done: what the procedure asks for and this run did not do, each with its
        reason.
    :param git_messages: git's own words on what it could not merge.
    """

    target_ref: str
    source_ref: str
    target: str
    source: str
    merge_bases: tuple[str, ...]
    commit: str
    tree: str
    conflicts: tuple[str, ...] = ()
    resolutions: tuple[Resolution, ...] = ()
    findings: tuple[Finding, ...] = ()
    taken_from_source: tuple[str, ...] = ()
    kept_from_target: tuple[str, ...] = ()
    restored: tuple[Restored, ...] = ()
    formatted: tuple[str, ...] = ()
    notable: tuple[NotableChange, ...] = ()
    stats: Stats = Stats()
    seconds: Mapping[str, float] = field(default_factory=dict)
    steps_not_done: tuple[str, ...] = ()
    git_messages: tuple[str, ...] = ()

    @property
    def blocking(self) -> tuple[Finding, ...]:
        """The findings that forbid the push; empty where it may go on."""
        return blocking(self.findings)
