"""Decisions against gold labels: how often each answer was right, and where it was not.

Pure. The gold of a case is `{"distributed": bool, "sub_oncall": label, "modules": [...], "type": …,
"high_priority": bool, "needs_reproduction": bool}`; an answer that gold leaves out or null is not
counted. Modules that `literal_modules` names are neither wanted nor wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from nightshift.triage.values import Confidence, Judgement, Kind, Reproduction

SCOPE, TEAM, MODULE, TYPE = "in scope", "team", "module", "type"
NO_TEAM = "out of scope"
PRIORITY, REPRODUCTION = "high priority", "needs reproduction"


@dataclass(slots=True)
class Count:
    """How often an answer was given and right."""

    hits: int = 0
    wrong: int = 0
    missed: int = 0

    @property
    def precision(self) -> float | None:
        """The part of the given answers that is right; None where none was given."""
        given = self.hits + self.wrong
        return self.hits / given if given else None

    @property
    def recall(self) -> float | None:
        """The part of the wanted answers that was given; None where none was wanted."""
        wanted = self.hits + self.missed
        return self.hits / wanted if wanted else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both; None where neither was given nor wanted anything."""
        total = 2 * self.hits + self.wrong + self.missed
        return 2 * self.hits / total if total else None


@dataclass(frozen=True, slots=True)
class Miss:
    """An answer that differs from gold."""

    number: int
    question: str
    wanted: tuple[str, ...]
    given: tuple[str, ...]


@dataclass(slots=True)
class Tally:
    """The result of a backtest.

    :param counts: (question, answer) -> how often.
    :param teams: (wanted team, given team) -> how often: the confusion table.
    """

    cases: int = 0
    counts: dict[tuple[str, str], Count] = field(default_factory=dict)
    teams: Counter[tuple[str, str]] = field(default_factory=Counter)
    misses: list[Miss] = field(default_factory=list)

    def total(self, question: str) -> Count:
        """A question's counts over all answers."""
        parts = [count for (asked, _), count in self.counts.items() if asked == question]
        return Count(
            *(sum(getattr(p, name) for p in parts) for name in ("hits", "wrong", "missed"))
        )


def compare(cases: Iterable[tuple[int, Judgement, Mapping[str, Any]]]) -> Tally:
    """Compare judgements with the cases that they were made of.

    :param cases: issue number, its judgement, and the case's object with `gold`.
    """
    tally = Tally()
    for number, judged, case in cases:
        tally.cases += 1
        for question, wanted, given, also in _questions(judged, case):
            _count(tally, number, question, wanted, given - (also - wanted))
    return tally


def _questions(
    judged: Judgement, case: Mapping[str, Any]
) -> Iterator[tuple[str, set[str], set[str], set[str]]]:
    """(question, wanted answers, given answers, answers that are neither wanted nor wrong)."""
    gold = case.get("gold") or {}
    nothing: set[str] = set()
    if gold.get("distributed") is not None and case.get("body_basis") != "title":
        yield SCOPE, _flag(gold["distributed"]), _flag(judged.in_scope), nothing
    if gold.get("distributed") is False:
        return
    if gold.get("sub_oncall"):
        yield TEAM, {gold["sub_oncall"]}, {judged.team.label} if judged.in_scope else set(), nothing
    if gold.get("modules"):
        also = {label.lower() for label in case.get("literal_modules") or ()}
        yield MODULE, {label.lower() for label in gold["modules"]}, _modules(judged), also
    if gold.get("type") in set(Kind):
        yield TYPE, {gold["type"]}, {judged.kind.value}, nothing
    if gold.get("high_priority") is not None:
        yield PRIORITY, _flag(gold["high_priority"]), _flag(judged.high_priority), nothing
    if gold.get("needs_reproduction") is not None:
        missing = judged.reproduction is Reproduction.MISSING
        yield REPRODUCTION, _flag(gold["needs_reproduction"]), _flag(missing), nothing


def _modules(judged: Judgement) -> set[str]:
    return {v.label.lower() for v in judged.modules if v.confidence is not Confidence.LOW}


def _flag(value: bool) -> set[str]:
    return {"yes"} if value else set()


def _count(tally: Tally, number: int, question: str, wanted: set[str], given: set[str]) -> None:
    for answer in wanted | given:
        count = tally.counts.setdefault((question, answer), Count())
        count.hits += answer in wanted and answer in given
        count.wrong += answer not in wanted
        count.missed += answer not in given
    if question == TEAM:
        tally.teams[min(wanted), min(given, default=NO_TEAM)] += 1
    if wanted != given:
        tally.misses.append(Miss(number, question, _sorted(wanted), _sorted(given)))


def _sorted(answers: set[str]) -> tuple[str, ...]:
    return tuple(sorted(answers))
