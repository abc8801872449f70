"""The only writer: effects in, in order, written to the world; what became of each out.

Nothing is written before the whole list has passed the guard and all of its labels are known to
exist. Decides nothing but what is there already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from nightshift.effects import on_branches, on_issues, on_pulls, reconcile
from nightshift.effects.applied import Applied, ApplyError, Result
from nightshift.effects.guard import Guard
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
    RerunFailedJobs,
)
from nightshift.effects.world import World
from nightshift.errors import HostError, NightshiftError, UserError

__all__ = ["World", "apply"]

MISSING_LABELS = "the repository has no label: {names}."
MEND_LABELS = "Create what is missing, or take it out of the policy. Nothing was written."
STALE = "stale"
BRANCH_MOVED = "the branch has moved since it was looked at"
NOT_REACHED = "not tried, for what it builds on was skipped"
SKIPPED = "The push was skipped: {why}."

_WRITERS: Mapping[type[Effect], Callable[[Any, World], Applied]] = {
    AddLabels: on_issues.add_labels,
    PostComment: on_issues.post_comment,
    PushCommit: on_branches.push_commit,
    PushFix: on_branches.push_fix,
    OpenPullRequest: on_pulls.open_pull_request,
    EditPullRequest: on_pulls.edit_pull_request,
    ClosePullRequest: on_pulls.close_pull_request,
    MarkReady: on_pulls.mark_ready,
    RerunFailedJobs: on_pulls.rerun_failed_jobs,
}


def apply(
    effects: Sequence[Effect], world: World, guard: Guard, *, dry_run: bool
) -> tuple[Applied, ...]:
    """Write effects, in order.

    A push to a branch that has moved meanwhile is skipped with all that follows it: the next round
    looks afresh. Everything else that is refused ends the list.

    :param dry_run: nothing is written, but everything is checked that can be without writing.
    :returns: what became of each effect.
    :raises Defect: an effect is outside of the guard; nothing was written.
    :raises UserError: a label does not exist in the repository; nothing was written.
    :raises HostError: the labels could not be read; nothing was written.
    :raises ApplyError: a write was refused or failed; it carries what was done before.
    """
    guard.check(effects)
    _check_labels(effects, world)
    if dry_run:
        return tuple(Applied(effect, Result.PLANNED) for effect in effects)
    applied: list[Applied] = []
    for number, effect in enumerate(effects):
        try:
            applied.append(_WRITERS[type(effect)](effect, world))
        except HostError as error:
            if error.reason != STALE:
                raise ApplyError(error, tuple(applied)) from error
            world.runner.annotate("notice", SKIPPED.format(why=BRANCH_MOVED))
            return (*applied, *_skipped(effects[number:]))
        except NightshiftError as error:
            raise ApplyError(error, tuple(applied)) from error
    return tuple(applied)


def _skipped(effects: Sequence[Effect]) -> Iterator[Applied]:
    """The push to a branch that has moved, and what would have followed."""
    for number, effect in enumerate(effects):
        yield Applied(effect, Result.SKIPPED, NOT_REACHED if number else BRANCH_MOVED)


def _check_labels(effects: Sequence[Effect], world: World) -> None:
    """All labels that must exist do.

    :raises UserError: names all that are missing.
    """
    if not any(isinstance(effect, AddLabels) for effect in effects):
        return
    missing = reconcile.unknown_labels(effects, world.labels())
    if missing:
        names = ", ".join(missing)
        raise UserError(MISSING_LABELS.format(names=names), where="labels", mend=MEND_LABELS)
