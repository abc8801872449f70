"""The hook behind every push: refuses a ref in the words that GitHub uses, or lets git do the update.

Runs as git's `proc-receive` hook, the only one that can give a ref a reason of its own in the status that the
client prints. It is a program by itself, started with `-I`: it imports nothing of the package.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import BinaryIO

PROTECTED = "SANDBOX_PROTECTED"
MAY_WORKFLOWS = "SANDBOX_MAY_WORKFLOWS"
WORKFLOWS = ".github/workflows/"
ZERO = "0" * 40

PROTECTED_SAYS = "error: GH006: Protected branch update failed for {ref}."
PROTECTED_WHY = "error: Changes must be made through a pull request."
PROTECTED_REASON = "protected branch hook declined"
WORKFLOW_REASON = "refusing to allow a GitHub App to create or update workflow `{path}` without `workflows` permission"


def main() -> int:
    """Speak the protocol of `proc-receive`: version, commands, one answer a command."""
    reader, writer = sys.stdin.buffer, sys.stdout.buffer
    _read_list(reader)
    _write(writer, "version=1")
    _flush(writer)
    for line in _read_list(reader):
        old, new, ref = line.split(" ", 2)
        reason = refusal(old, new, ref)
        if reason:
            _write(writer, f"ng {ref} {reason}")
        else:
            _write(writer, f"ok {ref}")
            _write(writer, "option fall-through")
    _flush(writer)
    return 0


def refusal(old: str, new: str, ref: str) -> str | None:
    """Why a ref must not be updated; None where it may. What git shows as `remote:` goes to standard error."""
    branch = ref.removeprefix("refs/heads/")
    if old != ZERO and branch in os.environ.get(PROTECTED, "").split("\n"):
        print(PROTECTED_SAYS.format(ref=ref), file=sys.stderr)
        print(PROTECTED_WHY, file=sys.stderr)
        return PROTECTED_REASON
    if new != ZERO and not os.environ.get(MAY_WORKFLOWS):
        path = _new_workflow(new)
        if path:
            return WORKFLOW_REASON.format(path=path)
    return None


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
