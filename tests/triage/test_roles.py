"""The role of a name in its sentence."""

from __future__ import annotations

import pytest

from nightshift.triage.roles import Role, role


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("FSDP fails", Role.NAMED),
        ("an error in FSDP", Role.NAMED),
        ("it works with DDP but not with FSDP", Role.NAMED),
        ("it fails without FSDP", Role.DENIED),
        ("we use DDP instead of FSDP", Role.DENIED),
        ("it works fine with FSDP", Role.DENIED),
        ("FSDP works fine", Role.DENIED),
        ("FSDP is not affected", Role.DENIED),
        ("a job that is not using FSDP", Role.DENIED),
        ("unlike `FSDP`, this one fails", Role.DENIED),
        ("It works without. FSDP does not", Role.NAMED),
        ("a hang with FSDP", Role.CONTEXT),
        ("an error when using `FSDP`", Role.CONTEXT),
    ],
)
def test_role(sentence: str, expected: Role) -> None:
    start = sentence.encode().index(b"FSDP")
    assert role(sentence.encode(), start, start + 4) is expected
