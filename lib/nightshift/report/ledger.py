"""What a report tells of a sync, as values: rows that any wording can be made of.

Paths, names, subjects, log lines and addresses in them are foreign; whoever prints them escapes
them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from nightshift.merge.resolution import Resolution
from nightshift.values import Commit


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding of a check or audit, and what became of it."""

    rule: str
    severity: str
    path: str
    line: int
    message: str
    disposition: str
    evidence: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """File and line, as far as there is any."""
        return f"{self.path}:{self.line}" if self.line else self.path


@dataclass(frozen=True, slots=True)
class RestoredRow:
    """A file that the target had deleted and that was brought back."""

    path: str
    why: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NotableRow:
    """A workflow file, submodule or mode that the merge changes."""

    kind: str
    path: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class MergeView:
    """The merge.

    :param python_line: the line that reviewers look for, word for word.
    :param commit_count: commits of the source that the target did not have; `commits`: those shown.
    :param remerge_diff: None where git is too old to make one, or where it was not asked.
    """

    source_ref: str
    target_ref: str
    source: str
    target: str
    commit: str
    merge_bases: tuple[str, ...] = ()
    python_line: str = ""
    commit_count: int = 0
    commits: tuple[Commit, ...] = ()
    conflicts: tuple[str, ...] = ()
    resolutions: tuple[Resolution, ...] = ()
    findings: tuple[FindingRow, ...] = ()
    taken_from_source: tuple[str, ...] = ()
    kept_from_target: tuple[str, ...] = ()
    restored: tuple[RestoredRow, ...] = ()
    formatted: tuple[str, ...] = ()
    notable: tuple[NotableRow, ...] = ()
    steps_not_done: tuple[str, ...] = ()
    git_messages: tuple[str, ...] = ()
    remerge_diff: str | None = None
    seconds: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CheckRow:
    """A check by its name, how it stands (`conclusion` or status), and its address."""

    name: str
    state: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class AcceptedRow:
    """A failure that is the target's own: where it was seen."""

    name: str
    url: str
    number: int
    pull_url: str
    run_url: str


@dataclass(frozen=True, slots=True)
class FailureRow:
    """One thing that went wrong in a check.

    :param help: what its cause is, in our words; `lines`: of the log, the telling one last.
    """

    check: str
    url: str
    cause: str
    help: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChecksView:
    """The checks of the head, by verdict."""

    state: str
    failed: tuple[CheckRow, ...] = ()
    pending: tuple[CheckRow, ...] = ()
    missing: tuple[str, ...] = ()
    passed: tuple[CheckRow, ...] = ()
    exempt: tuple[CheckRow, ...] = ()
    accepted: tuple[AcceptedRow, ...] = ()
    failures: tuple[FailureRow, ...] = ()


@dataclass(frozen=True, slots=True)
class PullView:
    """The sync pull request. `fix_rounds`: rounds of fixes that it has had; `people`: commits of
    people."""

    number: int
    url: str
    branch: str
    head: str
    fix_rounds: int = 0
    people: int = 0


@dataclass(frozen=True, slots=True)
class SyncView:
    """All that the report of a run tells."""

    merge: MergeView
    pull: PullView | None = None
    checks: ChecksView | None = None
    branch: str = ""
    superseded: tuple[int, ...] = ()
