"""What counts as something to follow."""

from __future__ import annotations

import pytest

from nightshift.triage.judge import judge
from support.triage import BUG, WISH, issue, pytorch

# pylint: disable=keyword-arg-before-vararg  # a report, then its labels or comments, reads well


TRACE = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    f(x)\nKeyError: 1'


def have(body: str, title: str = "FSDP: KeyError", *comments: str) -> str:
    return judge(issue((title, BUG + body), comments=comments), pytorch()).reproduction.value


@pytest.mark.parametrize(
    "body",
    [
        "```python\nmodel = FSDP(net)\nmodel(x)\n```",
        "```\nimport torch\ntorch.zeros(3)\n```",
        "    model = FSDP(net)\n    model(x)",
        "Run\n```bash\ntorchrun --nproc-per-node=2 a.py\n```",
        "1. wrap the model\n2. call it",
        "It is a bug.\n\n### To Reproduce\n\n1. the model of the tutorial\n2. two ranks",
        "The script is at https://gist.github.com/x/1",
        "It fails. Script is in a gist.",
        "It fails.\n\nRepro: save on 2 ranks, load on 4.",
        "pytest test/distributed/test_x.py",
        "```python\nmodel = FSDP(net)\nmodel(x)",
    ],
    ids=[
        "snippet",
        "no language",
        "indented",
        "command",
        "list",
        "steps",
        "gist",
        "in a gist",
        "said",
        "a test",
        "open fence",
    ],
)
def test_present(body: str) -> None:
    assert have(body) == "present"


@pytest.mark.parametrize(
    "body",
    [
        "",
        "It does not work.",
        f"```\n{TRACE}\n```",
        TRACE,
        "```cpp\nif (x) { f(x); }\ny = f(x);\n```",
        "```\n 224917 function calls in 3.474 seconds\n```",
        "It has two faults:\n1. contiguity is not checked\n2. the rank is the wrong one",
        "- [ ] I have given a script",
        "<!-- ```python\nmodel(x)\n``` -->",
    ],
    ids=["empty", "words", "trace", "bare trace", "source", "output", "faults", "box", "hidden"],
)
def test_missing(body: str) -> None:
    assert have(body) == "missing"


def test_a_later_comment_may_bring_it() -> None:
    assert have("", "FSDP: KeyError", "```python\nm = FSDP(net)\nm(x)\n```") == "present"


def test_a_request_needs_none() -> None:
    judged = judge(issue(("FSDP: support x", WISH + "please")), pytorch())
    assert judged.reproduction.value == "not needed"
