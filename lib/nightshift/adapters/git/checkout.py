"""Somebody's checkout: where its objects are, what its names mean, and the one way to move it.

All but `advance` only reads. `advance` is for a command that a person runs in their own work
tree: it is the only place that writes to a checkout.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nightshift.adapters.git import environment
from nightshift.adapters.git.command import Command, failure
from nightshift.errors import UserError
from nightshift.refs import is_abbreviation, is_ref_name

NO_REPOSITORY = "this folder is in no git repository."
MEND_NO_REPOSITORY = "Run it inside a clone of the repository."
OLD_FORMAT = "the repository's objects are named by {name}; only sha1 is supported."
PARTIAL = "the clone was made with a filter, so that objects may be missing."
MEND_PARTIAL = "Clone without --filter, or run `git fetch --refetch --no-filter`."
NO_REF = "there is no branch, tag or commit {ref!r}."
MEND_NO_REF = "Fetch it first, or correct the name."
NO_WORK_TREE = "this repository has no work tree, so there is nothing that could follow."
MEND_NO_WORK_TREE = "Run it in a clone with a work tree."
NOT_MOVED = "the work tree could not follow to the merge commit {commit}. {words}"
MEND_NOT_MOVED = "The commit is in the repository: look at what stands in the way, then merge it."
HEAD = "HEAD"


@dataclass(frozen=True, slots=True)
class Facts:
    """Where a checkout keeps things, as absolute paths.

    :param shallow: the file that says where a shallow history ends; it need not exist.
    """

    objects: Path
    shallow: Path
    partial: bool


class Checkout:
    """A repository on disk that belongs to somebody else."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._quiet = Command(folder, environment.isolated())
        self._own = Command(folder, environment.of_user())

    def facts(self) -> Facts:
        """Where its objects are.

        :raises UserError: no repository, or one of a kind that is not supported.
        """
        output = self._quiet.run(
            "rev-parse",
            "--path-format=absolute",
            "--show-object-format",
            "--git-path",
            "objects",
            "--git-path",
            "shallow",
            ok=(0, 128),
        )
        if output.status:
            raise UserError(NO_REPOSITORY, where=str(self.folder), mend=MEND_NO_REPOSITORY)
        name, objects, shallow = output.text.split("\n")
        if name != "sha1":
            raise UserError(OLD_FORMAT.format(name=name), where=str(self.folder))
        return Facts(Path(objects), Path(shallow), self._is_partial())

    def _is_partial(self) -> bool:
        pattern = r"^(extensions\.partialclone|remote\..*\.promisor)$"
        return self._quiet.run("config", "--get-regexp", pattern, ok=(0, 1)).status == 0

    def origin(self) -> str | None:
        """The address that it was cloned from, None where there is none."""
        output = self._quiet.run("remote", "get-url", "origin", ok=(0, 2, 128))
        if output.status or not output.text:
            return None
        path = self.folder / output.text
        return str(path.resolve()) if path.exists() else output.text

    def resolve(self, ref: str) -> str | None:
        """The commit that a name means here. Branches come before tags, whatever paths there
        are."""
        names = [HEAD] if ref == HEAD else []
        if is_ref_name(ref):
            names += [f"refs/heads/{ref}", f"refs/remotes/{ref}", f"refs/tags/{ref}"]
            names += [ref] if ref.startswith("refs/") else []
        if is_abbreviation(ref):
            names.append(ref)
        for name in names:
            output = self._quiet.run(
                "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", ok=(0, 1, 128)
            )
            if output.status == 0:
                return output.text
        return None

    def head_branch(self) -> str | None:
        """The branch that HEAD is on, None where it is detached."""
        output = self._quiet.run("symbolic-ref", "--quiet", "--short", HEAD, ok=(0, 1))
        return output.text if output.status == 0 else None

    def has_branch(self, name: str) -> bool:
        """Whether it has a local branch of that name."""
        if not is_ref_name(name):
            return False
        ref = f"refs/heads/{name}"
        return self._quiet.run("show-ref", "--verify", "--quiet", ref, ok=(0, 1)).status == 0

    def require_work_tree(self) -> None:
        """
        :raises UserError: it has none, or is no repository.
        """
        output = self._quiet.run("rev-parse", "--is-inside-work-tree", ok=(0, 128))
        if output.status:
            raise UserError(NO_REPOSITORY, where=str(self.folder), mend=MEND_NO_REPOSITORY)
        if output.text != "true":
            raise UserError(NO_WORK_TREE, where=str(self.folder), mend=MEND_NO_WORK_TREE)

    def changes(self) -> str:
        """What stands in the work tree or index and in no commit: git's short status, "" where it
        is clean. Untracked files are no change; an unfinished merge is one."""
        options = ("--porcelain", "--untracked-files=no", "--ignore-submodules=dirty")
        merging = self._own.run("rev-parse", "--verify", "--quiet", "MERGE_HEAD", ok=(0, 1, 128))
        unfinished = "an unfinished merge\n" if merging.status == 0 else ""
        return unfinished + self._own.run("status", *options).text

    def take(self, pack: bytes) -> None:
        """Take objects into the repository; nothing points at them yet."""
        self._quiet.run("unpack-objects", "-q", stdin=pack)

    def advance(self, commit: str) -> None:
        """Move HEAD's branch forward to a commit; the work tree follows, with the user's own
        filters.

        :raises UserError: something stands in the way, such as an untracked file; nothing has
            moved.
        """
        output = self._own.run(
            "merge",
            "--ff-only",
            "--quiet",
            "--no-stat",
            "--no-autostash",
            "--no-verify-signatures",
            commit,
            ok=range(256),
        )
        if output.status:
            words = failure("merge", output).what
            raise UserError(NOT_MOVED.format(commit=commit, words=words), mend=MEND_NOT_MOVED)
