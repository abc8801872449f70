"""Only plain addresses of the web are links."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightshift.report.links import link


def test_a_plain_address_is_a_link() -> None:
    assert link("unit (3.11)", "https://ci.example/a?b=c#d") == (
        "[unit (3.11)](<https://ci.example/a?b=c#d>)"
    )


@pytest.mark.parametrize(
    "url",
    [
        "",
        "javascript:alert(1)",
        "https://a b",
        "https://a>b",
        "https://a\nb",
        "//a",
        "data:x",
        "https://" + "a" * 3000,
    ],
)
def test_anything_else_is_text(url: str) -> None:
    assert link("unit", url) == "unit"


@given(st.text(max_size=40), st.text(max_size=40))
def test_neither_text_nor_address_can_break_out(text: str, rest: str) -> None:
    made = link(text, f"https://{rest}")
    assert "\n" not in made
    assert made.count("](<") <= 1
