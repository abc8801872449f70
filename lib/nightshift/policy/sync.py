"""The policy of sync mode. Defaults are the generic ones of the preset `main-to-dev`."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from nightshift.policy.globs import PathPattern
from nightshift.policy.model import Model, Severity, Side
from nightshift.policy.patterns import Pattern as LinearPattern
from nightshift.policy.texts import (
    SAMPLE,
    BranchName,
    DateFormat,
    NamedText,
    RepositoryPath,
    ShaText,
    filled,
)
from nightshift.refs import is_ref_name

Name = Annotated[str, Field(min_length=1, max_length=250)]


class AppendRule(Model):
    """A file whose sides differ wholly: the target's is kept, named definitions of the source are
    added."""

    path: RepositoryPath
    definitions: Annotated[tuple[Name, ...], Field(min_length=1)]


class FileLesson(Model):
    """What people learned of one file: when the merge shows the symptom, apply the remedy.

    :param when: `undefined-call` (the merge calls a helper that does not exist), `both-changed`
        (since the merge base), `always`.
    :param take: `target` (its file wholesale) or `target-definitions` (the named functions,
        classes and imports, where the merge lost them).
    """

    path: RepositoryPath
    when: Literal["undefined-call", "both-changed", "always"] = "always"
    take: Literal["target", "target-definitions"]
    definitions: tuple[Name, ...] = ()
    why: str = ""

    @model_validator(mode="after")
    def _named(self) -> Self:
        if (self.take == "target-definitions") != bool(self.definitions):
            raise PydanticCustomError(
                "reference",
                "goes with `take: target-definitions` only, and is needed there",
                {"path": ["definitions"]},
            )
        return self


class PathRules(Model):
    """Which side a path is taken from, whatever its content. The first list that matches decides:
    never-touch, always-target, always-source, append, whole-target, whole-source.

    The `always` lists hold for what only one side changed too. The `whole` lists hold where both
    sides changed a file: it is taken as one side has it, never merged by line.
    """

    never_touch: tuple[PathPattern, ...] = ()
    always_target: tuple[PathPattern, ...] = ()
    always_source: tuple[PathPattern, ...] = ()
    append: tuple[AppendRule, ...] = ()
    whole_target: tuple[PathPattern, ...] = ()
    whole_source: tuple[PathPattern, ...] = ()
    lessons: tuple[FileLesson, ...] = ()


class GitSources(Model):
    """The table of git sources that is reconciled, and the lock that goes with it."""

    file: RepositoryPath = "pyproject.toml"
    table: Name = "tool.uv.sources"
    lock: RepositoryPath = "uv.lock"
    lock_command: str | None = None


class FormatRules(Model):
    """Formatting of the merged tree: `changed` is all that differs from the target, `merged` only
    files that the merge itself wrote."""

    scope: Literal["changed", "merged", "off"] = "merged"
    tools: tuple[Literal["black", "isort"], ...] = ("black", "isort")
    config: RepositoryPath = "pyproject.toml"


class LintRules(Model):
    """Messages that pylint must not have on the named paths before a push.

    :param messages: pylint's names; no other message counts.
    :param missing_docstring: what becomes of a definition that neither side has a docstring for:
        a line that says its name in words, listed in the report, or only the report.
    :param config: the file of pylint's settings, of which plain values are heeded (a line's length,
        which names need no docstring); None: where pylint itself would look.
    :param severity: what a message that is left does to the push; `off` leaves pylint out.
    """

    paths: tuple[PathPattern, ...] = ()
    messages: tuple[str, ...] = ("missing-docstring", "line-too-long")
    missing_docstring: Literal["stub", "report"] = "report"
    config: RepositoryPath | None = None
    severity: Severity = Severity.WARN


class CommandRules(Model):
    """How the commands that a policy gives are run (`lock-command`, `fix-command`).

    :param user: the unprivileged user they run as, where nightshift itself runs as root; None:
        `nightshift` where there is such a user, else `nobody`.
    :param minutes: how long one of them may take.
    """

    user: Name | None = None
    minutes: Annotated[int, Field(ge=1, le=240)] = 30


class Invariants(Model):
    """What each broken invariant does to a push. `never-touch` has no switch: it always aborts."""

    always_target: Severity = Severity.WARN
    markers: Severity = Severity.ABORT
    parse: Severity = Severity.ABORT
    open_findings: Severity = Severity.WARN


class CommitRules(Model):
    """Who commits, with which subject. `{source}`, `{target}` and `{date}` are filled in."""

    name: Name = "nightshift"
    email: Name = "nightshift@users.noreply.github.com"
    message: NamedText = "Merge {source} into {target} ({date})"
    fix_message: NamedText = "Fix what CI found after merging {source} into {target}"


class PullRequestRules(Model):
    """The draft pull request."""

    title: NamedText = "chore: nightly sync {source} into {target} ({date})"
    labels: tuple[str, ...] = ()


class Retry(Model):
    """How often CI runs again on the same commit after an infrastructure failure."""

    infra: Annotated[int, Field(ge=0, le=10)] = 2


class CiRules(Model):
    """How CI is started, read and waited for.

    :param trigger: a comment that starts CI, with `{sha}`; None where a push starts it.
    :param sentinels: exact names of checks before whose completion nothing is decided.
    :param exempt: google-re2 patterns, anchored at the start, case-insensitive: checks that do
        not count.
    :param informational: exact names of external contexts that do not hold ready back.
    :param needs_maintainer: exact names of jobs that are skipped where the author is no
        maintainer: when a sentinel fails with one of them skipped, a person must act.
    """

    trigger: ShaText | None = None
    sentinels: tuple[str, ...] = ()
    exempt: tuple[LinearPattern, ...] = ()
    informational: tuple[str, ...] = ()
    needs_maintainer: tuple[str, ...] = ()
    poll_seconds: Annotated[int, Field(ge=1, le=3600)] = 120
    silence_minutes: Annotated[int, Field(ge=1)] = 15
    retry: Retry = Retry()
    pre_existing_look_back: Annotated[int, Field(ge=0, le=20)] = 3
    max_fix_rounds: Annotated[int, Field(ge=0, le=50)] = 8
    fix_command: str | None = None


class SyncPolicy(Model):
    """How one branch is merged into another, night after night."""

    mode: Literal["sync"]
    description: str = ""
    source: BranchName = "main"
    target: BranchName = "dev"
    branch: NamedText = "nightshift/{source}-into-{target}/{date}"
    date_format: DateFormat = "%Y-%m-%d"
    wins: Side = Side.SOURCE
    hold_label: str | None = None
    paths: PathRules = PathRules()
    sources: GitSources | None = None
    format: FormatRules = FormatRules()
    lint: LintRules = LintRules()
    commands: CommandRules = CommandRules()
    invariants: Invariants = Invariants()
    commit: CommitRules = CommitRules()
    pull_request: PullRequestRules = PullRequestRules()
    ci: CiRules = CiRules()

    @model_validator(mode="after")
    def _branches(self) -> Self:
        if self.source == self.target:
            raise PydanticCustomError(
                "reference", "source and target are the same branch", {"path": ["target"]}
            )
        branch = filled(
            self.branch,
            source=self.source,
            target=self.target,
            date=SAMPLE.strftime(self.date_format),
        )
        if not is_ref_name(branch) or branch in (self.source, self.target):
            raise PydanticCustomError(
                "reference",
                "{branch} is no name for the sync branch",
                {"branch": repr(branch), "path": ["branch"]},
            )
        return self
