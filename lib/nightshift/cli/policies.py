"""The `--policy` argument of the local commands: a preset's name, or a file."""

from __future__ import annotations

from pathlib import Path

from nightshift.errors import UserError
from nightshift.policy import load
from nightshift.policy.load import Policy
from nightshift.policy.sync import SyncPolicy
from nightshift.policy.triage import TriagePolicy

NO_FILE = "cannot be read."
MEND_FILE = "Give the path of a file that exists, or a preset's name."


def triage_policy(name: str | None) -> TriagePolicy:
    """The triage policy that an argument names; the default preset for None.

    :raises UserError: no such preset or file, or the policy is faulty or for another mode.
    """
    wanted = name or load.DEFAULTS["triage"]
    return load.require(_policy(wanted), TriagePolicy, name=wanted)


def sync_policy(name: str | None) -> SyncPolicy:
    """The sync policy that an argument names; the default preset for None.

    :raises UserError: no such preset or file, or the policy is faulty or for another mode.
    """
    wanted = name or load.DEFAULTS["sync"]
    return load.require(_policy(wanted), SyncPolicy, name=wanted)


def _policy(name: str) -> Policy:
    return load.parse(read_text(name), name=name) if load.is_path(name) else load.preset(name)


def read_text(path: str) -> str:
    """A text file's content.

    :raises UserError: it cannot be read.
    """
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UserError(NO_FILE, where=path, mend=MEND_FILE) from error
