"""Issues, policies and readers for the tests of triage. All texts are made up here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from nightshift.errors import UserError
from nightshift.policy import load
from nightshift.policy.triage import TriagePolicy
from nightshift.triage.decide import decide
from nightshift.triage.values import Decision
from nightshift.values import Comment, Issue

# pylint: disable=keyword-arg-before-vararg  # a report, then its labels or comments, reads well


ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "policies"
NOW = datetime(2026, 3, 2, 4, 5, 6, tzinfo=UTC)
SCOPE = "oncall: distributed"
MARKER, REVIEW, REPRO = "ptd-bot-triaged", "triage review", "needs reproduction"
PARALLELISMS = "oncall: distributed parallelisms"
INFRA = "oncall: distributed infra"
CHECKPOINTING = "oncall: distributed checkpointing"

SNIPPET = "```python\nimport torch\nmodel = wrap(net)\nmodel(x).sum().backward()\n```\n"
BUG = "### 🐛 Describe the bug\n\n"
WISH = "### 🚀 The feature, motivation and pitch\n\n"

# One report for each kind of answer that the steps tell apart.
FSDP_BUG = ("fully_shard: KeyError in the second forward", BUG + "fully_shard raises.\n" + SNIPPET)
FSDP_VAGUE = ("FSDP: KeyError in the second forward", BUG + "fully_shard raises a KeyError.")
INFRA_BUG = ("TCPStore: wait ignores its timeout", BUG + "TCPStore.wait blocks.\n" + SNIPPET)
DCP_BUG = ("dcp.load ignores strict=False", BUG + "torch.distributed.checkpoint\n" + SNIPPET)
TIMEOUT = ("NCCL timeout in all_gather", BUG + "Watchdog caught collective operation timeout")
UNCLEAR = ("Distributed training is odd", "It is distributed, on 8 ranks, and odd.")
OUT = ("CUDA out of memory on my laptop", "CUDA out of memory with batch size 4.")


@lru_cache
def pytorch() -> TriagePolicy:
    """The built-in preset."""
    policy = load.preset("pytorch-distributed")
    assert isinstance(policy, TriagePolicy)
    return policy


@lru_cache
def harbour() -> TriagePolicy:
    """The worked example of a project that is not PyTorch."""
    path = EXAMPLES / "harbour.yaml"
    policy = load.parse(path.read_text(encoding="utf-8"), name=path.name)
    assert isinstance(policy, TriagePolicy)
    return policy


def switched(policy: TriagePolicy, **switches: object) -> TriagePolicy:
    """A policy with other switches."""
    return policy.model_copy(update={"switches": policy.switches.model_copy(update=switches)})


def issue(
    report: tuple[str, str] = FSDP_BUG,
    *labels: str,
    number: int = 7,
    comments: Sequence[Comment | str] = (),
    **more: Any,
) -> Issue:
    """An open issue with the scope label, and more labels."""
    return Issue(
        number=number,
        title=report[0],
        body=report[1],
        labels=(SCOPE, *labels),
        comments=tuple(Comment(c) if isinstance(c, str) else c for c in comments),
        author="reporter",
        **more,
    )


def decided(
    report: tuple[str, str] = FSDP_BUG,
    *labels: str,
    policy: TriagePolicy | None = None,
    force: bool = False,
    finish: bool = False,
    **more: Any,
) -> Decision:
    """The decision on an issue."""
    found = issue(report, *labels, **more)
    return decide(found, policy or pytorch(), NOW, force=force, finish=finish)


@dataclass
class FakeReader:
    """`ports.IssueReader` over issues in memory."""

    issues: list[Issue] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)

    def issue(self, number: int) -> Issue:
        self.calls.append(f"issue {number}")
        for found in self.issues:
            if found.number == number:
                return found
        raise UserError("it does not exist.", where=f"issue #{number}")

    def backlog(self, label: str) -> Iterator[Issue]:
        self.calls.append(f"backlog {label}")
        yield from self.issues

    def label_names(self) -> frozenset[str]:
        self.calls.append("labels")
        return frozenset(pytorch().allowed)

    def file_at(self, path: str, ref: str) -> bytes:
        self.calls.append(f"file {path}@{ref}")
        if path not in self.files:
            raise UserError("no such file.", where=path)
        return self.files[path]
