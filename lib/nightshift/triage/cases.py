"""Issues and decisions as JSON: the form that `nightshift decide` reads and writes.

The form is a contract that checks rely on; keys are only ever added to it. Tolerant of what an
export leaves out, strict about what it gets wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from nightshift.errors import UserError
from nightshift.policy.triage import TriagePolicy
from nightshift.triage.values import Decision, Judgement, Verdict
from nightshift.triage.weigh import Evidence
from nightshift.values import Comment, Issue

MEND = "Each line is an object with number, title, body, comments, labels_now."


def issues(text: str, *, name: str) -> Iterator[tuple[Issue, Mapping[str, Any]]]:
    """Each issue of a JSON-lines text, with the object that it was read from.

    :raises UserError: a line that is no issue, with its number.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
            yield issue_of(case), case
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UserError(
                "this line is no issue.", where=f"{name}:{number}", mend=MEND
            ) from error


def issue_of(case: Mapping[str, Any]) -> Issue:
    """An issue from its object. Null counts as empty.

    :raises KeyError, TypeError, ValueError: it has no number, or a value of the wrong kind.
    """
    return Issue(
        number=int(case["number"]),
        title=_text(case.get("title")),
        body=_text(case.get("body")),
        comments=tuple(_comment(item) for item in case.get("comments") or ()),
        labels=tuple(_text(label) for label in case.get("labels_now") or ()),
        author=_text(case.get("author")),
    )


def _comment(item: Any) -> Comment:
    if isinstance(item, Mapping):
        author = _text(item.get("author"))
        return Comment(
            _text(item.get("body")), author, _text(item.get("role")), author.endswith("[bot]")
        )
    return Comment(_text(item))


def _text(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError("a text was expected")
    return value


def decision_object(decision: Decision, policy: TriagePolicy) -> dict[str, Any]:
    """A decision as its JSON object. `judged` is there on every route."""
    return {
        "number": decision.number,
        "outcome": decision.outcome.value,
        "add_labels": list(decision.add_labels),
        "comment": decision.comment,
        "judged": judgement_object(decision.judgement, policy),
        "reasons": list(decision.reasons),
    }


def judgement_object(judged: Judgement, policy: TriagePolicy) -> dict[str, Any]:
    """A judgement as its JSON object; criteria by their text in the policy."""
    texts = {criterion.name: criterion.text for criterion in policy.criteria}
    return {
        "in_scope": judged.in_scope,
        "scope_confidence": judged.scope.value,
        "sub_oncall": judged.team.label if judged.in_scope else None,
        "sub_oncall_confidence": judged.team.confidence.value,
        "modules": [_module(verdict) for verdict in judged.modules],
        "type": judged.kind.value,
        "high_priority": judged.high_priority,
        "criteria": [texts.get(verdict.label, verdict.label) for verdict in judged.criteria],
        "reproduction": judged.reproduction.value,
    }


def _module(verdict: Verdict) -> dict[str, Any]:
    return {
        "label": verdict.label,
        "confidence": verdict.confidence.value,
        "evidence": [said(item) for item in verdict.evidence],
    }


def said(item: Evidence) -> str:
    """A piece of evidence in one line: source, place, weight, the words found (foreign text)."""
    words = f": {item.excerpt}" if item.excerpt else ""
    return f"{item.weight:+.1f} {item.source} ({item.where}){words}"
