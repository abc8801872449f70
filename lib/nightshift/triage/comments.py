"""The two comments: how ours look, and whether one is on an issue already.

A comment is there already if it bears our hidden mark, if a policy's pattern of likeness finds it,
or if it shares most of its words with the template: older and reworded versions count, whoever
posted them.
"""

from __future__ import annotations

import re

from nightshift.policy.patterns import compiled
from nightshift.policy.triage import Template
from nightshift.values import Comment, Issue

MARK = "<!-- nightshift:triage:{name} -->"
ALIKE = 0.5
"""The part of a template's words that a comment must share, and of a comment's words that are the
template's, to be a version of it."""

MIN_WORDS = 8
_LOOK = 8_000
_WORD = re.compile(r"[a-z]{4,40}")


def mark(template: Template) -> str:
    """The hidden mark by which a posted template is known again."""
    return MARK.format(name=template.name)


def render(template: Template) -> str:
    """The comment as it is posted. No word of the issue is in it."""
    return f"{template.comment.strip()}\n\n{mark(template)}"


def is_posted(template: Template, issue: Issue) -> bool:
    """Whether a template, or its like, stands among an issue's comments."""
    hidden = mark(template)
    return any(
        hidden in comment.body or _is_like(template, comment, issue.author)
        for comment in issue.comments
    )


def _is_like(template: Template, comment: Comment, author: str) -> bool:
    if comment.author and comment.author == author:
        return False
    text = comment.body[:_LOOK]
    data = text.encode("utf-8", "replace")
    if any(compiled(pattern).search(data) for pattern in template.likeness):
        return True
    return _shared(_words(template.comment), _words(text))


def _shared(ours: set[str], theirs: set[str]) -> bool:
    if len(ours) < MIN_WORDS or len(theirs) < MIN_WORDS:
        return False
    both = len(ours & theirs)
    return both >= ALIKE * len(ours) and both >= ALIKE * len(theirs)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text[:_LOOK].lower()))
