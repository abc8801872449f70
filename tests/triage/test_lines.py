"""Single lines told apart by their shape."""

from __future__ import annotations

import pytest

from nightshift.policy.triage import Zone
from nightshift.triage.lines import undecorated, zone_of


@pytest.mark.parametrize(
    ("line", "zone"),
    [
        ('  File "/a/b.py", line 3, in f', Zone.FRAME),
        ("Traceback (most recent call last):", Zone.FRAME),
        ("frame #3: c10d::ProcessGroup::wait() + 0x12 (0x7f in libtorch.so)", Zone.FRAME),
        ("#7 0x00007fff in ncclCommAbort () from libnccl.so", Zone.FRAME),
        ("RuntimeError: bad", Zone.ERROR),
        ("torch.distributed.DistBackendError: NCCL error", Zone.ERROR),
        ("KeyError", Zone.ERROR),
        ("Fatal Python error: Segmentation fault", Zone.ERROR),
        ("terminate called after throwing an instance of 'x'", Zone.ERROR),
        ("a.cpp:3:1: fatal error: nccl.h: No such file", Zone.ERROR),
        ("[E1013 10:00:00.1 ProcessGroupNCCL.cpp:1] x", Zone.LOG),
        ("host1:123:456 [0] NCCL INFO Channel 00", Zone.LOG),
        ("WARNING: hm", Zone.LOG),
        ("$ ls", Zone.CODE),
        ("python -m torch.distributed.run a.py", Zone.COMMAND),
        ("CUDA_VISIBLE_DEVICES=0,1 python a.py", Zone.COMMAND),
        ("NCCL_DEBUG=INFO", Zone.COMMAND),
        ("model = FSDP(model)", Zone.CODE),
        ("raise ValueError('x')", Zone.CODE),
        ("except RuntimeError as e:", Zone.CODE),
        ("x = [rank for rank in ranks]", Zone.CODE),
    ],
)
def test_zone_of_a_line_of_code(line: str, zone: Zone) -> None:
    assert zone_of(line, Zone.CODE) is zone


@pytest.mark.parametrize(
    "line",
    [
        "With it set the tests give RuntimeError: no backend",
        "I run python with two processes",
        "Make sure that it works",
        "The error: it is odd",
    ],
)
def test_a_sentence_is_a_sentence(line: str) -> None:
    assert zone_of(line, Zone.PROSE) is Zone.PROSE


@pytest.mark.parametrize(
    ("line", "bare"),
    [
        ("[rank0]: x", " x"),
        ("rank 3: x", " x"),
        ("[0]:x", "x"),
        ("E   x", "   x"),
        ("Everything", "Everything"),
        ("ranks: 3", "ranks: 3"),
    ],
)
def test_undecorated(line: str, bare: str) -> None:
    assert undecorated(line) == bare
