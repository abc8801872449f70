"""Views of a sync of any size, for the tests of reports."""

from __future__ import annotations

from typing import Any

from markdown_it import MarkdownIt

from nightshift.merge.resolution import Confidence, Method, Resolution, Side
from nightshift.report.ledger import (
    AcceptedRow,
    CheckRow,
    ChecksView,
    FailureRow,
    FindingRow,
    MergeView,
    NotableRow,
    PullView,
    RestoredRow,
)
from nightshift.values import Commit
from support.clock import START

LINE = "Python lines: +12 / -3 across 2 files"


def resolution(number: int = 1, confidence: Confidence = Confidence.HIGH) -> Resolution:
    """A decision on some lines of a file."""
    return Resolution(
        f"pkg/file{number}.py",
        (number, number + 1),
        Method.LINEAGE,
        Side.TARGET,
        ("e" * 40,),
        confidence,
        f"symbol{number}",
    )


def finding(rule: str, disposition: str = "open", path: str = "pkg/a.py") -> FindingRow:
    """A finding of severity warn."""
    return FindingRow(rule, "warn", path, 3, "it is odd", disposition, ("e" * 40,))


def merge(size: int = 1, **more: Any) -> MergeView:
    """A merge with so many entries of everything."""
    numbers = range(size)
    given: dict[str, Any] = {
        "source_ref": "main",
        "target_ref": "dev",
        "source": "a" * 40,
        "target": "b" * 40,
        "commit": "c" * 40,
        "merge_bases": ("d" * 40,),
        "python_line": LINE,
        "commit_count": size,
        "commits": tuple(
            Commit("f" * 40, (), "", "Ada", START, f"subject {number}") for number in numbers
        ),
        "conflicts": tuple(f"pkg/file{number}.py" for number in numbers),
        "resolutions": tuple(resolution(number) for number in numbers),
        "findings": tuple(finding(f"rule-{number}") for number in numbers),
        "taken_from_source": tuple(f"taken/{number}.py" for number in numbers),
        "kept_from_target": tuple(f"kept/{number}.py" for number in numbers),
        "restored": tuple(
            RestoredRow(f"back/{number}.py", "it is imported", ("9" * 40,)) for number in numbers
        ),
        "formatted": tuple(f"formatted/{number}.py" for number in numbers),
        "notable": tuple(
            NotableRow("workflow", f".github/{number}.yml", "", "100644 abc") for number in numbers
        ),
        "steps_not_done": ("The API audit was not run.",),
        "git_messages": tuple(f"CONFLICT (content): {number}" for number in numbers),
        "remerge_diff": "diff --git a/x b/x\n" + "+line\n" * size * 20,
        "seconds": {"git": 0.5},
    }
    return MergeView(**{**given, **more})


PULL = PullView(7, "https://host.invalid/pull/7", "main2dev/x", "a" * 40, fix_rounds=2, people=1)
ACCEPTED = AcceptedRow(
    "unit", "https://host.invalid/job/1", 5, "https://host.invalid/pull/5", "https://host.invalid/9"
)
FAILURE = FailureRow(
    "lint", "https://host.invalid/job/2", "test", "a test fails", ("above", "FAILED")
)
CHECKS = ChecksView(
    "failed",
    failed=(CheckRow("lint", "FAILURE", "https://host.invalid/job/2"),),
    pending=(CheckRow("slow", "IN_PROGRESS"),),
    missing=("Gate",),
    passed=(CheckRow("docs", "SUCCESS", "https://host.invalid/job/3"),),
    exempt=(CheckRow("codecov", "FAILURE"),),
    accepted=(ACCEPTED,),
    failures=(FAILURE,),
)


def inert(text: str) -> None:
    """Nothing but our own links stands outside of code and fences."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    children = [child for token in tokens for child in token.children or []]
    for child in children:
        assert child.type not in ("image", "html_inline")
        if child.type == "link_open":
            assert str(child.attrs["href"]).startswith("https://host.invalid/")
    plain = "".join(child.content for child in children if child.type == "text")
    assert "@team" not in plain and "#1" not in plain


EVIL = "<!-- x --> </details> ``` @team #1 | [a](b) ![c](d) <b>\n# h"
"""Foreign text that would do harm if it were Markdown."""
