"""What mends the failures of a head: by rules where that is certain, else by the policy's command.
Both are held against the invariants.

What it keeps between rounds cannot change: what mends certain failures of a commit, and what a
commit's tree breaks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nightshift.policy.sync import SyncPolicy
from nightshift.ports import Commands, Formatter, Git, TreeView
from nightshift.sync import fix_command, invariants
from nightshift.sync.audits.index.tree import FactsCache
from nightshift.sync.diagnose import first_causes
from nightshift.sync.facts import FailedCheck, OurPull
from nightshift.sync.findings import Finding
from nightshift.sync.fixes.cause import Failure, Overlay, Trees
from nightshift.sync.marker import Marker
from nightshift.sync.paths import PathPolicy
from nightshift.sync.repair import Repair, plan


class Mender:
    """The repairs of one sync.

    :param commands: what runs the policy's command; None: it is not run.
    """

    def __init__(
        self,
        git: Git,
        policy: SyncPolicy,
        formatter: Formatter,
        commands: Commands | None = None,
    ) -> None:
        self._git, self._policy = git, policy
        self._formatter, self._commands = formatter, commands
        self._paths = PathPolicy(policy.paths)
        self._facts = FactsCache()
        self._repairs: dict[tuple[str, tuple[Failure, ...]], Repair] = {}
        self._commanded: dict[tuple[str, bytes], Repair] = {}
        self._broken: dict[str, tuple[Finding, ...]] = {}

    def by_rules(self, pull: OurPull, failed: Sequence[FailedCheck]) -> Repair:
        """What mends the first causes of all failed checks, each cause once: many checks may fail
        by the same."""
        causes = [
            failure
            for check in failed
            if not check.transient
            for failure in first_causes(check.failures)
        ]
        key = (pull.head, tuple(dict.fromkeys(causes)))
        if key not in self._repairs:
            trees = self._trees(pull)
            self._repairs[key] = self._held(plan(key[1], trees, self._formatter), trees)
        return self._repairs[key]

    def by_command(self, pull: OurPull, failed: Sequence[FailedCheck]) -> Repair | None:
        """What the policy's command makes of failures that no rule can mend; None where there is no
        command, or nothing that it should look at."""
        command = self._policy.ci.fix_command
        ours = [check for check in failed if not check.gate]
        if command is None or self._commands is None or not ours:
            return None
        if all(check.transient for check in ours):
            return None
        told = fix_command.told(pull, ours)
        key = (pull.head, told)
        if key not in self._commanded:
            trees = self._trees(pull)
            done = fix_command.run(self._commands, command, trees, told)
            self._commanded[key] = self._held(done, trees)
        return self._commanded[key]

    def is_head(self, pull: OurPull) -> bool:
        """Whether the branch is where GitHub's API shows it, which may lag behind a push."""
        return self._git.remote_head(pull.pull.head_ref) == pull.head

    def broken(self, pull: OurPull) -> tuple[Finding, ...]:
        """The invariants that the head breaks."""
        if pull.head not in self._broken:
            self._broken[pull.head] = self._check(self._trees(pull))
        return self._broken[pull.head]

    def _held(self, repair: Repair, trees: Trees) -> Repair:
        """A repair held against the invariants."""
        if not repair.changes:
            return repair
        data = {change.path: change.data for change in repair.changes}
        mended = replace(trees, merged=Overlay(trees.merged, data))
        return replace(repair, broken=self._check(mended))

    def _trees(self, pull: OurPull) -> Trees:
        return Trees(
            self._git.tree(pull.head),
            self._git.tree(pull.marker.target_sha),
            self._git.tree(pull.marker.source_sha),
            stubs=self._policy.lint.missing_docstring == "stub",
            base=self._base(pull.marker),
            guarded=self._paths.guarded,
            cache=self._facts,
        )

    def _base(self, mark: Marker) -> TreeView | None:
        """The tree from which the sides parted; None where they parted more than once."""
        bases = self._git.merge_bases(mark.target_sha, mark.source_sha)
        return self._git.tree(bases[0]) if len(bases) == 1 else None

    def _check(self, trees: Trees) -> tuple[Finding, ...]:
        sources = self._policy.sources
        return invariants.check(
            self._paths,
            self._policy.invariants,
            merged=trees.merged,
            target=trees.target,
            source=trees.source,
            allowed=(sources.file, sources.lock) if sources else (),
        )
