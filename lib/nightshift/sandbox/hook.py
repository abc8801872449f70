"""The hook behind every push: refuses a ref in GitHub's words, or lets git do the update.

Runs as git's `proc-receive` hook, the only one that can give a ref a reason of its own in the
status that the client prints. It is a program by itself and imports nothing of the package.
"""

from __future__ import annotations

import fnmatch
import os
import subprocess
import sys
from typing import BinaryIO

PROTECTED = "SANDBOX_PROTECTED"
RULED = "SANDBOX_RULED"
MAY_WORKFLOWS = "SANDBOX_MAY_WORKFLOWS"
WORKFLOWS = ".github/workflows/"
ZERO = "0" * 40

# What the client prints as `remote:`, and the reason in the ref's status.
PROTECTED_SAYS = """\
error: GH006: Protected branch update failed for {ref}.
error: Changes must be made through a pull request."""
PROTECTED_REASON = "protected branch hook declined"
RULED_SAYS = """\
error: GH013: Repository rule violations found for {ref}.

- Changes must be made through a pull request.
"""
RULED_REASON = "push declined due to repository rule violations"
WORKFLOW_REASON = (
    "refusing to allow a GitHub App to create or update workflow `{path}` "
    "without `workflows` permission"
)


def main() -> int:
    """Speak the protocol of `proc-receive`: version, commands, one answer a command."""
    reader, writer = sys.stdin.buffer, sys.stdout.buffer
    _read_list(reader)
    _write(writer, "version=1")
    _flush(writer)
    for line in _read_list(reader):
        _, new, ref = line.split(" ", 2)
        reason = refusal(new, ref)
        if reason:
            _write(writer, f"ng {ref} {reason}")
        else:
            _write(writer, f"ok {ref}")
            _write(writer, "option fall-through")
    _flush(writer)
    return 0


def refusal(new: str, ref: str) -> str | None:
    """Why a ref must not be updated, after saying more on standard error; None where it may."""
    for variable, says, reason in (
        (PROTECTED, PROTECTED_SAYS, PROTECTED_REASON),
        (RULED, RULED_SAYS, RULED_REASON),
    ):
        if _named(ref.removeprefix("refs/heads/"), variable):
            print(says.format(ref=ref), file=sys.stderr)
            return reason
    if new != ZERO and not os.environ.get(MAY_WORKFLOWS):
        path = _new_workflow(new)
        return WORKFLOW_REASON.format(path=path) if path else None
    return None


def _named(branch: str, variable: str) -> bool:
    """Whether one of the patterns in a variable, one a line, fits a branch."""
    patterns = os.environ.get(variable, "").split("\n")
    return any(fnmatch.fnmatchcase(branch, pattern) for pattern in patterns)


def _new_workflow(commit: str) -> str | None:
    """The first workflow file of a commit that no branch has with the same path and content."""
    known = {entry for branch in _branches() for entry in _workflows(branch)}
    return next(
        (path for path, oid in sorted(_workflows(commit)) if (path, oid) not in known), None
    )


def _branches() -> list[str]:
    return _git("for-each-ref", "--format=%(objectname)", "refs/heads").split()


def _workflows(commit: str) -> set[tuple[str, str]]:
    lines = _git("ls-tree", "-r", "-z", "--full-tree", commit, "--", WORKFLOWS).split("\0")
    return {(line.split("\t", 1)[1], line.split()[2]) for line in lines if line}


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], check=True, stdout=subprocess.PIPE)
    return done.stdout.decode(errors="surrogateescape")


def _read_list(reader: BinaryIO) -> list[str]:
    """The packet lines up to the flush."""
    lines = []
    while (size := int(reader.read(4) or b"0", 16)) > 4:
        lines.append(reader.read(size - 4).decode(errors="surrogateescape").rstrip("\n"))
    return lines


def _write(writer: BinaryIO, text: str) -> None:
    data = text.encode(errors="surrogateescape")
    writer.write(b"%04x" % (len(data) + 4) + data)


def _flush(writer: BinaryIO) -> None:
    writer.write(b"0000")
    writer.flush()


if __name__ == "__main__":
    sys.exit(main())
