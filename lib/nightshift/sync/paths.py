"""Policy on paths: which list a path is on. The first list that matches decides.

Knows patterns only: no tree, no content. What a list means for a merge is in `by_policy`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from nightshift.policy.globs import matches
from nightshift.policy.sync import AppendRule, FileLesson, PathRules


class Rule(StrEnum):
    """The lists of a policy, in the order in which they are asked (policy/sync.py, PathRules)."""

    NEVER_TOUCH = "never-touch"
    ALWAYS_TARGET = "always-target"
    ALWAYS_SOURCE = "always-source"
    APPEND = "append"
    WHOLE_TARGET = "whole-target"
    WHOLE_SOURCE = "whole-source"


GUARDED = frozenset({Rule.NEVER_TOUCH, Rule.ALWAYS_TARGET})
"""The lists whose files come out byte for byte as the target has them."""


class PathPolicy:
    """The lists of one policy, ready to be asked about many paths."""

    def __init__(self, rules: PathRules) -> None:
        self._lists: tuple[tuple[Rule, Sequence[str]], ...] = (
            (Rule.NEVER_TOUCH, rules.never_touch),
            (Rule.ALWAYS_TARGET, rules.always_target),
            (Rule.ALWAYS_SOURCE, rules.always_source),
            (Rule.APPEND, tuple(f"/{rule.path}" for rule in rules.append)),
            (Rule.WHOLE_TARGET, rules.whole_target),
            (Rule.WHOLE_SOURCE, rules.whole_source),
        )
        self._append = {rule.path: rule for rule in rules.append}
        self.lessons: tuple[FileLesson, ...] = rules.lessons

    def rule(self, path: str) -> Rule | None:
        """The list that a path is on, None where it is on none."""
        for rule, patterns in self._lists:
            if any(matches(pattern, path) for pattern in patterns):
                return rule
        return None

    def guarded(self, path: str) -> bool:
        """Whether a path must come out as the target has it."""
        return self.rule(path) in GUARDED

    def append_rule(self, path: str) -> AppendRule:
        """What is appended to a path on the list `append`."""
        return self._append[path]
