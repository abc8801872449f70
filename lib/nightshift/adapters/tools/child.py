"""Runs an analyser as a child: an environment of our making, a folder of its own, a time limit.

The child sees no token and no workspace: it is given an export of the files it needs, and nothing
of our environment but what it takes to find its own libraries.
"""

from __future__ import annotations

import os
import subprocess  # nosec: the commands are ours, foreign text comes as files only
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from nightshift.errors import HostError

TIMED_OUT = "{tool} did not end within {seconds} s."
NOT_STARTED = "{tool} could not be started: {why}."
FAILED = "{tool} ended with exit code {code}: {words}"
MEND = "Run again; if it goes on, leave the tool out by policy and report this."
WORDS = 300
FOLDER_MODE = 0o755


@contextmanager
def exported(files: Mapping[str, bytes]) -> Iterator[Path]:
    """A temporary folder that holds these files and is gone afterwards.

    Paths that would lead out of the folder, or into git's own, are left out.
    """
    with tempfile.TemporaryDirectory(prefix="nightshift-") as name:
        root = Path(name)
        root.chmod(FOLDER_MODE)
        for path, data in files.items():
            if _is_inside(path):
                place = root / path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(data)
        yield root


def _is_inside(path: str) -> bool:
    parts = path.split("/")
    return bool(path) and not any(part in ("", ".", "..", ".git") or "\0" in part for part in parts)


def run(
    tool: str,
    command: Sequence[str],
    *,
    cwd: Path,
    seconds: float,
    good: frozenset[int],
    as_user: int | None = None,
) -> str:
    """The standard output of a command.

    :param seconds: how long it may take.
    :param good: exit codes that mean that it did its work.
    :param as_user: the numeric user to run as; None: the same as we.
    :raises HostError: it did not start, end in time, or do its work.
    """
    try:
        done = subprocess.run(
            list(command),
            cwd=cwd,
            env=_environment(cwd),
            capture_output=True,
            check=False,
            timeout=seconds,
            stdin=subprocess.DEVNULL,
            user=as_user,
            group=as_user,
            extra_groups=None if as_user is None else [],
        )
    except subprocess.TimeoutExpired as error:
        what = TIMED_OUT.format(tool=tool, seconds=int(seconds))
        raise HostError(what, mend=MEND, transient=True) from error
    except (OSError, subprocess.SubprocessError) as error:
        why = type(error).__name__
        raise HostError(NOT_STARTED.format(tool=tool, why=why), mend=MEND) from error
    if done.returncode not in good:
        words = done.stderr.decode("utf-8", "replace")[-WORDS:].strip()
        raise HostError(FAILED.format(tool=tool, code=done.returncode, words=words), mend=MEND)
    return done.stdout.decode("utf-8", "replace")


def _environment(home: Path) -> dict[str, str]:
    """Plain English, UTF-8, a home that is thrown away, and nothing else."""
    return {
        "PATH": os.defpath,
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def beside_python(name: str) -> str:
    """A program that was installed with us."""
    return str(Path(sys.executable).with_name(name))
