"""What the ports speak of: issues, pull requests, checks, trees. Plain values, no behaviour, no
I/O.

Texts from GitHub are untrusted wherever they appear here. Paths are `str` with surrogate escapes
for bytes that are not UTF-8, as `os.fsdecode` gives them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment of an issue or pull request.

    :param role: the author's association to the repository (`MEMBER`, `CONTRIBUTOR`, …), "" if
        unknown.
    """

    body: str
    author: str = ""
    role: str = ""
    is_bot: bool = False
    id: int = 0
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class LabelRemoval:
    """A label that somebody took off an issue."""

    label: str
    actor: str
    is_bot: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class Issue:
    """An issue as it stands, with all of its comments (oldest first) and labels."""

    number: int
    title: str
    body: str
    comments: tuple[Comment, ...] = ()
    labels: tuple[str, ...] = ()
    author: str = ""
    open: bool = True
    locked: bool = False
    is_pull_request: bool = False
    label_removals: tuple[LabelRemoval, ...] = ()
    created_at: datetime | None = None
    url: str = ""


@dataclass(frozen=True, slots=True)
class IssueEvent:
    """What an `issues` event says, as far as it matters here."""

    action: str
    number: int
    label: str = ""
    sender: str = ""


@dataclass(frozen=True, slots=True)
class PullRequest:
    """A pull request as it stands. `node_id` is what GraphQL mutations want.

    :param from_fork: whether the head branch lives in another repository: such a one is never ours.
    """

    number: int
    node_id: str
    url: str
    title: str
    body: str
    draft: bool
    open: bool
    merged: bool
    head_ref: str
    head_sha: str
    base_ref: str
    author: str = ""
    labels: tuple[str, ...] = ()
    merge_commit: str = ""
    from_fork: bool = False
    merged_at: datetime | None = None


class CheckKind(StrEnum):
    """The two kinds of entries of a status-check rollup."""

    RUN = "check_run"
    CONTEXT = "status_context"


@dataclass(frozen=True, slots=True)
class Check:
    """One entry of a status-check rollup, as GitHub says it; `sync.gate` gives it its normal form.

    :param status: a check run's status; "" for a status context.
    :param conclusion: a check run's conclusion, "" while it has none; a status context's state.
    :param job_id: the Actions job behind a check run, None where there is none.
    :param run_id: the Actions workflow run, None where there is none.
    """

    kind: CheckKind
    name: str
    status: str
    conclusion: str
    workflow: str = ""
    url: str = ""
    started_at: datetime | None = None
    completed_at: datetime | None = None
    job_id: int | None = None
    run_id: int | None = None
    run_attempt: int = 1
    required: bool = False


@dataclass(frozen=True, slots=True)
class Rollup:
    """All checks of one commit, all pages read."""

    sha: str
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """A pull request with all that a round of the CI loop looks at, read at one moment.

    :param head: what its branch points at, "" where it is gone.
    :param comments: all of them, oldest first.
    :param rollup: the checks of `head`.
    """

    pull: PullRequest
    head: str
    comments: tuple[Comment, ...]
    rollup: Rollup


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a git tree: mode as git prints it ("100644", "120000", "160000", …) and object
    id."""

    mode: str
    oid: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """A path that `git merge-tree` could not merge: the entries of its three stages."""

    path: str
    base: Entry | None
    target: Entry | None
    source: Entry | None


@dataclass(frozen=True, slots=True)
class MergeNote:
    """What git says of paths that it could not merge by itself.

    :param kind: git's short name of it, such as `CONFLICT (rename/delete)`.
    :param paths: the paths that it is about; of a rename the new name comes with the old one.
    """

    kind: str
    paths: tuple[str, ...]
    words: str


@dataclass(frozen=True, slots=True)
class TreeMerge:
    """What git merges by itself.

    :param tree: object id of the merged tree; conflicted paths hold what git left there.
    :param conflicts: the unmerged paths, in path order.
    :param notes: git's own words on renames and the like.
    """

    tree: str
    conflicts: tuple[Conflict, ...]
    notes: tuple[MergeNote, ...] = ()


@dataclass(frozen=True, slots=True)
class Styled:
    """A text in a repository's style.

    :param problem: why it is as it was, or only partly in style; "" where nothing went wrong.
    """

    text: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class LintMessage:
    """One message of a linter.

    :param symbol: its name, such as `line-too-long`.
    :param obj: the dotted name of the definition that it is about, "" for the file.
    :param certain: whether the linter knew all that it is about: that a method overrides one of a
        class that is not installed here, it cannot know.
    """

    path: str
    line: int
    symbol: str
    message: str
    obj: str = ""
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command of policy came to.

    :param problem: why it did not do its work; "" where it ended with exit code 0.
    :param output: the last lines of what it said, printable. Foreign.
    :param changes: path -> bytes of the wanted files that it wrote; empty where there is a problem.
    :param removed: the wanted files that were there before and are not any more.
    """

    problem: str = ""
    output: str = ""
    changes: Mapping[str, bytes] = field(default_factory=dict)
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit's facts, as far as history questions need them.

    :param trailers: the lines `Name: value` at the end of its message.
    """

    sha: str
    parents: tuple[str, ...]
    tree: str
    author: str
    committed_at: datetime
    subject: str
    author_email: str = ""
    committer: str = ""
    committer_email: str = ""
    trailers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Version:
    """One version that a path had in a history: the commit that made it, and the blob."""

    commit: str
    oid: str
    path: str


@dataclass(frozen=True, slots=True)
class Identity:
    """Who commits."""

    name: str
    email: str
