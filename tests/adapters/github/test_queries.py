"""Every GraphQL text of ours is one that the sandbox's subset of GitHub's schema takes."""

from __future__ import annotations

import pytest
from graphql import parse, validate

from nightshift.adapters.github import queries
from nightshift.sandbox.graphql.execute import schema

TEXTS = {
    name: text
    for name, text in vars(queries).items()
    if name.isupper() and isinstance(text, str) and not name.startswith("_")
}


def test_there_are_texts() -> None:
    assert {"BACKLOG", "ISSUE", "MORE_COMMENTS", "ROLLUP", "MARK_READY"} <= set(TEXTS)


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_a_text_is_valid(name: str) -> None:
    assert not validate(schema(), parse(TEXTS[name]))
