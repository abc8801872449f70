"""The evidence in words."""

from __future__ import annotations

from nightshift.triage.explain import explain, printable
from support.triage import FSDP_BUG, TIMEOUT, decided


def test_which_words_in_which_zone_weighed_how() -> None:
    text = explain(decided(FSDP_BUG))
    assert "module: fsdp (HIGH)" in text
    assert '+3.90  fsdp in title "fully_shard"' in text
    assert "reproduction: present (a snippet)" in text
    assert "high priority: no" in text


def test_a_criterion_shows_its_words() -> None:
    assert "high priority: hang" in explain(decided(TIMEOUT))


def test_foreign_words_do_nothing() -> None:
    assert printable("a\x1b[31m\nb") == "a�[31m�b"
    assert "::" not in printable("::error::x")
