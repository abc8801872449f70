"""Runs a child: an environment of our making, a folder of its own, a time limit for it and all that
it starts.

The child sees no token and no workspace: it is given an export of the files it needs, and nothing
of our environment but what it takes to find its own libraries.
"""

from __future__ import annotations

import os
import signal
import subprocess  # nosec: the commands are ours or policy's, foreign text comes as files only
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

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
            if is_inside(path):
                place = root / path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(data)
        yield root


def is_inside(path: str) -> bool:
    """Whether a path leads neither out of a folder nor into git's own."""
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
    done = spawn(
        tool, command, cwd=cwd, variables=_environment(cwd), seconds=seconds, as_user=as_user
    )
    if done.code is None:
        what = TIMED_OUT.format(tool=tool, seconds=int(seconds))
        raise HostError(what, mend=MEND, transient=True)
    if done.code not in good:
        words = done.err.decode("utf-8", "replace")[-WORDS:].strip()
        raise HostError(FAILED.format(tool=tool, code=done.code, words=words), mend=MEND)
    return done.out.decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended.

    :param code: its exit code; None where its time was over.
    """

    code: int | None
    out: bytes
    err: bytes


def spawn(
    tool: str,
    command: Sequence[str],
    *,
    cwd: Path,
    variables: Mapping[str, str],
    seconds: float,
    as_user: int | None = None,
    most: int | None = None,
) -> Ended:
    """Run a child to its end, and end what it leaves behind of its process group.

    What it says goes to files and not through pipes: what it leaves behind may hold a pipe
    open for good.

    :param variables: the whole of its environment.
    :param as_user: the numeric user and group to run as; None: the same as we.
    :param most: bytes of its output that are kept, the last ones; None: all.
    :raises HostError: it could not be started.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            process = subprocess.Popen(  # pylint: disable=consider-using-with
                list(command),
                cwd=cwd,
                env=dict(variables),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
                user=as_user,
                group=as_user,
                extra_groups=None if as_user is None else [],
            )
        except (OSError, subprocess.SubprocessError) as error:
            why = type(error).__name__
            raise HostError(NOT_STARTED.format(tool=tool, why=why), mend=MEND) from error
        return Ended(_wait(process, seconds), _tail(out, most), _tail(err, most))


def _wait(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    """The exit code in time, else None; either way nothing of its group is left."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _tail(stream: IO[bytes], most: int | None) -> bytes:
    size = stream.seek(0, os.SEEK_END)
    stream.seek(0 if most is None else max(0, size - most))
    return stream.read()


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
