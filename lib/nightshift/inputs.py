"""The action's inputs and the runner's variables, read once, all problems at once.

Takes the environment as a mapping; reads nothing itself but the event file's text that it is
handed. An empty variable is an unset one: that is how the runner passes an input that nobody gave.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from nightshift.errors import UserError, UserErrors
from nightshift.refs import check_name
from nightshift.values import IssueEvent

T = TypeVar("T")

# name -> what it is for. action.yml and README are held to this table by a test.
INPUTS: dict[str, str] = {
    "mode": "triage or sync",
    "token": "the token that reads and writes; never printed, never given to the repository's code",
    "policy": "a preset's name, or the path of a policy file in the repository",
    "dry-run": "decide and report, write nothing",
    "issue-number": "triage: the one issue to look at",
    "sweep": "triage: go through the backlog",
    "max-issues": "triage: how many issues a sweep may change",
    "shard": "triage: k/n, the part of a sweep that this job takes",
    "force": "triage: decide again although the marker is there",
    "source": "sync: the branch that is merged",
    "target": "sync: the branch that it is merged into",
    "sync-branch": "sync: the branch that is pushed",
    "deadline-minutes": "sync: how long to wait for CI",
}

# name -> (mode, what it holds)
OUTPUTS: dict[str, tuple[str, str]] = {
    "outcome": ("both", "how the run ended"),
    "report": ("both", "the whole report as JSON"),
    "labels-added": ("triage", "the labels that were added, as a JSON list"),
    "sub-oncall": ("triage", "the team the issue was routed to"),
    "modules": ("triage", "the modules that were found, as a JSON list"),
    "issues": ("triage", "the issues that were decided, as a JSON list of numbers"),
    "pr-number": ("sync", "the sync pull request's number"),
    "pr-url": ("sync", "the sync pull request's address"),
    "sync-branch": ("sync", "the branch that was pushed"),
    "head-sha": ("sync", "the commit that the checks ran on"),
    "conflicts": ("sync", "how many conflicts were resolved"),
    "findings": ("sync", "how many findings are open"),
}

MODES = ("triage", "sync")
DEADLINE_MINUTES = 330
MAX_ISSUES = 100

MEND_TOKEN = (
    "Pass `token: ${{ secrets.… }}`; the default token is used where the input is left out."
)
MEND_EVENT = "Run on `issues` events, or give `issue-number` or `sweep: true`."
MEND_PULL_REQUEST = "Triage is for issues; run it on `issues` events."

_BOOLEANS = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0"), False),
}
_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+")
_SHARD = re.compile(r"([0-9]{1,4})/([0-9]{1,4})")


@dataclass(frozen=True, slots=True)
class Shard:
    """Part k of n (1 ≤ k ≤ n) of a sweep."""

    index: int
    count: int

    def takes(self, number: int) -> bool:
        """Whether an issue belongs to this part."""
        return number % self.count == self.index - 1


@dataclass(frozen=True, slots=True)
class TriageInputs:
    """What triage is asked to do: one issue, or a sweep.

    :param rerun: a person has had the job run again: an earlier attempt may have been cut short.
    """

    issue_number: int | None
    sweep: bool
    max_issues: int
    shard: Shard | None
    force: bool
    event: IssueEvent | None
    rerun: bool = False


@dataclass(frozen=True, slots=True)
class SyncInputs:
    """What sync is asked to do; None where the policy decides."""

    source: str | None
    target: str | None
    sync_branch: str | None
    deadline_minutes: int


@dataclass(frozen=True, slots=True)
class Host:
    """Where the repository is. `workspace` is the checkout's folder, "" where there is none."""

    repository: str
    api_url: str
    server_url: str
    sha: str
    workspace: str
    run_url: str


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything a run is told. `repr` hides the token."""

    mode: str
    token: Secret
    policy: str | None
    dry_run: bool
    host: Host
    triage: TriageInputs
    sync: SyncInputs


class Secret:
    """A string that does not show itself in `repr`, `str`, traces or logs."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The secret itself."""
        return self._value

    def __repr__(self) -> str:
        return "Secret(…)"


def read(env: Mapping[str, str], event_text: str | None) -> Inputs:
    """The inputs of a run.

    :param env: the environment, with `INPUT_*` and `GITHUB_*` variables.
    :param event_text: the content of the event file, None where there is none.
    :raises UserErrors: every problem found, each naming its input and how to mend it.
    """
    reader = _Reader(env)
    mode = reader.choice("mode", MODES)
    token = reader.required("token", MEND_TOKEN)
    name = env.get("GITHUB_EVENT_NAME", "") if mode == "triage" else ""
    event = reader.collect(lambda: issue_event(name, event_text), None)
    triage = TriageInputs(
        issue_number=reader.integer("issue-number", None, 1, 10**12),
        sweep=reader.boolean("sweep"),
        max_issues=reader.integer("max-issues", MAX_ISSUES, 1, 100_000) or MAX_ISSUES,
        shard=reader.shard("shard"),
        force=reader.boolean("force"),
        event=event,
        rerun=env.get("GITHUB_RUN_ATTEMPT", "").strip() not in {"", "1"},
    )
    sync = SyncInputs(
        source=reader.ref("source"),
        target=reader.ref("target"),
        sync_branch=reader.ref("sync-branch"),
        deadline_minutes=reader.integer("deadline-minutes", DEADLINE_MINUTES, 1, 7200)
        or DEADLINE_MINUTES,
    )
    if mode == "triage":
        reader.check_triage(triage)
    if mode == "sync":
        reader.check_sync(sync)
    result = Inputs(
        mode=mode,
        token=Secret(token),
        policy=reader.text("policy") or None,
        dry_run=reader.boolean("dry-run"),
        host=reader.host(),
        triage=triage,
        sync=sync,
    )
    reader.finish()
    return result


def issue_event(name: str, text: str | None) -> IssueEvent | None:
    """The `issues` event of a run; None where the run was started by another event.

    :raises UserError: the event's payload has no issue, or the issue is a pull request.
    """
    if name not in {"issues", "issue_comment"}:
        return None
    try:
        payload = json.loads(text or "")
        issue = payload["issue"]
        number = int(issue["number"])
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(
            "the event has no issue.", where="GITHUB_EVENT_PATH", mend=MEND_EVENT
        ) from error
    if issue.get("pull_request"):
        raise UserError(
            f"#{number} is a pull request.", where="GITHUB_EVENT_PATH", mend=MEND_PULL_REQUEST
        )
    return IssueEvent(
        action=str(payload.get("action", "")),
        number=number,
        label=str((payload.get("label") or {}).get("name", "")),
        sender=str((payload.get("sender") or {}).get("login", "")),
    )


def check_path(path: str, *, where: str) -> str:
    """A path inside the repository that no command can read as an option.

    :raises UserError: it is absolute, leaves the repository, or looks like an option.
    """
    parts = path.split("/")
    if (
        path.startswith(("/", "-"))
        or ".." in parts
        or "" in parts
        or not path.isprintable()
        or "\\" in path
    ):
        raise UserError(
            f"{path!r} is not a path in the repository.", where=where, mend="Give a relative path."
        )
    return path


class _Reader:
    """Reads inputs one by one and keeps the problems for the end."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._env = env
        self._errors: list[UserError] = []

    def finish(self) -> None:
        if self._errors:
            raise UserErrors(self._errors)

    def collect(self, ask: Callable[[], T], default: T) -> T:
        try:
            return ask()
        except UserError as error:
            self._errors.append(error)
            return default

    def problem(self, name: str, what: str, mend: str) -> None:
        self._errors.append(UserError(what, where=f"input {name}", mend=mend))

    def text(self, name: str) -> str:
        # The runner upper-cases names and keeps hyphens; actions/toolkit reads them the same way.
        return self._env.get(f"INPUT_{name.upper()}", "").strip()

    def required(self, name: str, mend: str) -> str:
        value = self.text(name)
        if not value:
            self.problem(name, "it is missing.", mend)
        return value

    def choice(self, name: str, choices: tuple[str, ...]) -> str:
        value = self.text(name)
        if value not in choices:
            what = f"{value!r} is not known." if value else "it is missing."
            self.problem(name, what, f"Give one of: {', '.join(choices)}.")
        return value

    def boolean(self, name: str) -> bool:
        value = self.text(name).lower()
        if value and value not in _BOOLEANS:
            self.problem(name, f"{value!r} is neither true nor false.", "Give true or false.")
        return _BOOLEANS.get(value, False)

    def integer(self, name: str, default: int | None, low: int, high: int) -> int | None:
        value = self.text(name)
        if not value:
            return default
        if not (
            value.isascii() and value.isdigit() and len(value) < 15 and low <= int(value) <= high
        ):
            self.problem(
                name,
                f"{value[:20]!r} is not a number from {low} to {high}.",
                "Give a whole number.",
            )
            return default
        return int(value)

    def shard(self, name: str) -> Shard | None:
        value = self.text(name)
        if not value:
            return None
        match = _SHARD.fullmatch(value)
        if not match or not 1 <= int(match[1]) <= int(match[2]):
            self.problem(
                name, f"{value[:20]!r} is not k/n.", "Give k/n with 1 ≤ k ≤ n, such as 1/4."
            )
            return None
        return Shard(int(match[1]), int(match[2]))

    def ref(self, name: str) -> str | None:
        value = self.text(name)
        if not value:
            return None
        return self.collect(lambda: check_name(value, where=f"input {name}"), None)

    def check_triage(self, triage: TriageInputs) -> None:
        if triage.issue_number and triage.sweep:
            self.problem(
                "sweep", "one issue and a sweep cannot be asked for together.", "Give one of them."
            )
        if triage.issue_number or triage.sweep or triage.event or self._errors:
            return
        self.problem("issue-number", "there is no issue to look at.", MEND_EVENT)

    def check_sync(self, sync: SyncInputs) -> None:
        if sync.source and sync.source == sync.target:
            self.problem(
                "target", f"source and target are both {sync.source!r}.", "Give two branches."
            )

    def host(self) -> Host:
        env: Callable[[str], str] = lambda name: self._env.get(name, "").strip()
        repository = env("GITHUB_REPOSITORY")
        if not _REPOSITORY.fullmatch(repository):
            self._errors.append(
                UserError(
                    "it is not owner/name.", where="GITHUB_REPOSITORY", mend="Run in Actions."
                )
            )
        server = (env("GITHUB_SERVER_URL") or "https://github.com").rstrip("/")
        run_id = env("GITHUB_RUN_ID")
        return Host(
            repository=repository,
            api_url=(env("GITHUB_API_URL") or "https://api.github.com").rstrip("/"),
            server_url=server,
            sha=env("GITHUB_SHA"),
            workspace=env("GITHUB_WORKSPACE"),
            run_url=f"{server}/{repository}/actions/runs/{run_id}" if run_id else "",
        )
