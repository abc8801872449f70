"""Real syncs under a policy: what audits leave open, and what a type checker says of the result.

    audit_findings.py --repo GITDIR --syncs SYNCS.json [--policy megatron-nightly] [--only id,id]
    [--draw 30 --seed 5] [--no-types]

GITDIR is a full git directory of the repository, only read; SYNCS.json lists `syncs` with `id`,
`dev` and `main` commit ids. For each sync: the open findings by rule, the seconds of `nightshift
merge`, and how many complaints of ty are the merge's own (the result has them, neither side has),
beside those of the same policy done by hand: `git merge -X theirs`, what conflicts still from the
source, then the policy's lists. At the end as many open findings as asked for, drawn at random, to
be read against the trees by a person.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from guarded_paths import ISOLATED, clone, git, merge  # pylint: disable=import-error  # a neighbour

from nightshift.adapters.git.repository import GitRepository
from nightshift.adapters.tools.ty import Ty
from nightshift.cli.policies import sync_policy
from nightshift.policy.sync import SyncPolicy
from nightshift.ports import TreeView
from nightshift.sync.audits.values import Complaint
from nightshift.sync.paths import GUARDED, PathPolicy, Rule

NOBODY = {
    f"GIT_{role}_{fact}": "bench@localhost"
    for role in ("AUTHOR", "COMMITTER")
    for fact in ("NAME", "EMAIL")
}


def by_hand(folder: Path, sync: dict[str, str], policy: SyncPolicy) -> str:
    """The tree of `-X theirs` plus the policy's lists."""
    command = ["git", "-C", str(folder), "merge", "-q", "-X", "theirs", "--no-edit", "main"]
    subprocess.run(command, env={**ISOLATED, **NOBODY}, check=False, capture_output=True)
    unmerged = set(git(folder, "diff", "--name-only", "--diff-filter=U", "-z").split("\0"))
    source = set(git(folder, "ls-tree", "-r", "-z", "--name-only", "main").split("\0"))
    target = set(git(folder, "ls-tree", "-r", "-z", "--name-only", sync["dev"]).split("\0"))
    for path in sorted(unmerged - {""}):
        _take(folder, "main" if path in source else None, path)
    rules = PathPolicy(policy.paths)
    for path in sorted((source | target) - {""}):
        rule = rules.rule(path)
        if rule is Rule.ALWAYS_SOURCE:
            _take(folder, "main" if path in source else None, path)
        elif rule in GUARDED:
            _take(folder, sync["dev"] if path in target else None, path)
    return git(folder, "write-tree").strip()


def _take(folder: Path, rev: str | None, path: str) -> None:
    if rev is None:
        git(folder, "rm", "-q", "-f", "--cached", "--ignore-unmatch", "--", path)
    else:
        git(folder, "checkout", "-q", rev, "--", path)


def own(check: Ty, merged: TreeView, before: set[tuple[str, str, str]]) -> list[Complaint]:
    """The complaints that neither parent has."""
    return [c for c in check(merged) if (c.path, c.rule, c.message) not in before]


def types(folder: Path, sync: dict[str, str], trees: dict[str, str]) -> dict[str, int]:
    """For each tree, how many complaints are its own."""
    check = Ty()
    with GitRepository.of_checkout(folder) as repository:
        parents = [check(repository.tree(sync[side])) for side in ("dev", "main")]
        before = {(c.path, c.rule, c.message) for said in parents for c in said}
        return {
            name: len(own(check, repository.tree(tree), before)) for name, tree in trees.items()
        }


def one(args: argparse.Namespace, sync: dict[str, str]) -> list[dict[str, Any]]:
    """One sync, measured and printed; its open findings."""
    policy = sync_policy(args.policy)
    with tempfile.TemporaryDirectory(prefix="audits-") as home:
        folder = Path(home) / "clone"
        clone(args.repo, folder, sync)
        start = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = merge(folder, sync, args.policy, "format")
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime
        found: list[dict[str, Any]] = done.report["findings"]  # type: ignore[assignment]
        left = [{**f, "sync": sync["id"]} for f in found if f["disposition"] == "open"]
        rules = dict(Counter(f["rule"] for f in left).most_common())
        print(f"{sync['id']}: {len(left)} open, {done.seconds:.0f} s ({cpu:.0f} s of CPU) {rules}")
        if not args.no_types:
            git(folder, "reset", "-q", "--hard", sync["dev"])
            hand = by_hand(folder, sync, policy)
            print("   ty:", types(folder, sync, {"ours": done.merged, "by hand": hand}), flush=True)
    return left


def main() -> None:
    """Measure every sync, then draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repo", required=True, type=Path)
    parser.add_argument("--syncs", required=True, type=Path)
    parser.add_argument("--policy", default="megatron-nightly")
    parser.add_argument("--only", default="")
    parser.add_argument("--draw", type=int, default=0)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--no-types", action="store_true")
    args = parser.parse_args()
    only = set(filter(None, args.only.split(",")))
    every: list[dict[str, Any]] = []
    for sync in json.loads(args.syncs.read_text(encoding="utf-8"))["syncs"]:
        if not only or sync["id"] in only:
            every += one(args, sync)
    chosen = random.Random(args.seed).sample(every, min(args.draw, len(every)))
    for item in chosen:
        print(f"{item['sync']} {item['rule']} {item['path']}:{item['line']}: {item['message']}")


if __name__ == "__main__":
    main()
