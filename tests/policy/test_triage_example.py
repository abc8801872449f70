"""The worked policy of a project that is not PyTorch: the same engine, other words."""

from __future__ import annotations

import pytest

from nightshift.outcome import Outcome
from nightshift.triage.decide import decide
from nightshift.triage.values import Decision
from nightshift.values import Issue
from support.triage import NOW, harbour

# pylint: disable=keyword-arg-before-vararg  # a report, then its labels or comments, reads well


MARKER = "storage-triaged"
STEPS = "\n\n```\nharbour push a.tar\nharbour pull a\n```\n1. push\n2. pull\n"


def decided(title: str, body: str = "", *labels: str) -> Decision:
    issue = Issue(1, title, body, labels=("area: storage", *labels), author="r")
    return decide(issue, harbour(), NOW)


@pytest.mark.parametrize(
    ("title", "body", "labels"),
    [
        ("Cache: eviction fails", STEPS, ("team: client", "component: cache", MARKER)),
        ("Upload does not resume", STEPS, ("team: client", "component: upload", MARKER)),
        (
            "Upload fails with HTTP status code 500",
            STEPS,
            ("team: client", "component: upload", MARKER),
        ),
        ("HTTP/2: Content-Length is wrong", STEPS, ("team: protocol", MARKER)),
        ("fsync is not called for replicas", STEPS, ("team: durability", MARKER)),
        ("Blobs lost after a restart", STEPS, ("team: durability", "needs human")),
        ("Cache: panic on start", STEPS, ("team: client", "component: cache", "needs human")),
        (
            "Add a cache per project",
            "",
            ("team: client", "component: cache", "kind/feature", MARKER),
        ),
        (
            "Improve the cache",
            "It is slow.",
            ("team: client", "component: cache", "kind/enhancement", "kind/performance", MARKER),
        ),
        ("Storage is odd", STEPS, ("team: client", "needs human", MARKER)),
        ("The logo on the website is blurred", "", ("needs human", MARKER)),
    ],
)
def test_labels(title: str, body: str, labels: tuple[str, ...]) -> None:
    assert decided(title, body).add_labels == labels


def test_comments() -> None:
    assert decided("The logo on the website is blurred").comment == "not_storage"
    assert decided("Cache: eviction fails").comment == "needs_steps"
    assert decided("Cache: eviction fails", STEPS).comment is None


def test_it_knows_nothing_of_pytorch() -> None:
    decision = decided("FSDP hangs with NCCL timeout", "DistributedDataParallel, torchrun")
    assert decision.outcome is Outcome.OUT_OF_SCOPE
    assert all("module" not in label and "oncall" not in label for label in harbour().allowed)


def test_already_triaged_and_held() -> None:
    assert decided("x", "", "team: client", "component: cache").add_labels == (MARKER,)
    assert decided("Cache: eviction fails", "", "do-not-triage").outcome is Outcome.SKIPPED
