"""The composition of a run: environment → inputs → adapters → `app.run` → exit code.

The container's entrypoint and the demonstration start here. Decides nothing.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

from nightshift import app
from nightshift.adapters.clock import SystemClock
from nightshift.adapters.git.remote import Remote
from nightshift.adapters.git.repository import GitRepository
from nightshift.adapters.git.revision import RevisionReader
from nightshift.adapters.github.adapter import GitHubAdapter
from nightshift.adapters.runner import runner_for
from nightshift.adapters.tools import ty
from nightshift.adapters.tools.account import Account, analyser
from nightshift.adapters.tools.policy_command import PolicyCommand
from nightshift.adapters.tools.pylint import Pylint
from nightshift.adapters.tools.style import style_of
from nightshift.effects.apply import World, apply
from nightshift.effects.guard import Guard
from nightshift.errors import DEFECT_HINT, Defect, NightshiftError, UserError
from nightshift.inputs import Inputs, check_path, read
from nightshift.outcome import EXIT_DONE, Outcome
from nightshift.policy import load
from nightshift.policy.sync import SyncPolicy
from nightshift.policy.triage import TriagePolicy
from nightshift.ports import Clock, Commands, Formatter, Git, IssueReader, Runner
from nightshift.report.failure import failure_report
from nightshift.report.nothing import nothing_report
from nightshift.sync.candidate import Candidate
from nightshift.sync.collect import SyncPorts
from nightshift.sync.facts import SyncRequest
from nightshift.sync.guard import sync_guard
from nightshift.sync.mode import sync_mode
from nightshift.sync.prepare import Tools, merge_date, prepare
from nightshift.sync.reconcile import SourceTools
from nightshift.triage.collect import Target
from nightshift.triage.guard import triage_guard
from nightshift.triage.mode import triage_mode

COPY_BRANCHES = "pull-request/"
RESERVED = "{name!r} is not a branch that a sync may push."
MEND_RESERVED = "Name a branch of its own: not the source, not the target, not `pull-request/…`."
NO_EVENT_FILE = "the event file cannot be read."
MEND_EVENT_FILE = "It is the runner's to write; outside Actions leave the variable unset."
TRIAGE_HOURS = 5.5


def main(env: Mapping[str, str], *, clock: Clock | None = None) -> int:
    """Run the action once.

    :param env: the environment of the step.
    :returns: the process exit code; see `outcome.TABLE`.
    """
    runner = runner_for(env)
    try:
        inputs = read(env, _event_text(env))
        runner.mask(inputs.token.reveal())
        return _RUNS[inputs.mode](inputs, clock or SystemClock(), runner)
    except NightshiftError as error:
        return _failed(error, runner)
    except Exception:  # pylint: disable=broad-exception-caught  # the last resort: ours to mend
        runner.info(traceback.format_exc())
        return _failed(Defect(DEFECT_HINT), runner)


def _event_text(env: Mapping[str, str]) -> str | None:
    path = env.get("GITHUB_EVENT_PATH", "")
    if not path:
        return None
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(NO_EVENT_FILE, where="GITHUB_EVENT_PATH", mend=MEND_EVENT_FILE) from error


def _failed(error: NightshiftError, runner: Runner) -> int:
    runner.annotate("error", str(error), title="nightshift failed")
    app.publish(failure_report(error), Outcome.FAILED, runner)
    return error.exit_code


def _github(inputs: Inputs, clock: Clock, runner: Runner) -> GitHubAdapter:
    return GitHubAdapter(
        token=inputs.token.reveal(),
        repository=inputs.host.repository,
        api_url=inputs.host.api_url,
        clock=clock,
        say=runner.info,
    )


def _policy(inputs: Inputs, reader: IssueReader) -> tuple[load.Policy, str]:
    """The policy that the inputs name, and its name for errors. A file comes from the commit that
    the workflow runs on, by the API: never from what earlier steps left in the workspace."""
    name = inputs.policy or load.DEFAULTS[inputs.mode]
    if not load.is_path(name):
        return load.preset(name), name
    path = check_path(name, where="input policy")
    text = reader.file_at(path, inputs.host.sha).decode("utf-8", "replace")
    return load.parse(text, name=path), path


def _triage(inputs: Inputs, clock: Clock, runner: Runner) -> int:
    with closing(_github(inputs, clock, runner)) as github:
        found, name = _policy(inputs, github)
        policy = load.require(found, TriagePolicy, name=name)
        mode = triage_mode(github, policy, Target(inputs.triage, inputs.host.sha))
        write = _writer(World(github, clock, runner), triage_guard(policy, inputs.triage), inputs)
        limits = app.Limits(TRIAGE_HOURS * 3600, inputs.dry_run)
        return app.run(mode, write, clock, runner, limits)


def _sync(inputs: Inputs, clock: Clock, runner: Runner) -> int:
    started = clock.monotonic(), clock.now()
    with closing(_github(inputs, clock, runner)) as github, _git(inputs, clock) as git:
        policy = _sync_policy(inputs, github)
        commands = _commands(inputs, policy)
        with runner.group(f"merge {policy.source} into {policy.target}"):
            candidate = _candidate(git, policy, clock, commands)
        if candidate is None:
            app.publish(
                nothing_report(policy.target, policy.source), Outcome.NOTHING_TO_SYNC, runner
            )
            return EXIT_DONE
        request = _request(inputs, started[1])
        ports = SyncPorts(github, git, _formatter(git, policy, candidate), commands)
        mode = sync_mode(ports, policy, request, candidate)
        guard = sync_guard(policy, request.branch)
        write = _writer(World(github, clock, runner, git), guard, inputs)
        left = inputs.sync.deadline_minutes * 60 - (clock.monotonic() - started[0])
        return app.run(mode, write, clock, runner, app.Limits(left, inputs.dry_run))


def _request(inputs: Inputs, started: datetime) -> SyncRequest:
    return SyncRequest(
        started=started,
        deadline=started + timedelta(minutes=inputs.sync.deadline_minutes),
        dry_run=inputs.dry_run,
        branch=inputs.sync.sync_branch or "",
    )


def _git(inputs: Inputs, clock: Clock) -> GitRepository:
    """A clone of the repository, which borrows what a checkout in the workspace has."""
    host = inputs.host
    url = f"{host.server_url}/{host.repository}.git"
    remote = Remote(url, inputs.token.reveal(), clock.sleep)
    workspace = Path(host.workspace) if host.workspace else None
    borrow = workspace if workspace and (workspace / ".git").exists() else None
    return GitRepository.of_remote(remote, borrow=borrow)


def _sync_policy(inputs: Inputs, reader: IssueReader) -> SyncPolicy:
    """The policy, with the source and target that the inputs name.

    :raises UserError: the sync branch is one that is not ours to push.
    """
    found, name = _policy(inputs, reader)
    policy = load.require(found, SyncPolicy, name=name)
    given = {"source": inputs.sync.source, "target": inputs.sync.target}
    policy = policy.model_copy(update={key: ref for key, ref in given.items() if ref})
    branch = inputs.sync.sync_branch or ""
    if branch in (policy.source, policy.target) or branch.startswith(COPY_BRANCHES):
        raise UserError(RESERVED.format(name=branch), where="input sync-branch", mend=MEND_RESERVED)
    return policy


def _commands(inputs: Inputs, policy: SyncPolicy) -> Commands:
    """What runs the policy's commands: never as the user that holds the token."""
    workspace = Path(inputs.host.workspace) if inputs.host.workspace else None
    account = Account(policy.commands.user, holds_token=True, workspace=workspace)
    return PolicyCommand(account, seconds=policy.commands.minutes * 60)


def _candidate(git: Git, policy: SyncPolicy, clock: Clock, commands: Commands) -> Candidate | None:
    helper = analyser(policy.commands.user)
    sources = SourceTools(commands, RevisionReader(as_user=helper))
    tools = Tools(style_of, clock.monotonic, ty.checker(), Pylint(as_user=helper), sources)
    at = merge_date(git, policy.target, policy.source)
    return prepare(git, policy, policy.target, policy.source, at=at, tools=tools)


def _formatter(git: Git, policy: SyncPolicy, candidate: Candidate) -> Formatter:
    """The style that the merged tree asks for, whatever the scope that policy formats by itself."""
    tree = git.tree(candidate.tree)
    style = style_of(tree.read(policy.format.config), tuple(tree.entries()), policy.format.tools)
    return lambda path, text: style.one(path, text).text


def _writer(world: World, guard: Guard, inputs: Inputs) -> app.Apply:
    return lambda effects: apply(effects, world, guard, dry_run=inputs.dry_run)


_RUNS: Mapping[str, Callable[[Inputs, Clock, Runner], int]] = {
    "triage": _triage,
    "sync": _sync,
}
