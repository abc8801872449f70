"""`nightshift merge`: phase 1 of sync offline, in the repository of the working folder.

Moves HEAD's branch to the merge commit, and the work tree with it. No network, but where a
shallow clone must be deepened from its own origin. Decides nothing (sync/prepare.py does).
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from pathlib import Path

from nightshift.adapters.git.checkout import HEAD, Checkout
from nightshift.adapters.git.repository import GitRepository
from nightshift.adapters.tools import ty
from nightshift.adapters.tools.account import Account, analyser
from nightshift.adapters.tools.policy_command import PolicyCommand
from nightshift.adapters.tools.pylint import Pylint
from nightshift.adapters.tools.style import style_of
from nightshift.cli.policies import sync_policy
from nightshift.errors import UserError
from nightshift.outcome import EXIT_DONE, EXIT_NOT_REACHED, Outcome
from nightshift.policy import load
from nightshift.policy.sync import SyncPolicy
from nightshift.sync.candidate import Candidate
from nightshift.sync.describe import candidate_data
from nightshift.sync.prepare import Tools, Until, merge_date, prepare
from nightshift.sync.reconcile import SourceTools

SCHEMA_VERSION = 1
MERGED = "merged"

# Syntax trees are many small objects that live for long: looking through them for cycles as often
# as Python does by default takes a fifth of the run.
_OBJECTS_BEFORE_COLLECTION = 50_000

NOT_ON_TARGET = "HEAD is not on {target}: it is on {head}."
MEND_NOT_ON_TARGET = "Run `git switch {target}` first."
NOT_CLEAN = "the work tree has changes that are in no commit:\n{changes}\n"
MEND_NOT_CLEAN = "Commit or stash them first."
NO_FOLDER = "the report cannot be written: there is no such folder."


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--target", required=True, metavar="REF", help="what is merged into; HEAD is on it"
    )
    parser.add_argument("--source", required=True, metavar="REF", help="what is merged")
    parser.add_argument(
        "--policy",
        default=load.DEFAULTS["sync"],
        help="a preset or a policy file (default: %(default)s)",
    )
    parser.add_argument(
        "--until",
        choices=[step.name.lower() for step in Until],
        default=Until.FORMAT.name.lower(),
        help="the last step to take (default: %(default)s)",
    )
    parser.add_argument("--report", metavar="FILE.json", type=Path, help="write the report there")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def run(args: argparse.Namespace) -> int:
    """Merge, report, move HEAD.

    :raises UserError: HEAD is not on the target, the work tree is not clean, a name does not exist.
    """
    gc.set_threshold(_OBJECTS_BEFORE_COLLECTION, 20, 100)
    policy = sync_policy(args.policy)
    if args.report is not None and not args.report.absolute().parent.is_dir():
        raise UserError(NO_FOLDER, where=str(args.report))
    checkout = Checkout(Path.cwd())
    checkout.require_work_tree()
    with GitRepository.of_checkout(checkout.folder) as git:
        ends = git.resolve(args.target), git.resolve(args.source)
        _require_head(checkout, args.target, ends[0])
        at = merge_date(git, *ends)
        tools = _tools(policy)
        until = Until[args.until.upper()]
        candidate = prepare(git, policy, args.target, args.source, at=at, tools=tools, until=until)
        if candidate is not None:
            checkout.take(git.pack(candidate.commit, ends))
    blocked = candidate is not None and bool(candidate.blocking)
    _publish(args, candidate)
    if candidate is not None and not blocked:
        checkout.advance(candidate.commit)
    return EXIT_NOT_REACHED if blocked else EXIT_DONE


def _tools(policy: SyncPolicy) -> Tools:
    """What a merge here may use: the policy's commands, but no network of our own."""
    account = Account(policy.commands.user, holds_token=False)
    commands = PolicyCommand(account, seconds=policy.commands.minutes * 60)
    linter = Pylint(as_user=analyser(policy.commands.user))
    return Tools(style_of, time.monotonic, ty.checker(), linter, SourceTools(commands))


def _require_head(checkout: Checkout, target: str, commit: str) -> None:
    """HEAD is the target's branch; where the target is no local branch, HEAD is at its commit."""
    branch = checkout.head_branch()
    on_other_branch = target != HEAD and checkout.has_branch(target) and branch != target
    if on_other_branch or checkout.resolve(HEAD) != commit:
        raise UserError(
            NOT_ON_TARGET.format(target=target, head=branch or "a detached commit"),
            where="--target",
            mend=MEND_NOT_ON_TARGET.format(target=target),
        )
    if changes := checkout.changes():
        raise UserError(NOT_CLEAN.format(changes=changes), mend=MEND_NOT_CLEAN)


def report(candidate: Candidate | None) -> dict[str, object]:
    """The report as data; of a merge with nothing to do only its outcome."""
    if candidate is None:
        return {"schema_version": SCHEMA_VERSION, "outcome": Outcome.NOTHING_TO_SYNC.value}
    outcome = Outcome.BLOCKED.value if candidate.blocking else MERGED
    return {"schema_version": SCHEMA_VERSION, "outcome": outcome, **candidate_data(candidate)}


def _publish(args: argparse.Namespace, candidate: Candidate | None) -> None:
    text = json.dumps(report(candidate), indent=2)
    if args.report is not None:
        args.report.write_text(f"{text}\n", encoding="utf-8")
    if args.json:
        print(text)
    elif candidate is None:
        print(f"nothing to sync: {args.target} holds all of {args.source}.")
    else:
        print("\n".join(_lines(candidate)))


def _lines(candidate: Candidate) -> list[str]:
    """The report in short. Paths are foreign: what is not printable is escaped."""
    low = sum(item.confidence.value == "low" for item in candidate.resolutions)
    lines = [
        f"merged {candidate.source_ref} into {candidate.target_ref}: {candidate.commit}",
        f"{candidate.stats.commits} commits, {len(candidate.conflicts)} files in conflict, "
        f"{len(candidate.resolutions)} decisions ({low} of low confidence)",
        candidate.stats.line,
    ]
    lines += [f"restored: {_shown(item.path)}" for item in candidate.restored]
    for item in candidate.findings:
        place = f"{_shown(item.path)}: " if item.path else ""
        words = _shown(item.message)
        lines.append(f"{item.severity.value} ({item.disposition.value}): {place}{words}")
    lines += [f"not done: {step}" for step in candidate.steps_not_done]
    if candidate.blocking:
        lines.append("blocked: the commit is made, HEAD has not moved.")
    return lines


def _shown(text: str) -> str:
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
