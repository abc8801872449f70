"""The two comments, and whether one is there already."""

from __future__ import annotations

import pytest

from nightshift.triage.comments import is_posted, mark, render
from nightshift.values import Comment
from support.triage import issue, pytorch

ASK = pytorch().templates.reproduction
OUT = pytorch().templates.out_of_scope


def posted(body: str, author: str = "ann") -> bool:
    return is_posted(ASK, issue(comments=[Comment(body, author=author)]))


def test_a_comment_bears_its_mark() -> None:
    assert mark(ASK) in render(ASK)
    assert render(ASK).startswith("Thanks for the report.")


@pytest.mark.parametrize(
    "body",
    [
        render(ASK),
        "<!-- nightshift:triage:needs_distributed_reproduction -->",
        "Can you provide a minimal repro?",
        "We need a self-contained script to look into this.",
        ASK.comment.replace("torchrun", "python").replace("helps a lot", "is welcome").upper(),
    ],
)
def test_posted(body: str) -> None:
    assert posted(body)


@pytest.mark.parametrize(
    "body",
    ["", "I see the same.", "The script of the tutorial fails too.", render(OUT), "x " * 9000],
)
def test_not_posted(body: str) -> None:
    assert not posted(body)


def test_the_reporters_own_words_are_no_request() -> None:
    assert not posted("Here is a minimal repro", author="reporter")
    assert posted(render(ASK), author="reporter")


def test_the_two_are_not_alike() -> None:
    assert not is_posted(OUT, issue(comments=[Comment(render(ASK), author="ann")]))
