"""The demonstration told: each step is run through the action's own start, then what it did is
shown."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from nightshift import action
from nightshift.demo import issues, repository, world
from nightshift.demo.clock import NightClock
from nightshift.sandbox import Sandbox
from nightshift.sandbox.model import Issue
from nightshift.sandbox.repository import Repository

Say = Callable[[str], None]


def tell(say: Say) -> int:
    """Run the night.

    :param say: where each line goes.
    :returns: 0 if the sync ended ready and every issue has its answer, else 1.
    """
    clock = NightClock()
    with Sandbox(clock=clock) as box, tempfile.TemporaryDirectory(prefix="nightshift-") as folder:
        made = world.build(box)
        night = _Night(box, clock, Path(folder), say)
        triaged = night.triage(made)
        swept = night.sweep(made)
        synced = night.sync(made)
        say(f"\n{len(box.requests)} requests, all of them to this machine.")
    return 0 if triaged and swept and synced else 1


class _Night:
    """The runner of the night: environment in, outputs and summary out."""

    def __init__(self, box: Sandbox, clock: NightClock, folder: Path, say: Say) -> None:
        self._box, self._clock, self._folder, self._say = box, clock, folder, say
        self._runs = 0

    def triage(self, made: Repository) -> bool:
        """One issue through its `labeled` event."""
        number = min(made.issues)
        self._title(f"triage: issue #{number} was labelled, the event starts the action")
        event = {
            "action": "labeled",
            "label": {"name": issues.SCOPE},
            "sender": {"login": issues.SENDER},
            "issue": {"number": number},
        }
        code, outputs = self._run({"MODE": "triage"}, event)
        self._show(made.issues[number], issues.ISSUES[0].shows)
        return code == 0 and outputs["outcome"] == "triaged"

    def sweep(self, made: Repository) -> bool:
        """The rest of the backlog."""
        self._title("triage: a sweep over the backlog")
        code, _ = self._run({"MODE": "triage", "SWEEP": "true"})
        for issue, filed in zip(issues.ISSUES, made.issues.values(), strict=True):
            self._show(filed, issue.shows)
        return code == 0

    def sync(self, made: Repository) -> bool:
        """main into dev, up to a pull request that is ready."""
        self._title(f"sync: {repository.SOURCE} into {repository.TARGET}")
        code, outputs = self._run({"MODE": "sync", "POLICY": repository.POLICY_PATH})
        for issue in made.issues.values():
            if issue.pull is not None:
                self._say(f"\n--- the pull request's body (#{issue.number}) ---\n{issue.body}")
                for comment in issue.comments:
                    self._say(f"--- comment ---\n{comment.body}")
        return code == 0 and outputs["outcome"] == "ready"

    def _title(self, text: str) -> None:
        self._say(f"\n{'=' * 100}\n{text}\n{'=' * 100}")

    def _run(
        self, inputs: Mapping[str, str], event: Mapping[str, object] | None = None
    ) -> tuple[int, dict[str, str]]:
        """Start the action as the runner does, and show its outputs and summary."""
        self._runs += 1
        place = self._folder / f"run-{self._runs}"
        place.mkdir()
        files = {name: place / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.touch()
        env = self._environment(inputs) | {name: str(file) for name, file in files.items()}
        if event is not None:
            payload = place / "event.json"
            payload.write_text(json.dumps(event), encoding="utf-8")
            env |= {"GITHUB_EVENT_NAME": "issues", "GITHUB_EVENT_PATH": str(payload)}
        with _environment(env):
            code = action.main(os.environ, clock=self._clock)
        outputs = _outputs(files["GITHUB_OUTPUT"].read_text(encoding="utf-8"))
        shown = {name: value for name, value in outputs.items() if name != "report"}
        self._say(f"\nexit code {code}, outputs: {json.dumps(shown, ensure_ascii=False)}")
        summary = files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")
        self._say(f"\n--- the step summary ---\n{summary}")
        return code, outputs

    def _environment(self, inputs: Mapping[str, str]) -> dict[str, str]:
        head = self._box.state.repositories[repository.REPOSITORY].git.head(repository.SOURCE)
        return {
            **{f"INPUT_{name}": value for name, value in inputs.items()},
            "INPUT_TOKEN": self._box.token,
            "GITHUB_REPOSITORY": repository.REPOSITORY,
            "GITHUB_API_URL": self._box.api_url,
            "GITHUB_SERVER_URL": self._box.server_url,
            "GITHUB_SHA": head or "",
            "GITHUB_RUN_ID": str(self._runs),
        }

    def _show(self, issue: Issue, shows: str) -> None:
        self._say(f"\n#{issue.number} {issue.title}\n    {shows}")
        self._say(f"    labels now: {', '.join(label.name for label in issue.labels)}")
        for comment in issue.comments:
            self._say(f"    comment: {comment.body.splitlines()[0]}")


@contextmanager
def _environment(env: Mapping[str, str]) -> Iterator[None]:
    """A process's environment for a while, as the runner gives it to the container's."""
    before = dict(os.environ)
    os.environ.update(env)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _outputs(text: str) -> dict[str, str]:
    """What a step wrote to its output file, heredocs undone."""
    lines = iter(text.splitlines())
    found: dict[str, str] = {}
    for line in lines:
        name, _, delimiter = line.partition("<<")
        value: list[str] = []
        for part in lines:
            if part == delimiter:
                break
            value.append(part)
        found[name] = "\n".join(value)
    return found
