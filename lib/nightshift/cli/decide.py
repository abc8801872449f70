"""`nightshift decide FILE.jsonl`: one issue a line in, one decision a line out, no network."""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime

from nightshift.cli.policies import read_text, triage_policy
from nightshift.outcome import EXIT_DONE
from nightshift.triage.cases import decision_object, issues
from nightshift.triage.decide import decide
from nightshift.triage.explain import explain


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("file", metavar="FILE.jsonl", help="one issue a line; - for standard input")
    parser.add_argument("--policy", help="a preset's name, or the path of a policy file")
    parser.add_argument("--force", action="store_true", help="decide although the marker is there")
    parser.add_argument("--number", type=int, help="only this issue")
    parser.add_argument("--json", action="store_true", help="print JSON lines (the default)")
    parser.add_argument("--explain", action="store_true", help="print the evidence, not JSON")


def run(args: argparse.Namespace) -> int:
    """Decide every issue of the file."""
    policy = triage_policy(args.policy)
    text = sys.stdin.read() if args.file == "-" else read_text(args.file)
    now = datetime.now(UTC)
    for issue, _ in issues(text, name=args.file):
        if args.number is not None and issue.number != args.number:
            continue
        decision = decide(issue, policy, now, force=args.force)
        if args.explain:
            print(explain(decision))
        else:
            print(json.dumps(decision_object(decision, policy), ensure_ascii=False))
    return EXIT_DONE
