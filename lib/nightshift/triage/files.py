"""The labels file and the templates file of a target repository, laid over a policy.

A repository that keeps such JSON files keeps one copy: they narrow the policy's allow-list and
give its two templates their words. They can add nothing to what a policy allows.
"""

from __future__ import annotations

import json
from typing import Any

from nightshift.errors import UserError
from nightshift.policy.triage import Template, TriagePolicy

MEND_LABELS = 'The file reads {"labels": [{"name": …, "description": …}]}.'
MEND_TEMPLATES = 'The file reads {"templates": {name: {"comment": …, "use_when": …}}}.'
MEND_MISSING = "Add it there, or take it out of the policy."


def narrowed(policy: TriagePolicy, data: bytes, *, name: str) -> TriagePolicy:
    """The policy without the module and type labels that a labels file does not name.

    :raises UserError: the file cannot be read, or lacks a label that no step can do without.
    """
    try:
        allowed = {str(item["name"]).lower() for item in json.loads(data)["labels"]}
    except (ValueError, KeyError, TypeError) as error:
        raise UserError("this is no labels file.", where=name, mend=MEND_LABELS) from error
    own = policy.labels
    needed = [team.label for team in policy.teams]
    needed += [own.marker, own.review, own.reproduction, own.feature, own.enhancement]
    for label in needed:
        if label.lower() not in allowed:
            raise UserError(f"the label {label!r} is not in it.", where=name, mend=MEND_MISSING)
    modules = tuple(module for module in policy.modules if module.label.lower() in allowed)
    speed = own.performance if own.performance and own.performance.lower() in allowed else None
    labels = own.model_copy(update={"performance": speed})
    return policy.model_copy(update={"modules": modules, "labels": labels})


def reworded(policy: TriagePolicy, data: bytes, *, name: str) -> TriagePolicy:
    """The policy with the words of a templates file.

    :raises UserError: the file cannot be read, or lacks one of the two templates.
    """
    try:
        words = json.loads(data)["templates"]
        templates = policy.templates.model_copy(
            update={
                "out_of_scope": _template(policy.templates.out_of_scope, words),
                "reproduction": _template(policy.templates.reproduction, words),
            }
        )
    except (ValueError, KeyError, TypeError) as error:
        raise UserError("this is no templates file.", where=name, mend=MEND_TEMPLATES) from error
    return policy.model_copy(update={"templates": templates})


def _template(template: Template, words: Any) -> Template:
    comment = words[template.name]["comment"]
    return Template(name=template.name, comment=comment, likeness=template.likeness)
