"""Runs git through GitPython: bytes in, bytes out, errors of ours.

Knows no verb. Whoever calls it has checked each name and puts `--` before foreign arguments.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE

import git
from git.cmd import Git as GitProcess

from nightshift.adapters.git import environment
from nightshift.errors import HostError

FAILED = "git {verb} failed (exit {status})."
NO_GIT = "git cannot be started."
MEND_NO_GIT = "Install git 2.38 or newer and put it on PATH."
MISSING_OBJECT = "git has no object {oid}."
MEND_OBJECT = "The clone is incomplete or damaged: fetch it afresh, without a filter."
_LONGEST_WORDS = 2000
_FEW = 8
_BATCH = 400


@dataclass(frozen=True, slots=True)
class Output:
    """What a command said. `words` is its standard error."""

    status: int
    out: bytes
    words: str

    @property
    def text(self) -> str:
        """Standard output as text, without the newlines at its end."""
        return to_text(self.out).rstrip("\n")


def to_text(data: bytes) -> str:
    """Bytes of a path or name as text; what is not UTF-8 survives as surrogates."""
    return data.decode("utf-8", "surrogateescape")


def to_bytes(text: str) -> bytes:
    """The bytes of a path or name."""
    return text.encode("utf-8", "surrogateescape")


class Command:
    """Git in one folder, with one environment."""

    def __init__(self, folder: Path, variables: Mapping[str, str]) -> None:
        self._git = GitProcess(str(folder))
        self._git.update_environment(**variables)

    def run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        ok: Sequence[int] = (0,),
        variables: Mapping[str, str] | None = None,
    ) -> Output:
        """One command, to its end.

        :param ok: exit codes that are answers.
        :param variables: environment of this call alone, such as credentials.
        :raises HostError: git cannot be started, or another exit code.
        """
        output = self._spawn(arguments, stdin, variables)
        if output.status not in ok:
            raise failure(arguments[0], output)
        return output

    def _spawn(
        self, arguments: Sequence[str], stdin: bytes, variables: Mapping[str, str] | None
    ) -> Output:
        environment.scrub(os.environ)
        try:
            process = self._git.execute(
                ["git", *arguments],
                istream=PIPE,
                as_process=True,
                env=dict(variables) if variables else None,
            )
        except git.GitCommandNotFound as error:
            raise HostError(NO_GIT, mend=MEND_NO_GIT) from error
        out, words = process.communicate(stdin)
        return Output(process.returncode, out, words.decode("utf-8", "replace"))

    def objects(self, oids: Iterable[str]) -> dict[str, bytes]:
        """The contents of objects: a few through one process that stays, many in batches.

        :raises HostError: one of them does not exist.
        """
        wanted = list(dict.fromkeys(oids))
        if len(wanted) < _FEW:
            return {oid: self._object(oid) for oid in wanted}
        found: dict[str, bytes] = {}
        for at in range(0, len(wanted), _BATCH):
            found.update(self._batch(wanted[at : at + _BATCH]))
        return found

    def _batch(self, oids: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Each answer is `id type size NEWLINE data NEWLINE`, or `id missing NEWLINE`."""
        out = self.run("cat-file", "--batch", stdin="".join(f"{o}\n" for o in oids).encode()).out
        at = 0
        for oid in oids:
            end = out.index(b"\n", at)
            words = out[at:end].split(b" ")
            if len(words) != 3:
                raise HostError(MISSING_OBJECT.format(oid=oid), mend=MEND_OBJECT)
            at = end + 1 + int(words[2]) + 1
            yield oid, out[end + 1 : at - 1]

    def _object(self, oid: str) -> bytes:
        try:
            return self._git.get_object_data(oid)[3]
        except ValueError as error:
            raise HostError(MISSING_OBJECT.format(oid=oid), mend=MEND_OBJECT) from error

    def close(self) -> None:
        """End the process that reads objects."""
        self._git.clear_cache()


def failure(verb: str, output: Output, *, where: str = "") -> HostError:
    """The error of a command that ended otherwise than it may. Its words are cut, not its cause."""
    words = output.words.strip()[-_LONGEST_WORDS:]
    what = FAILED.format(verb=verb, status=output.status)
    return HostError(f"{what} {words}".rstrip(), where=where)
