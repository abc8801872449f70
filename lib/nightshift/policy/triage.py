"""The policy of triage mode: labels, teams, modules, the rubric's signals, templates, switches.

Data only. A signal is a set of patterns and what finding one of them says; a rule is what signals
say together. What is said is said of a *target*: a team's label, a module's label, a criterion, or
one of the words in `VERDICTS`. The engine in `nightshift.triage` adds the weights up and explains
the sum.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from nightshift.policy.model import Model
from nightshift.policy.patterns import Pattern

Label = Annotated[str, Field(min_length=1, max_length=50)]
"""A label's name; the platform allows 50 characters."""

Weight = Annotated[float, Field(ge=-100, le=100)]

VERDICTS = frozenset(
    {
        "in-scope",
        "out-of-scope",
        "bug",
        "request",
        "feature",
        "enhancement",
        "speed",
        "reproduction",
        "none",
    }
)
"""Targets beside labels and criteria. `request` speaks for feature and enhancement alike; `none` is
for signals that only rules look at."""


class Zone(StrEnum):
    """The parts of an issue that are told apart. `label` is the names of the labels that it
    carries."""

    TITLE = "title"
    LEAD = "lead"
    PROSE = "prose"
    CODE = "code"
    COMMAND = "command"
    FRAME = "frame"
    CAUSE = "cause"
    ERROR = "error"
    LOG = "log"
    ENVIRONMENT = "environment"
    QUOTE = "quote"
    FURNITURE = "furniture"
    HIDDEN = "hidden"
    LABEL = "label"


ZONE_WEIGHTS: dict[Zone, float] = {
    Zone.TITLE: 3.0,
    Zone.LEAD: 1.5,
    Zone.PROSE: 1.0,
    Zone.CODE: 1.0,
    Zone.COMMAND: 0.8,
    Zone.FRAME: 0.4,
    Zone.CAUSE: 2.0,
    Zone.ERROR: 2.0,
    Zone.LOG: 0.7,
    Zone.ENVIRONMENT: 0.0,
    Zone.QUOTE: 0.3,
    Zone.FURNITURE: 0.0,
    Zone.HIDDEN: 0.0,
    Zone.LABEL: 0.0,
}


class Labels(Model):
    """The labels that steps add, beside those of teams and modules.

    :param scope: the label that makes an issue ours; never added, never removed.
    :param marker: says that the issue has been dealt with.
    :param review: asks people to look.
    """

    scope: Label
    marker: Label
    review: Label
    reproduction: Label
    feature: Label
    enhancement: Label
    performance: Label | None = None


class Team(Model):
    """A team that takes issues over. The order in the policy is their precedence.

    :param stops: the team triages further by itself: modules, type and reproduction are left to it.
    """

    label: Label
    stops: bool = False


class Module(Model):
    """A module label and the team it belongs to.

    :param yields_to: modules beside which this one is only said where its own evidence is the
        subject (nearly every issue touches it).
    :param proves_scope: its signals alone make an issue one of the scope.
    """

    label: Label
    team: Label
    yields_to: tuple[Label, ...] = ()
    proves_scope: bool = True


class Criterion(Model):
    """A reason to call an issue high priority.

    :param of_requests: it may hold for a request too; the others are faults: a request has none.
    """

    name: str
    text: str
    of_requests: bool = False


class Signal(Model):
    """Patterns, and what finding one of them says of targets.

    :param zones: where it counts; empty: wherever the author's own words and traces stand.
        `prose` means its beginning, the lead, too.
    :param weights: factors for single zones, beside those of `scale`.
    :param plain: found words count even where the sentence denies them ("works without X").
    :param comments: factor for comments, beside those of `scale`: what maintainers find out.
    """

    name: str
    patterns: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    says: dict[str, Weight]
    zones: tuple[Zone, ...] = ()
    weights: dict[Zone, Weight] = {}
    plain: bool = False
    comments: Weight = 1.0


class Rule(Model):
    """What signals say together.

    :param when: all of these must be found; `name@zone` or `name@zone|zone` asks for it in a zone;
        `name/other` is met by either.
    :param unless: none of these may be found; written the same way.
    """

    name: str
    when: tuple[str, ...]
    unless: tuple[str, ...] = ()
    says: dict[str, Weight]


def _completed(zones: dict[Zone, float]) -> dict[Zone, float]:
    """A policy names the zones that it weighs otherwise; the rest keep their weight."""
    return {**ZONE_WEIGHTS, **zones}


class Scale(Model):
    """How much a zone and a voice weigh, and what a sum means.

    :param zones: factor for what is found in a zone.
    :param author_comment: factor for the reporter's own later comments.
    :param other_comment: factor for comments of other people.
    :param denied: factor for words that their sentence denies ("not with X").
    :param context: factor for what a title names beside its subject ("hangs with X").
    :param more: what each further signal of a target in the same zone adds, as a part of its
        weight.
    :param high: the sum from which a module is sure; `medium`: probable.
    :param share: a second module must reach this part of the first one's sum.
    :param alone: a module that no other comes near is probable from this part of `medium` on.
    :param scope: the sum that an issue must reach to be in scope.
    :param margin: teams or scope sums closer than this are in doubt.
    :param criterion: the sum from which a criterion holds.
    """

    zones: Annotated[dict[Zone, Weight], AfterValidator(_completed)] = ZONE_WEIGHTS
    author_comment: Weight = 0.6
    other_comment: Weight = 0.35
    denied: Weight = 0.2
    context: Weight = 0.6
    more: Weight = 0.25
    high: Weight = 5.0
    medium: Weight = 2.0
    share: Weight = 0.5
    alone: Weight = 1.0
    scope: Weight = 1.0
    margin: Weight = 0.5
    criterion: Weight = 2.0


class Reading(Model):
    """How an issue's text is taken apart.

    :param own_frames: paths of the project's own code: the last such frame of a trace is its cause.
    :param passed_frames: own paths that only pass a call on (wrappers, dispatchers).
    :param furniture: headings and lines that the issue form wrote, matched at the line's start.
    :param environment: lines that begin a dump of versions.
    :param environment_headings: headings of sections that hold such a dump.
    """

    own_frames: tuple[Pattern, ...] = ()
    passed_frames: tuple[Pattern, ...] = ()
    furniture: tuple[Pattern, ...] = ()
    environment: tuple[Pattern, ...] = ()
    environment_headings: tuple[Pattern, ...] = ()


class Template(Model):
    """A comment. `likeness` are patterns of older or other wordings that make ours superfluous."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,60}$")]
    comment: Annotated[str, Field(min_length=1, max_length=60000)]
    likeness: tuple[Pattern, ...] = ()


class Templates(Model):
    """The only two comments that triage can post."""

    out_of_scope: Template
    reproduction: Template


class Switches(Model):
    """What the rubric's source leaves open; the defaults are how it is settled here.

    :param doubt_asks_people: scope or route judged below MEDIUM adds the review label as well.
    :param priority_on_every_route: high priority is judged before a team's stop.
    :param priority_drops_only_marker: reproduction, modules and type still come.
    :param two_teams_stop: two team labels: none is added, people look.
    :param marked_is_left_alone: an issue that has the marker is left alone unless forced.
    :param respect_removals_days: a label that a person took off in so many days is not added again.
    """

    doubt_asks_people: bool = True
    priority_on_every_route: bool = True
    priority_drops_only_marker: bool = True
    two_teams_stop: bool = True
    marked_is_left_alone: bool = True
    respect_removals_days: Annotated[int, Field(ge=0, le=3650)] = 30


class Sweep(Model):
    """A run over the backlog.

    :param max_comments: so many issues of one sweep may get a comment; the others wait for the
        next one.
    """

    max_comments: Annotated[int, Field(ge=0, le=500)] = 20


class TriagePolicy(Model):
    """How the issues of one scope label are triaged."""

    mode: Literal["triage"]
    description: str = ""
    labels: Labels
    hold_label: Label | None = None
    teams: Annotated[tuple[Team, ...], Field(min_length=1)]
    default_team: Label
    modules: tuple[Module, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    templates: Templates
    labels_file: str | None = None
    templates_file: str | None = None
    bots: tuple[str, ...] = ()
    switches: Switches = Switches()
    sweep: Sweep = Sweep()
    reading: Reading = Reading()
    scale: Scale = Scale()
    signals: tuple[Signal, ...] = ()
    rules: tuple[Rule, ...] = ()

    @property
    def allowed(self) -> tuple[str, ...]:
        """Every label that a decision may add, in the order in which a decision adds them."""
        own = self.labels
        first = [team.label for team in self.teams] + [module.label for module in self.modules]
        types = [own.feature, own.enhancement] + ([own.performance] if own.performance else [])
        return tuple(first + types + [own.review, own.reproduction, own.marker])

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        teams = {team.label for team in self.teams}
        if self.default_team not in teams:
            raise _bad(("default-team",), f"{self.default_team!r} is none of the teams")
        for index, module in enumerate(self.modules):
            if module.team not in teams:
                raise _bad(("modules", index, "team"), f"{module.team!r} is none of the teams")
        _unique(("modules",), (module.label for module in self.modules))
        _unique(("signals",), (signal.name for signal in self.signals))
        if self.labels.scope.lower() in {label.lower() for label in self.allowed}:
            raise _bad(("labels", "scope"), f"{self.labels.scope!r} is a label that steps add")
        self._check_targets(teams)
        self._check_conditions()
        return self

    def _check_targets(self, teams: set[str]) -> None:
        known = teams | VERDICTS | {m.label for m in self.modules} | {c.name for c in self.criteria}
        kinds: tuple[tuple[str, tuple[Signal | Rule, ...]], ...] = (
            ("signals", self.signals),
            ("rules", self.rules),
        )
        for kind, parts in kinds:
            for index, part in enumerate(parts):
                for target in part.says:
                    if target not in known:
                        raise _bad((kind, index, "says", target), f"{target!r} is no known target")

    def _check_conditions(self) -> None:
        known = {signal.name for signal in self.signals}
        for index, rule in enumerate(self.rules):
            for key, conditions in (("when", rule.when), ("unless", rule.unless)):
                for place, condition in enumerate(conditions):
                    _check_condition(condition, known, ("rules", index, key, place))


def split_condition(condition: str) -> tuple[tuple[str, ...], tuple[Zone, ...]]:
    """`a/b@title|error` -> (("a", "b"), (title, error)).

    :raises ValueError: a zone that does not exist.
    """
    names, _, zones = condition.partition("@")
    return tuple(names.split("/")), tuple(Zone(zone) for zone in zones.split("|") if zone)


def _check_condition(condition: str, known: set[str], path: tuple[str | int, ...]) -> None:
    try:
        names, _ = split_condition(condition)
    except ValueError as error:
        raise _bad(path, f"{condition!r} names a zone that does not exist") from error
    for name in names:
        if name not in known:
            raise _bad(path, f"{name!r} is no signal of this policy")


def _unique(path: tuple[str | int, ...], names: Iterable[str]) -> None:
    seen: set[str] = set()
    for index, name in enumerate(names):
        if name.lower() in seen:
            raise _bad((*path, index), f"{name!r} is there twice")
        seen.add(name.lower())


def _bad(path: tuple[str | int, ...], what: str) -> PydanticCustomError:
    """An error of the whole policy that still knows its place; `policy.load` reads `path`."""
    return PydanticCustomError("reference", "{what}", {"what": what, "path": list(path)})
