"""How pull requests are opened, changed, closed and marked ready, and failed jobs are run again."""

from __future__ import annotations

from nightshift.effects import reconcile
from nightshift.effects.applied import Applied, Result
from nightshift.effects.settle import settle
from nightshift.effects.values import (
    ClosePullRequest,
    EditPullRequest,
    MarkReady,
    OpenPullRequest,
    RerunFailedJobs,
)
from nightshift.effects.world import World

OPEN = "pull request #{number}"
SAME = "the body is so already"
CLOSED = "it is closed already"
READY = "it is ready already"
LOOKED_AT = 1000
"""How many open pull requests into the base are looked through for ours."""


def open_pull_request(effect: OpenPullRequest, world: World) -> Applied:
    """Open the draft, unless an open one joins the same branches.

    :raises HostError: refused, or failed.
    """

    def look() -> Applied | None:
        pulls = world.github.pull_requests(base=effect.base, limit=LOOKED_AT)
        found = reconcile.open_pull(effect.head, effect.base, pulls)
        if found is None:
            return None
        return Applied(effect, Result.UNCHANGED, OPEN.format(number=found.number), found.url)

    def write() -> Applied:
        pull = world.github.open_pull_request(
            head=effect.head, base=effect.base, title=effect.title, body=effect.body
        )
        return Applied(effect, Result.DONE, OPEN.format(number=pull.number), pull.url)

    return settle(look, write, world)


def edit_pull_request(effect: EditPullRequest, world: World) -> Applied:
    """Change the body, unless it is so.

    :raises UserError: no such pull request.
    :raises HostError: refused, or failed.
    """
    pull = world.github.pull_request(effect.number)
    if reconcile.same_body(pull.body, effect.body):
        return Applied(effect, Result.UNCHANGED, SAME, pull.url)
    world.pace()
    world.github.edit_pull_request(effect.number, body=effect.body)
    return Applied(effect, Result.DONE, url=pull.url)


def close_pull_request(effect: ClosePullRequest, world: World) -> Applied:
    """Close it, unless it is closed.

    :raises UserError: no such pull request.
    :raises HostError: refused, or failed.
    """
    pull = world.github.pull_request(effect.number)
    if not pull.open:
        return Applied(effect, Result.UNCHANGED, CLOSED, pull.url)
    world.pace()
    world.github.close_pull_request(effect.number)
    return Applied(effect, Result.DONE, url=pull.url)


def mark_ready(effect: MarkReady, world: World) -> Applied:
    """Make the draft ready for review, unless it is.

    :raises UserError: no such pull request.
    :raises HostError: refused, or failed.
    """

    def look() -> Applied | None:
        pull = world.github.pull_request(effect.number)
        return None if pull.draft else Applied(effect, Result.UNCHANGED, READY, pull.url)

    def write() -> Applied:
        world.github.mark_ready(effect.node_id)
        return Applied(effect, Result.DONE)

    return settle(look, write, world)


def rerun_failed_jobs(effect: RerunFailedJobs, world: World) -> Applied:
    """Run the failed jobs again; the port itself makes sure that it is done once.

    :raises HostError: refused, or failed.
    """
    world.pace()
    world.github.rerun_failed_jobs(effect.run_id)
    return Applied(effect, Result.DONE)
