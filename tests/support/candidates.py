"""Candidates made from dicts of files, on real git, with the real formatters and a clock that
stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nightshift.adapters.git.objects import Tree
from nightshift.adapters.git.repository import GitRepository
from nightshift.adapters.tools.style import style_of
from nightshift.policy.sync import SyncPolicy
from nightshift.sync.candidate import Candidate
from nightshift.sync.findings import Finding
from nightshift.sync.prepare import Tools, Until, prepare
from support.repos import Content, Repo, diverged

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
TOOLS = Tools(style_of, lambda: 0.0)


def sync_policy(**keys: Any) -> SyncPolicy:
    """A sync policy with some keys; formatting is off unless it is asked for."""
    return SyncPolicy.model_validate({"mode": "sync", "format": {"scope": "off"}, **keys})


@dataclass(frozen=True, slots=True)
class Made:
    """A candidate with its tree."""

    candidate: Candidate
    tree: Mapping[str, bytes]
    modes: Mapping[str, str]

    def findings(self, rule: str) -> list[Finding]:
        """The findings of one rule."""
        return [item for item in self.candidate.findings if item.rule == rule]

    def notes(self, path: str) -> list[str]:
        """What the ledger says of a path: `method side`, each with its note."""
        return [
            f"{item.method} {item.side}: {item.note}".removesuffix(": ")
            for item in self.candidate.resolutions
            if item.path == path
        ]


def candidate_of(
    repo: Repo, policy: SyncPolicy, *, until: Until = Until.FORMAT, tools: Tools = TOOLS
) -> Made:
    """The candidate of merging main into dev."""
    with GitRepository.of_checkout(repo.path) as git:
        candidate = prepare(git, policy, "dev", "main", at=AT, tools=tools, until=until)
        assert candidate is not None
        view = git.tree(candidate.commit)
        return Made(candidate, _contents(view), {p: e.mode for p, e in view.entries().items()})


def _contents(view: Tree) -> dict[str, bytes]:
    return {path: view.read(path) or b"" for path in view.entries()}


def merged(
    path: Path,
    base: Mapping[str, Content],
    target: Mapping[str, Content],
    source: Mapping[str, Content],
    policy: SyncPolicy | None = None,
) -> Made:
    """The candidate of two branches that each went on from one commit."""
    repo = diverged(path / "repo", base, target, source)
    return candidate_of(repo, policy or sync_policy())
