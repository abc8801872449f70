"""How labels and comments are written.

Labels are added without a look: the endpoint only adds, and twice is as good as once, so that a
sweep costs no read for each issue. A comment is posted on an issue that is read right before,
afresh: it must never stand there twice.
"""

from __future__ import annotations

from nightshift.effects import reconcile
from nightshift.effects.applied import Applied, Result
from nightshift.effects.settle import LIMIT, settle
from nightshift.effects.values import AddLabels, PostComment
from nightshift.effects.world import World
from nightshift.errors import HostError, UserError
from nightshift.values import Issue

NO_SUCH_LABEL = "the repository lacks: {names}"
TOO_MANY = "it would have more labels than GitHub allows"
GONE = "it does not exist any more, or has moved"
LOCKED = "it is locked, and the token may not comment there"
POSTED = "the comment is there already"
ADDED = "added: {names}"
SKIPPED = "#{number} was skipped: {why}."


def add_labels(effect: AddLabels, world: World) -> Applied:
    """Add labels, in one request. The issue is read only where GitHub refuses, to say why.

    :raises HostError: refused, or failed.
    """
    known = {name.casefold() for name in world.labels()}
    wanted = [name for name in effect.labels if name.casefold() in known]
    missing = reconcile.labels_to_add(effect.labels, wanted)
    lacking = NO_SUCH_LABEL.format(names=", ".join(missing)) if missing else ""
    if lacking and not wanted:
        return _skipped(effect, lacking, world)
    names = reconcile.labels_to_add(wanted, ())
    if not names:
        return Applied(effect, Result.UNCHANGED, url=effect.url)
    world.pace()
    try:
        world.github.add_labels(effect.number, names)
    except (HostError, UserError) as error:
        why = _why_refused(error, effect.number, names, world)
        if not why:
            raise
        return _skipped(effect, why, world)
    added = ADDED.format(names=", ".join(names))
    return Applied(effect, Result.DONE, _detail(added, lacking), effect.url)


def _why_refused(
    error: HostError | UserError, number: int, names: tuple[str, ...], world: World
) -> str:
    """What about the issue made GitHub refuse labels; "" where it lies elsewhere."""
    if isinstance(error, HostError) and (error.transient or error.reason == LIMIT):
        return ""
    issue = _read(number, world)
    if issue is None:
        return GONE
    new = reconcile.labels_to_add(names, issue.labels)
    return "" if reconcile.room_for(new, issue.labels) else TOO_MANY


def post_comment(effect: PostComment, world: World) -> Applied:
    """Post a comment, unless it is there.

    :raises HostError: refused, or failed.
    """
    return _Comment(effect, world).settle()


class _Comment:
    """A comment on its way; remembers the issue's address, and what was there at first."""

    def __init__(self, effect: PostComment, world: World) -> None:
        self._effect, self._world = effect, world
        self._url = ""
        self._before: frozenset[int] | None = None

    def settle(self) -> Applied:
        try:
            return settle(self._look, self._write, self._world)
        except HostError as error:
            if error.status != 403 or error.transient or not self._is_locked():
                raise
            return _skipped(self._effect, LOCKED, self._world)

    def _look(self) -> Applied | None:
        issue = _read(self._effect.number, self._world)
        if issue is None:
            return _skipped(self._effect, GONE, self._world)
        self._url = issue.url
        found = reconcile.posted(self._effect, issue.comments, self._before)
        if self._before is None:
            self._before = frozenset(comment.id for comment in issue.comments)
        if found is None:
            return None
        return Applied(self._effect, Result.UNCHANGED, POSTED, self._address(found.id))

    def _write(self) -> Applied:
        comment = self._world.github.post_comment(self._effect.number, self._effect.body)
        return Applied(self._effect, Result.DONE, url=self._address(comment.id))

    def _address(self, comment_id: int) -> str:
        return f"{self._url}#issuecomment-{comment_id}"

    def _is_locked(self) -> bool:
        issue = _read(self._effect.number, self._world)
        return issue is not None and issue.locked


def _read(number: int, world: World) -> Issue | None:
    """The issue as it stands; None where it has gone since it was decided on."""
    try:
        return world.github.issue(number)
    except UserError:
        return None


def _skipped(effect: AddLabels | PostComment, why: str, world: World) -> Applied:
    world.runner.annotate("notice", SKIPPED.format(number=effect.number, why=why))
    return Applied(effect, Result.SKIPPED, why)


def _detail(*parts: str) -> str:
    return "; ".join(part for part in parts if part)
