"""Steps 0 to 6: from an issue to what is done about it. A pure function of issue, policy, time and
force.

Only adds: labels of the policy's allow-list, and one of its two templates. What an issue's text
says can change which of these, never anything else. The table of steps is the project's
specification.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from nightshift.outcome import Outcome
from nightshift.policy.triage import Team, Template, TriagePolicy
from nightshift.triage.comments import is_posted
from nightshift.triage.judge import judge
from nightshift.triage.values import Confidence, Decision, Judgement, Kind, Reproduction
from nightshift.values import Issue

MAX_LABELS = 100
"""The platform's limit of labels on an issue."""

PULL_REQUEST = "it is a pull request, not an issue"
CLOSED = "it is closed"
HELD = "it has the hold label"
MARKED = "it has the marker already"
NO_SCOPE_LABEL = "it does not carry the scope label"
FULL = f"it would have more than {MAX_LABELS} labels"


def decide(
    issue: Issue,
    policy: TriagePolicy,
    now: datetime,
    *,
    force: bool = False,
    finish: bool = False,
) -> Decision:
    """What to do about an issue.

    :param now: the time in UTC, for label removals of the last days.
    :param force: decide again although the marker is there.
    :param finish: an earlier attempt may have been cut short between labels and comment: a marked
        issue that has all of its labels gets the comment that is still missing, nothing else.
    """
    judgement = judge(issue, policy)
    reason = skip_reason(issue, policy, force=force)
    if reason == MARKED and finish:
        decision = _decided(issue, policy, judgement, now)
        if decision.comment and not decision.add_labels:
            return decision
    if reason:
        return Decision(issue.number, Outcome.SKIPPED, (), None, judgement, (reason,))
    return _decided(issue, policy, judgement, now)


def _decided(issue: Issue, policy: TriagePolicy, judgement: Judgement, now: datetime) -> Decision:
    plan = _Plan(issue, policy, judgement)
    plan.steps()
    return plan.decision(now)


def skip_reason(issue: Issue, policy: TriagePolicy, *, force: bool) -> str:
    """Why an issue is left alone; "" if it is not."""
    present = _lower(issue.labels)
    if issue.is_pull_request:
        return PULL_REQUEST
    if not issue.open:
        return CLOSED
    if policy.hold_label and policy.hold_label.lower() in present:
        return HELD
    if policy.labels.scope.lower() not in present:
        return NO_SCOPE_LABEL
    marked = policy.labels.marker.lower() in present
    return MARKED if marked and policy.switches.marked_is_left_alone and not force else ""


class _Plan:
    """The steps, writing down what they want."""

    def __init__(self, issue: Issue, policy: TriagePolicy, judgement: Judgement) -> None:
        self._issue, self._policy, self._judged = issue, policy, judgement
        self._present = _lower(issue.labels)
        self._teams = [team for team in policy.teams if team.label.lower() in self._present]
        self._wanted: list[str] = []
        self._comment: Template | None = None
        self._outcome = Outcome.TRIAGED
        self._reasons: list[str] = []

    def steps(self) -> None:
        """Steps 0 to 6, in order."""
        if self._is_triaged() and not self._waits_for_people():
            self._already_triaged()
        elif not self._judged.in_scope:
            self._out_of_scope()
        else:
            self._route()

    def _already_triaged(self) -> None:
        labels = self._policy.labels
        step_6 = {labels.marker.lower(), labels.reproduction.lower()}
        if self._judged.in_scope and step_6 <= self._present:
            # Its comment comes last and may have been cut off.
            self._reproduction()
            return
        self._want("step 0: people have triaged it", labels.marker)
        self._outcome = Outcome.ALREADY_TRIAGED

    def _is_triaged(self) -> bool:
        modules = any(module.label.lower() in self._present for module in self._policy.modules)
        teams = len(self._teams)
        return modules and (teams == 1 if self._policy.switches.two_teams_stop else teams > 0)

    def _waits_for_people(self) -> bool:
        """A high-priority issue that we have labelled looks triaged, but for its review label: it
        keeps waiting without the marker until people take that label off."""
        review = self._policy.labels.review.lower() in self._present
        return review and self._judged.in_scope and self._judged.high_priority

    def _out_of_scope(self) -> None:
        labels = self._policy.labels
        self._want("step 1: not about the scope", labels.review, labels.marker)
        self._comment = self._policy.templates.out_of_scope
        self._outcome = Outcome.OUT_OF_SCOPE

    def _route(self) -> None:
        if len(self._teams) > 1 and self._policy.switches.two_teams_stop:
            self._review("step 2: two teams are on it already")
            self._finish(stopped=True)
            return
        team = self._team()
        if not self._teams:
            self._want("step 2: routed", team.label)
        self._doubt()
        if not team.stops:
            self._modules()
            self._type()
            self._reproduction()
        self._finish(stopped=team.stops)

    def _team(self) -> Team:
        if self._teams:
            return self._teams[0]
        return next(t for t in self._policy.teams if t.label == self._judged.team.label)

    def _doubt(self) -> None:
        low = Confidence.LOW
        if not self._policy.switches.doubt_asks_people:
            return
        if self._judged.scope is low:
            self._review("step 1: scope is in doubt")
        if not self._teams and self._judged.team.confidence is low:
            self._review("step 2: the route is in doubt")

    def _modules(self) -> None:
        sure = [v.label for v in self._judged.modules if v.confidence is not Confidence.LOW]
        if sure:
            self._want("step 3: modules", *sure)
        else:
            self._review("step 3: no module is clear")

    def _type(self) -> None:
        labels = self._policy.labels
        if self._judged.kind is Kind.FEATURE:
            self._want("step 4: a new feature", labels.feature)
        if self._judged.kind is Kind.ENHANCEMENT:
            speed = [labels.performance] if self._judged.speed and labels.performance else []
            self._want("step 4: an enhancement", labels.enhancement, *speed)

    def _reproduction(self) -> None:
        if self._judged.high_priority and not self._policy.switches.priority_drops_only_marker:
            return
        if self._judged.reproduction is Reproduction.MISSING:
            self._want("step 6: nothing to follow", self._policy.labels.reproduction)
            self._comment = self._policy.templates.reproduction

    def _finish(self, *, stopped: bool) -> None:
        """Step 5 decides whether the marker comes: a high-priority issue waits for people without
        it."""
        judged = not stopped or self._policy.switches.priority_on_every_route
        if judged and self._judged.high_priority:
            self._review("step 5: high priority")
        else:
            self._want("dealt with", self._policy.labels.marker)

    def _review(self, reason: str) -> None:
        self._want(reason, self._policy.labels.review)
        self._outcome = Outcome.NEEDS_PEOPLE

    def _want(self, reason: str, *labels: str) -> None:
        self._wanted += labels
        self._reasons.append(f"{reason}: {', '.join(labels)}")

    def decision(self, now: datetime) -> Decision:
        """What of the wanted is not there yet and may be added."""
        order = {label: place for place, label in enumerate(self._policy.allowed)}
        missing = {label for label in self._wanted if label.lower() not in self._present}
        removed = self._removed(now) & _lower(missing)
        add = sorted((x for x in missing if x.lower() not in removed), key=order.__getitem__)
        if removed:
            self._reasons.append(
                "left out, since a person took it off lately: " + str(len(removed))
            )
        if len(self._issue.labels) + len(add) > MAX_LABELS:
            return self._done(Outcome.SKIPPED, [], None, FULL)
        return self._done(self._outcome, add, self._postable(), "")

    def _done(self, outcome: Outcome, add: list[str], comment: str | None, reason: str) -> Decision:
        reasons = (*self._reasons, reason) if reason else tuple(self._reasons)
        if not add and not comment and outcome is not Outcome.SKIPPED:
            outcome = Outcome.UNCHANGED
        return Decision(self._issue.number, outcome, tuple(add), comment, self._judged, reasons)

    def _removed(self, now: datetime) -> set[str]:
        days = timedelta(days=self._policy.switches.respect_removals_days)
        return {
            removal.label.lower()
            for removal in self._issue.label_removals
            if not removal.is_bot and now - removal.at <= days
        }

    def _postable(self) -> str | None:
        """The template's name, unless it is on the issue already or cannot be posted."""
        if self._comment is None:
            return None
        if self._issue.locked:
            self._reasons.append("locked: no comment is posted")
            return None
        if is_posted(self._comment, self._issue):
            self._reasons.append(f"{self._comment.name} or its like is there already")
            return None
        return self._comment.name


def _lower(names: Iterable[str]) -> set[str]:
    return {name.lower() for name in names}
