"""`nightshift check-policy FILE`: validates a policy file. Every fault with file, line and key."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from nightshift.cli.policies import read_text
from nightshift.errors import UserError, UserErrors
from nightshift.outcome import EXIT_DONE
from nightshift.policy import load

SCHEMA_VERSION = 1


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", metavar="FILE", help="a policy file, or a preset's name")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(args: argparse.Namespace) -> int:
    """Validate, and say of which mode the policy is.

    :raises UserErrors: what is wrong; as JSON on standard output too where that is asked for.
    """
    try:
        policy = _policy(args.file)
    except UserError as error:
        if args.json:
            print(json.dumps(report("", _single(error)), indent=2))
        raise
    if args.json:
        print(json.dumps(report(policy.mode, ()), indent=2))
    else:
        print(f"{args.file}: a valid policy for mode {policy.mode}.")
    return EXIT_DONE


def report(mode: str, errors: tuple[UserError, ...]) -> dict[str, object]:
    """The result as data. `where` is `file:line: key`."""
    return {
        "schema_version": SCHEMA_VERSION,
        "valid": not errors,
        "mode": mode or None,
        "errors": [{"where": e.where, "what": e.what, "mend": e.mend} for e in errors],
    }


def _single(error: UserError) -> tuple[UserError, ...]:
    return error.errors if isinstance(error, UserErrors) else (error,)


def _policy(name: str) -> load.Policy:
    """A file of that name goes before a preset."""
    if not Path(name).exists() and not load.is_path(name):
        return load.preset(name)
    return load.parse(read_text(name), name=name)
