"""Real syncs under a policy: what the policy guards must come out byte for byte as it says.

    guarded_paths.py --repo GITDIR --syncs SYNCS.json [--policy megatron-nightly] [--until merge]
    [--only id,id]

GITDIR is a full git directory of the repository, only read; SYNCS.json lists `syncs` with `id`,
`dev` and `main` commit ids. Each sync runs `nightshift merge` in a fresh clone, then every path
of the merge commit is compared with the two sides: paths that are never touched or always the
target's, paths that are always the source's, files with conflict markers that neither side has.
Exit code 1 where one of them differs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from nightshift.adapters.git.repository import GitRepository
from nightshift.cli.policies import sync_policy
from nightshift.sync.by_text import new_markers
from nightshift.sync.paths import GUARDED, PathPolicy, Rule
from nightshift.values import Entry

ISOLATED = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
}


@dataclass(frozen=True, slots=True)
class Merge:
    """One sync, merged: the clone and its three commits."""

    folder: Path
    target: str
    source: str
    merged: str
    seconds: float
    report: dict[str, object]


def git(folder: Path, *arguments: str) -> str:
    """Standard output of git in a folder."""
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, env=ISOLATED, check=True, capture_output=True, text=True).stdout


def clone(repo: Path, folder: Path, sync: dict[str, str]) -> None:
    """A repository with the branches dev (checked out) and main that borrows the objects of
    another."""
    git(Path("/"), "init", "-q", "-b", "dev", str(folder))
    objects = git(repo, "rev-parse", "--path-format=absolute", "--git-path", "objects").strip()
    (folder / ".git/objects/info/alternates").write_text(f"{objects}\n", encoding="utf-8")
    git(folder, "update-ref", "refs/heads/main", sync["main"])
    git(folder, "update-ref", "refs/heads/dev", sync["dev"])
    git(folder, "reset", "-q", "--hard", "dev")


def merge(folder: Path, sync: dict[str, str], policy: str, until: str) -> Merge:
    """Run `nightshift merge` in a clone."""
    report = folder.parent / "report.json"
    options = ["--target", "dev", "--source", "main", "--policy", policy, "--until", until]
    start = time.monotonic()
    command = [sys.executable, "-m", "nightshift", "merge", *options, "--report", str(report)]
    subprocess.run(command, cwd=folder, env=ISOLATED, check=True, stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - start
    data = json.loads(report.read_text(encoding="utf-8"))
    head = git(folder, "rev-parse", "HEAD").strip()
    return Merge(folder, sync["dev"], sync["main"], head, seconds, data)


def faults(done: Merge, policy: PathPolicy, *, formatted: bool) -> list[str]:
    """What the merge commit has otherwise than the policy says.

    :param formatted: whether the source's files were brought into style after they were taken.
    """
    found: list[str] = []
    with GitRepository.of_checkout(done.folder) as repository:
        target, source, merged = (
            repository.tree(commit) for commit in (done.target, done.source, done.merged)
        )
        sides = target.entries(), source.entries(), merged.entries()
        for path in sorted(set().union(*sides)):
            rule = policy.rule(path)
            if not (formatted and rule is Rule.ALWAYS_SOURCE):
                found += _fault(path, rule, *(side.get(path) for side in sides))
        for path, entry in sides[2].items():
            known = [side.get(path) for side in sides[:2]]
            if entry not in known and entry.mode != "160000":
                versions = [data for tree in (target, source) if (data := tree.read(path))]
                if new_markers(merged.read(path) or b"", *versions):
                    found.append(f"{path}: conflict markers")
    return found


def _fault(
    path: str, rule: Rule | None, target: Entry | None, source: Entry | None, merged: Entry | None
) -> list[str]:
    if rule in GUARDED and merged != target:
        return [f"{path}: {rule}, and differs from the target's"]
    if rule is Rule.ALWAYS_SOURCE and source is not None and merged != source:
        return [f"{path}: {rule}, and differs from the source's"]
    return []


def main() -> int:
    """Run every sync and print what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repo", required=True, type=Path)
    parser.add_argument("--syncs", required=True, type=Path)
    parser.add_argument("--policy", default="megatron-nightly")
    parser.add_argument("--until", default="merge", choices=("merge", "audit", "format"))
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    policy = PathPolicy(sync_policy(args.policy).paths)
    only = set(filter(None, args.only.split(",")))
    wrong = 0
    for sync in json.loads(args.syncs.read_text(encoding="utf-8"))["syncs"]:
        if only and sync["id"] not in only:
            continue
        with tempfile.TemporaryDirectory(prefix="guarded-") as home:
            folder = Path(home) / "clone"
            clone(args.repo, folder, sync)
            done = merge(folder, sync, args.policy, args.until)
            bad = faults(done, policy, formatted=args.until == "format")
        print(f"{sync['id']}: {len(bad)} faults, {done.seconds:.1f} s, {done.report['seconds']}")
        print("".join(f"  {line}\n" for line in bad), end="")
        wrong += len(bad)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
