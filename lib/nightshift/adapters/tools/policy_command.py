"""Runs a command that a policy gives, over an export of a tree. Implements `ports.Commands`.

As another user, outside the workspace, with an environment of our making, a time limit for it and
its group, and what it says cut and made printable. Where that cannot be done safely, nothing runs.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Mapping
from pathlib import Path

from nightshift.adapters.tools.account import Account
from nightshift.adapters.tools.child import spawn
from nightshift.adapters.tools.export import Export, NotPlain, files_of, laid_out
from nightshift.errors import HostError, UserError
from nightshift.ports import TreeView
from nightshift.sync.logtext import clean
from nightshift.values import Ran

REFUSED = "it was not run: {why}"
TIMED_OUT = "it did not end within {minutes:g} minutes"
FAILED = "it ended with exit code {code}"
NOT_PLAIN = "it left something else than a plain file of its own as {path}"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
MOST_OUTPUT = 64 * 1024
LINES, LINE = 30, 300
TOOL = "the policy's command"


class PolicyCommand:
    """Runs commands as an account may.

    :param seconds: how long one may take.
    """

    def __init__(self, account: Account, *, seconds: float) -> None:
        self._account, self._seconds = account, seconds

    def __call__(self, command: str, tree: TreeView, wanted: Collection[str] | None = None) -> Ran:
        """What a command makes of a tree: see `ports.Commands`."""
        try:
            user = self._account.number()
            with laid_out(tree, user) as export:
                return self._run(
                    command, tree, files_of(tree) if wanted is None else wanted, export
                )
        except UserError as error:
            return Ran(REFUSED.format(why=error))
        except (HostError, OSError) as error:
            return Ran(
                REFUSED.format(why=error if isinstance(error, HostError) else error.strerror)
            )

    def _run(self, command: str, tree: TreeView, wanted: Collection[str], export: Export) -> Ran:
        # What both streams say stands in one order where the shell joins them.
        done = spawn(
            TOOL,
            [*_no_new_privileges(), "/bin/sh", "-c", "exec 2>&1\n" + command],
            cwd=export.tree,
            variables=_environment(export.home),
            seconds=self._seconds,
            as_user=export.owner,
            most=MOST_OUTPUT,
        )
        output = reduced(done.out)
        if done.code is None:
            return Ran(TIMED_OUT.format(minutes=self._seconds / 60), output)
        if done.code:
            return Ran(FAILED.format(code=done.code), output)
        return _read_back(tree, wanted, export, output)


def reduced(data: bytes) -> str:
    """The last lines of an output without terminal codes and what is not printable. Linear."""
    text = data.decode("utf-8", "replace")
    lines = (_printable(clean(line))[:LINE] for line in text.split("\n"))
    return "\n".join([line for line in lines if line.strip()][-LINES:])


def _printable(line: str) -> str:
    return "".join(char if char.isprintable() or char == "\t" else "?" for char in line)


def _read_back(tree: TreeView, wanted: Collection[str], export: Export, output: str) -> Ran:
    changes: dict[str, bytes] = {}
    removed: list[str] = []
    for path in wanted:
        before = tree.read(path)
        try:
            after = export.read(path)
        except NotPlain:
            return Ran(NOT_PLAIN.format(path=ascii(path)), output)
        if after is None and before is not None:
            removed.append(path)
        elif after is not None and after != before:
            changes[path] = after
    return Ran("", output, changes, tuple(removed))


def _no_new_privileges() -> list[str]:
    """No program that it starts may be more than it is itself, where the system can say so."""
    program = shutil.which("setpriv", path=PATH)
    return [program, "--no-new-privs", "--"] if program else []


def _environment(home: Path) -> Mapping[str, str]:
    """Enough for programs to start, and nothing of ours."""
    return {
        "PATH": PATH,
        "HOME": str(home),
        "TMPDIR": str(home),
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }
