"""CI that runs for real: a command in an export of the pushed commit makes conclusion and log.

The command runs the pushed code, as a runner does. It gets an environment of our making, no token.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

from nightshift.sandbox.jobs import Job, Tree

TIMED_OUT = "##[error]The operation was canceled."
LIMIT = 120.0


def run(tree: Tree, command: Sequence[str], *, seconds: float = LIMIT) -> tuple[str, str]:
    """Run a command in an export of the tree.

    :param command: program and arguments; "python" is the interpreter that runs the sandbox.
    :returns: the conclusion (success, failure, timed_out) and what was printed.
    """
    program = [sys.executable if part == "python" else part for part in command[:1]]
    with tempfile.TemporaryDirectory(prefix="nightshift-ci-") as folder:
        _export(tree, Path(folder))
        try:
            done = subprocess.run(
                [*program, *command[1:]],
                cwd=folder,
                env=_environment(folder),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            return "timed_out", f"{(error.stdout or b'').decode(errors='replace')}\n{TIMED_OUT}\n"
    return "success" if done.returncode == 0 else "failure", done.stdout.decode(errors="replace")


def checking(job: Job, *command: str) -> Callable[[Tree], Job]:
    """A job whose conclusion and log are a command's; everything else stays as the job says."""

    def look(tree: Tree) -> Job:
        conclusion, log = run(tree, command)
        return replace(job, conclusion=conclusion, log=log)

    return look


def plan(*parts: Job | Callable[[Tree], Job]) -> Callable[[Tree], list[Job]]:
    """A plan of jobs and of functions that look into the tree to make one."""

    def decide(tree: Tree) -> list[Job]:
        return [part if isinstance(part, Job) else part(tree) for part in parts]

    return decide


def _export(tree: Tree, folder: Path) -> None:
    archive = tree.store.git("archive", "--format=tar", tree.sha)
    with tarfile.open(fileobj=BytesIO(archive)) as tar:
        tar.extractall(folder, filter="data")


def _environment(folder: str) -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": folder,
        "CI": "true",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "LC_ALL": "C.UTF-8",
    }
