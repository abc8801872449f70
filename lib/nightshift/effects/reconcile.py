"""Wanted minus actual: what of an effect is still to be done, given how things stand. Pure.

Names of labels are compared whole and without regard to case, as GitHub does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from nightshift.effects.values import AddLabels, Effect, PostComment
from nightshift.values import Comment, PullRequest

LABELS_PER_ISSUE = 100
"""What GitHub allows."""


def labels_to_add(wanted: Iterable[str], present: Iterable[str]) -> tuple[str, ...]:
    """The wanted labels that are not there yet, each once, in order."""
    there = {name.casefold() for name in present}
    missing: list[str] = []
    for name in wanted:
        if name.casefold() not in there:
            there.add(name.casefold())
            missing.append(name)
    return tuple(missing)


def room_for(new: Sequence[str], present: Sequence[str]) -> bool:
    """Whether an issue can carry more labels."""
    return len(present) + len(new) <= LABELS_PER_ISSUE


def unknown_labels(effects: Iterable[Effect], known: Collection[str]) -> tuple[str, ...]:
    """The labels that must exist and do not, of all effects; optional ones are not among them."""
    wanted = [
        name
        for effect in effects
        if isinstance(effect, AddLabels) and not effect.optional
        for name in effect.labels
    ]
    return labels_to_add(wanted, known)


def posted(
    effect: PostComment, comments: Iterable[Comment], before: Collection[int] | None = None
) -> Comment | None:
    """The comment that an effect wants, if it is there: by its marker.

    :param before: the ids of the comments that were there before a first attempt to post one
        without a marker: a later one with the same words is it. None where there was no attempt.
    """
    if effect.marker:
        return next((one for one in comments if effect.marker in one.body), None)
    if before is None:
        return None
    body = _plain(effect.body)
    return next(
        (one for one in comments if one.id not in before and _plain(one.body) == body), None
    )


def open_pull(head: str, base: str, pulls: Iterable[PullRequest]) -> PullRequest | None:
    """The open pull request between two branches of the repository; one of a fork is never it."""
    return next(
        (
            pull
            for pull in pulls
            if pull.open and not pull.from_fork and (pull.head_ref, pull.base_ref) == (head, base)
        ),
        None,
    )


def same_body(one: str, other: str) -> bool:
    """Whether two bodies are the same to GitHub, which keeps line ends as it likes."""
    return _plain(one) == _plain(other)


def _plain(body: str) -> str:
    return body.replace("\r\n", "\n").strip()
