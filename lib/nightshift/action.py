"""The composition of a run: environment → inputs → adapters → `app.run` → exit code.

The container's entrypoint and the demonstration start here. Decides nothing.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from nightshift import app
from nightshift.adapters.clock import SystemClock
from nightshift.adapters.github.adapter import GitHubAdapter
from nightshift.adapters.runner import runner_for
from nightshift.effects.apply import World, apply
from nightshift.effects.guard import Guard
from nightshift.errors import DEFECT_HINT, Defect, NightshiftError, UserError
from nightshift.inputs import Inputs, check_path, read
from nightshift.outcome import EXIT_DEFECT, Outcome
from nightshift.policy import load
from nightshift.policy.triage import TriagePolicy
from nightshift.ports import Clock, IssueReader, Runner
from nightshift.report.failure import failure_report
from nightshift.triage.collect import Target
from nightshift.triage.guard import triage_guard
from nightshift.triage.mode import triage_mode

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


def _writer(world: World, guard: Guard, inputs: Inputs) -> app.Apply:
    return lambda effects: apply(effects, world, guard, dry_run=inputs.dry_run)


_RUNS: Mapping[str, Callable[[Inputs, Clock, Runner], int]] = {
    "triage": _triage,
}
