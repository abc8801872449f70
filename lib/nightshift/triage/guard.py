"""What a triage run may write at all: labels of the allow-list, two templates, the issue asked
about."""

from __future__ import annotations

from nightshift.effects.guard import Guard
from nightshift.effects.values import AddLabels, PostComment
from nightshift.inputs import TriageInputs
from nightshift.policy.triage import TriagePolicy


def triage_guard(policy: TriagePolicy, inputs: TriageInputs) -> Guard:
    """The fence of a run, made of policy and inputs alone: no issue's text has a part in it.

    A sweep may write to any issue; that it keeps to those of its backlog is the mode's own law.
    """
    event = inputs.event.number if inputs.event else None
    number = inputs.issue_number or event
    issues = None if inputs.sweep or number is None else frozenset({number})
    templates = {policy.templates.out_of_scope.name, policy.templates.reproduction.name}
    return Guard(
        kinds=frozenset({AddLabels, PostComment}),
        issues=issues,
        labels=frozenset(policy.allowed),
        templates=frozenset(templates),
    )
