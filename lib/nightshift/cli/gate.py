"""`nightshift gate`: the verdict on a status-check rollup in a file. Reads the file, prints JSON.

Exit code 0 whatever the verdict: a script reads `verdict`. Decides nothing (sync/gate.py does).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

from nightshift.cli.policies import sync_policy
from nightshift.errors import UserError
from nightshift.outcome import EXIT_DONE
from nightshift.policy import load
from nightshift.sync import rollup as gh
from nightshift.sync.checks import Normal
from nightshift.sync.gate import Verdict, judge

SCHEMA_VERSION = 1
MEND_FILE = "Give a file that can be read, with JSON in UTF-8."


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("rollup", metavar="ROLLUP.json", type=Path)
    parser.add_argument(
        "--policy",
        default=load.DEFAULTS["sync"],
        help="a preset or a policy file (default: %(default)s)",
    )
    parser.add_argument("--sha", help="the head commit that counts; another one is waited for")
    parser.add_argument("--json", action="store_true", help="print JSON (it always does)")


def run(args: argparse.Namespace) -> int:
    """Print the verdict.

    :raises UserError: the rollup or the policy cannot be read.
    """
    policy = sync_policy(args.policy)
    rollup = gh.parse(_json(args.rollup), name=str(args.rollup))
    sha = rollup.sha if args.sha is None else args.sha
    print(json.dumps(report(judge(rollup, sha, policy.ci)), indent=2))
    return EXIT_DONE


def report(verdict: Verdict) -> dict[str, object]:
    """The verdict as data, by names."""
    return {
        "schema_version": SCHEMA_VERSION,
        "verdict": verdict.state.value,
        "sha": verdict.sha,
        "failed": _names(verdict.failed),
        "pending": _names(verdict.pending),
        "missing": list(verdict.missing),
        "passed": _names(verdict.passed),
        "exempt": _names(verdict.exempt),
        "needs_maintainer": list(verdict.needs_maintainer),
        "note": verdict.note,
    }


def _names(items: Iterable[Normal]) -> list[str]:
    return sorted({item.name for item in items})


def _json(path: Path) -> object:
    try:
        return json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise UserError("this is not JSON.", where=str(path), mend=MEND_FILE) from error


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UserError(f"cannot be read: {reason}.", where=str(path), mend=MEND_FILE) from error
