"""What a run may write at all, as a value made by the mode. Pure.

The guard is the last fence: whatever an issue, a log or a rule of ours led to, an effect outside
of it is a defect, and then nothing of the whole list is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import re2

from nightshift.effects.values import (
    AddLabels,
    ClosePullRequest,
    EditPullRequest,
    Effect,
    MarkReady,
    OpenPullRequest,
    PostComment,
    PushCommit,
    PushFix,
    describe,
)
from nightshift.errors import Defect

BODY_CHARACTERS = 65_536
"""The longest body of a comment or pull request that GitHub takes."""

NOT_ALLOWED = "an effect is outside of what this run may write: {effects}."
MEND = "Nothing was written. Please report this."

_Numbered = AddLabels | PostComment | EditPullRequest | ClosePullRequest | MarkReady


@dataclass(frozen=True, slots=True)
class Guard:
    """The effects that are allowed.

    :param kinds: the classes of effects.
    :param issues: the numbers of issues and pull requests that may be written to; None: all.
    :param labels: the labels that may be added, whatever their case; None: all.
    :param templates: the templates that comments may be made from.
    :param branches: the branches that may be pushed, and be the head of a pull request.
    :param branch_pattern: a google-re2 pattern of further ones, "" for none: a sync is gone on with
        on the branch of an earlier day.
    :param protected: branches that are never among them, whatever the pattern says.
    """

    kinds: frozenset[type[Effect]]
    issues: frozenset[int] | None = None
    labels: frozenset[str] | None = None
    templates: frozenset[str] = frozenset()
    branches: frozenset[str] = frozenset()
    branch_pattern: str = ""
    protected: frozenset[str] = frozenset()

    def check(self, effects: Sequence[Effect]) -> None:
        """Let a list of effects through.

        :raises Defect: one of them is not allowed.
        """
        bad = [f"{describe(effect)} ({why})" for effect in effects for why in self._against(effect)]
        if bad:
            raise Defect(NOT_ALLOWED.format(effects="; ".join(bad)), where="guard", mend=MEND)

    def _against(self, effect: Effect) -> Iterator[str]:
        """What speaks against an effect."""
        if type(effect) not in self.kinds:
            yield "kind"
        if isinstance(effect, _Numbered) and not self._has_number(effect.number):
            yield "number"
        if isinstance(effect, AddLabels) and not self._has_labels(effect.labels):
            yield "label"
        if isinstance(effect, PostComment):
            yield from self._against_comment(effect)
        branch = _branch(effect)
        if branch is not None and not self._has_branch(branch):
            yield "branch"
        if isinstance(effect, (PostComment, OpenPullRequest, EditPullRequest)):
            if len(effect.body) > BODY_CHARACTERS:
                yield "length"

    def _against_comment(self, effect: PostComment) -> Iterator[str]:
        if effect.template not in self.templates:
            yield "template"
        if effect.marker not in effect.body:
            yield "marker"

    def _has_number(self, number: int) -> bool:
        return number > 0 and (self.issues is None or number in self.issues)

    def _has_branch(self, branch: str) -> bool:
        if branch in self.protected:
            return False
        pattern = self.branch_pattern
        return branch in self.branches or (
            bool(pattern) and re2.fullmatch(pattern, branch) is not None
        )

    def _has_labels(self, labels: Sequence[str]) -> bool:
        if self.labels is None:
            return True
        allowed = {label.casefold() for label in self.labels}
        return all(label.casefold() in allowed for label in labels)


def _branch(effect: Effect) -> str | None:
    """The branch that an effect writes to or offers; None where it has none."""
    if isinstance(effect, (PushCommit, PushFix)):
        return effect.branch
    return effect.head if isinstance(effect, OpenPullRequest) else None
