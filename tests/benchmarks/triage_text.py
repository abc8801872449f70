"""How long one issue of 65,536 hard characters takes to decide, and whether twice the text takes
twice as long.

A benchmark, not a test: run it by hand, `python tests/benchmarks/triage_text.py`. Exit code 1
where an issue takes longer than LIMIT seconds, or where doubling its text more than doubles the
time (with some room for noise).
"""

from __future__ import annotations

import random
import sys
from datetime import UTC, datetime
from time import process_time

from nightshift.policy import load
from nightshift.policy.triage import TriagePolicy
from nightshift.triage.decide import decide
from nightshift.values import Issue

FULL = 65_536
LIMIT = 0.2
ROOM = 2.5
"""Twice the text may take so many times as long; what is over two is the clock's noise on short
times."""

RUNS = 3
TOO_SHORT = 0.01
"""Below so many seconds a ratio says nothing."""

SEEDS = {
    "backticks": "`",
    "20,000 backticks, then words": "`" * 20_000 + "FSDP hangs. ",
    "fences": "```\n",
    "fences of two kinds": "~~~\n```\n",
    "open fence": "```python\nmodel(x)\n### Versions\n",
    "one line": "x",
    "one line of words": "FSDP hangs with NCCL but not without DDP ",
    "html comment": "<!-- a ",
    "html comments": "<!-- a --> b\n\n",
    "quotes": "> ",
    "quoted lines": "> a\n",
    "list items": "* a\n",
    "blank list items": "- a\n\n",
    "nested": "  - a\n    - b\n",
    "headings": "# a\n",
    "setext": "a\n===\n",
    "paragraph": "a\n",
    "brackets": "[",
    "links": "[a](b) ",
    "angles": "<",
    "tags": "<div>\n",
    "emoji": "😀",
    "crlf": "a b c\r\n",
    "spaces": " ",
    "tabs": "\t",
    "line ends": "\n",
    "frames": '  File "/x/torch/distributed/a.py", line 1, in f\n    f(x)\n',
    "errors": "RuntimeError: NCCL error\n",
    "errors in one line": "RuntimeError: NCCL error ",
    "logs": "[rank0]:[E1013 10:00:00.1 ProcessGroupNCCL.cpp:616] watchdog\n",
    "numbers": "2.1.0 ",
    "words before a version": "works fine in the ",
    "underscores": "test_ddp_",
    "capital prefix": "A" * 60 + "=",
    "dots": "a.",
    "json": '{"a": [1, 2, {"b": null}], "c": "torch.distributed"}, ',
}


def noise(size: int) -> str:
    """Printable noise that is the same each time."""
    dice = random.Random(7)
    return "".join(dice.choice("ab `*_[]<>#-|\n\r\t.:=/\\{}()\"'😀é") for _ in range(size))


def seconds(text: str, policy: TriagePolicy) -> float:
    """CPU seconds of the best of a few runs over an issue with a text."""
    issue = Issue(1, "FSDP: a title", text, labels=(policy.labels.scope,))
    best = float("inf")
    for _ in range(RUNS):
        start = process_time()
        decide(issue, policy, datetime.now(UTC))
        best = min(best, process_time() - start)
    return best


def main() -> int:
    """Print a line for each kind of text."""
    policy = load.require(load.preset("pytorch-distributed"), TriagePolicy, name="preset")
    seconds("warm", policy)
    texts = {name: (seed * FULL)[:FULL] for name, seed in SEEDS.items()} | {"noise": noise(FULL)}
    worst, bad = 0.0, 0
    for name, text in texts.items():
        half, whole = seconds(text[: FULL // 2], policy), seconds(text, policy)
        ratio = whole / half if half else 1.0
        slow = whole > LIMIT or (ratio > ROOM and whole > TOO_SHORT)
        bad += slow
        worst = max(worst, whole)
        print(f"{name:30}{half:9.3f} s{whole:9.3f} s   x{ratio:4.1f}{'   SLOW' if slow else ''}")
    print(f"worst {worst:.3f} s, {bad} too slow")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
