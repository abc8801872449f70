"""How branches are pushed: only forward from where we saw them, and never twice."""

from __future__ import annotations

from collections.abc import Sequence

from nightshift.effects.applied import Applied, Result
from nightshift.effects.settle import settle
from nightshift.effects.values import FileChange, PushCommit, PushFix
from nightshift.effects.world import World
from nightshift.errors import Defect
from nightshift.ports import Git
from nightshift.values import Entry

NO_CHANGE = "the files are so already"
NO_GIT = "this mode has no git, but wants a push."
NO_FILE = "a fix changes something that is no file."
PLAIN_FILE, SUBMODULE = "100644", "160000"


def push_commit(effect: PushCommit, world: World) -> Applied:
    """Point the branch at the commit, with a lease.

    :raises HostError: refused, or failed; its `reason` says which.
    """
    return _push(effect, effect.commit, effect.expect, world)


def push_fix(effect: PushFix, world: World) -> Applied:
    """Make the commit and push it. The same fix of the same head is the same commit each time.

    :raises HostError: as `push_commit`.
    """
    git = _git(world)
    head = git.commit(effect.head)
    tree = git.write_tree(head.tree, _entries(git, effect.head, effect.changes))
    if tree == head.tree:
        return Applied(effect, Result.UNCHANGED, NO_CHANGE)
    parents = head.parents if effect.amend else (effect.head,)
    commit = git.commit_tree(tree, parents, effect.message, effect.identity, effect.at)
    return _push(effect, commit, effect.head, world)


def _push(effect: PushCommit | PushFix, commit: str, expect: str | None, world: World) -> Applied:
    git = _git(world)
    detail = f"{effect.branch} is at {commit[:12]}"

    def look() -> Applied | None:
        if git.remote_head(effect.branch) == commit:
            return Applied(effect, Result.UNCHANGED, detail)
        return None

    def write() -> Applied:
        git.push(commit, effect.branch, expect=expect)
        return Applied(effect, Result.DONE, detail)

    return settle(look, write, world, paced=False)


def _entries(
    git: Git, head: str, changes: Sequence[FileChange]
) -> dict[str, tuple[str, bytes] | Entry | None]:
    """The changes as git takes them: a file's mode stays, a new file is a plain one.

    :raises Defect: something is changed that is no file.
    """
    there = git.tree(head).entries()
    result: dict[str, tuple[str, bytes] | Entry | None] = {}
    for change in changes:
        entry = there.get(change.path)
        if entry is not None and entry.mode == SUBMODULE:
            raise Defect(NO_FILE, where=change.path)
        if change.data is not None:
            result[change.path] = (entry.mode if entry else PLAIN_FILE, change.data)
        elif entry is not None:
            result[change.path] = None
    return result


def _git(world: World) -> Git:
    if world.git is None:
        raise Defect(NO_GIT)
    return world.git
