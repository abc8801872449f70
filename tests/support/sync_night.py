"""A night's sync against the sandbox, in this process: the action's own start, real git over HTTP,
a clock that moves only when somebody sleeps on it.

    with SyncNight(folder, plan) as night:
        ran = night.run()
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from nightshift import action
from nightshift.sandbox import Sandbox
from nightshift.sandbox.ci import Job, Tree
from nightshift.sandbox.model import Issue, Pull
from nightshift.sandbox.repository import Repository
from support.night import EventClock
from support.runner import RunnerEnv
from support.sandbox import REPOSITORY, commit

POLICY_PATH = ".github/nightshift.yaml"
SENTINEL = "Gate"
POLICY = """\
mode: sync
branch: "sync/{date}"
hold-label: hold
paths:
  never-touch: [.github/CODEOWNERS]
pull-request:
  labels: [run all]
ci:
  trigger: "/ok to test {sha}"
  sentinels: [Gate]
  exempt: [codecov]
  needs-maintainer: [gpu]
"""

OPS = '''\
"""Operations."""


def gather() -> int:
    """Collect."""
    return 1


def rest() -> int:
    """The rest."""
    return 2
'''
NO_GATHER = OPS.replace(OPS[OPS.index("def gather") : OPS.index("def rest")], "")
HANDLER = '''\
"""What offloads."""


class Handler:
    """Offloads groups."""

    def group_commit(self, count: int) -> int:
        """Offload a group."""
        queue = [count]
        for number in range(count):
            queue.append(number)
        return len(queue)
'''
CALLER = '''\
"""Who offloads."""


def drain(handler, count):
    """Offload all."""
    return handler.group_commit(count)
'''
BASE = {
    ".github/CODEOWNERS": "* @acme/keepers\n",
    "README.md": "# rocket\n",
    "pkg/__init__.py": "",
    "pkg/ops.py": OPS,
    "pkg/handler.py": HANDLER,
    "plugins.txt": "pkg.ops:rest\n",
    "pyproject.toml": "[tool.black]\nline-length = 100\n",
}
DEV = {"pkg/dev.py": '"""Of dev."""\n'}
MAIN = {"pkg/new.py": '"""Of main."""\n\nx = 1\n'}

Files = Mapping[str, str | bytes | None]
Plan = Callable[[Tree], Sequence[Job]]


def gated(*jobs: Job) -> Sequence[Job]:
    """Jobs, and the sentinel that collects them."""
    return [*jobs, Job(SENTINEL, collects=True)]


def green(_tree: Tree) -> Sequence[Job]:
    """A CI in which all is well."""
    return gated(Job("unit"), Job("lint"))


@dataclass(frozen=True)
class Ran:
    """How a run ended, and what it left with the runner."""

    code: int
    outputs: Mapping[str, str]
    summary: str
    log: str

    @property
    def outcome(self) -> str:
        """The outcome."""
        return self.outputs["outcome"]


class SyncNight:
    """A sandbox with a small repository, and runs of the action in it.

    :param plan: what CI does with a commit that it is asked to test.
    """

    def __init__(
        self,
        folder: Path,
        plan: Plan = green,
        *,
        base: Files | None = None,
        dev: Files | None = None,
        main: Files | None = None,
        policy: str = POLICY,
        clock: EventClock | None = None,
    ) -> None:
        self._folder, self._runs = folder, 0
        self.clock = clock or EventClock()
        self.box = Sandbox(clock=self.clock)
        self._plan, self._policy = plan, policy
        self._made: Repository | None = None
        self._sha = ""
        self._files = ({**BASE, **(base or {})}, {**DEV, **(dev or {})}, {**MAIN, **(main or {})})

    def __enter__(self) -> Self:
        self.box.__enter__()
        self._made = self.box.state.add_repository(REPOSITORY)
        base, dev, main = self._files
        commit(self.repository, "main", base, message="base")
        commit(self.repository, "dev", dev, parent="main", message="dev's work")
        commit(self.repository, "main", main, message="main's work")
        policy = {POLICY_PATH: self._policy}
        self._sha = commit(self.repository, "workflows", policy, parent="main", message="policy")
        for label in ("run all", "hold"):
            self.repository.add_label(label)
        self.box.ci.on_comment(self._plan)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.box.__exit__(kind, error, trace)
        if kind is None:
            assert not self.box.errors, self.box.errors

    def prepared(self, **inputs: str) -> RunnerEnv:
        """The runner's side of one more run."""
        self._runs += 1
        given = {"mode": "sync", "policy": POLICY_PATH}
        given |= {name.replace("_", "-"): value for name, value in inputs.items()}
        event = {"repository": {"full_name": REPOSITORY}}
        place = self._folder / str(self._runs)
        return RunnerEnv(place, self.box, given, "schedule", event, sha=self._sha)

    def run(self, **inputs: str) -> Ran:
        """One run of the action, from its environment to its exit code."""
        runner, log = self.prepared(**inputs), io.StringIO()
        with environment(runner.env), redirect_stdout(log):
            code = action.main(runner.env, clock=self.clock)
        return Ran(code, runner.outputs(), runner.summary(), log.getvalue())

    @property
    def repository(self) -> Repository:
        """The repository; it is there once the night is entered."""
        assert self._made is not None
        return self._made

    @property
    def pulls(self) -> list[Issue]:
        """All pull requests, in order."""
        return [issue for issue in self.repository.issues.values() if issue.pull is not None]

    @property
    def pull(self) -> Issue:
        """The one open pull request from a sync branch."""
        (found,) = [
            issue
            for issue in self.pulls
            if issue.open and details(issue).head_ref.startswith("sync/")
        ]
        return found

    @property
    def branch(self) -> str:
        """Its branch."""
        return details(self.pull).head_ref

    @property
    def head(self) -> str:
        """What its branch points at."""
        return self.repository.git.head(self.branch) or ""

    def text(self, path: str, revision: str = "") -> str:
        """A file of the sync branch, or of another revision."""
        return self.repository.git.git("show", f"{revision or self.head}:{path}").decode()

    def said(self, start: str) -> list[str]:
        """The bodies of the pull request's comments that contain something."""
        return [one.body for one in self.pull.comments if start in one.body]

    def person_pushes(self, files: Files, message: str = "By hand") -> str:
        """A person commits to the sync branch."""
        return commit(self.repository, self.branch, files, message=message)

    def subjects(self) -> list[str]:
        """The subjects of the sync branch's first parents beyond dev, newest first."""
        log = self.repository.git.git("log", "--first-parent", "--format=%s", f"dev..{self.head}")
        return log.decode().splitlines()


def details(issue: Issue) -> Pull:
    """What makes an issue a pull request."""
    assert issue.pull is not None
    return issue.pull


@contextmanager
def environment(env: Mapping[str, str]) -> Iterator[None]:
    """This process's environment for a while, as the runner gives it to the container's."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in env.items():
            patch.setenv(name, value)
        yield
