"""A tree laid out in a folder for another user, and files read back from there.

What ran in the folder is not trusted: no link is followed on the way back, and nothing is taken but
plain files of that user, up to a size.
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from nightshift.adapters.tools.child import is_inside
from nightshift.ports import TreeView

LINK, SUBMODULE, EXECUTABLE = "120000", "160000", "100755"
MOST_BYTES = 64 * 1024 * 1024
"""A file that is read back has no more."""

_OURS_TO_PASS = 0o711
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class NotPlain(Exception):
    """Something else than a plain file of the right user is at a path."""


@dataclass(frozen=True, slots=True)
class Export:
    """The folders of one command: the tree, and a home that is thrown away.

    :param owner: the numeric user that they belong to; None: us.
    """

    tree: Path
    home: Path
    owner: int | None

    def read(self, path: str) -> bytes | None:
        """A file as it is now; None where there is none.

        :raises NotPlain: a link, a device, another user's file, one that is too large.
        """
        try:
            handle = self._open(path)
        except OSError as error:
            if error.errno == errno.ENOENT:
                return None
            raise NotPlain(path) from error
        try:
            self._require_plain(handle, path)
            with os.fdopen(handle, "rb", closefd=False) as file:
                data = file.read(MOST_BYTES + 1)
        finally:
            os.close(handle)
        if len(data) > MOST_BYTES:
            raise NotPlain(path)
        return data

    def _require_plain(self, handle: int, path: str) -> None:
        facts = os.fstat(handle)
        mine = os.geteuid() if self.owner is None else self.owner
        if not stat.S_ISREG(facts.st_mode) or facts.st_uid != mine or facts.st_nlink != 1:
            raise NotPlain(path)

    def _open(self, path: str) -> int:
        """A descriptor of a file, each folder on the way opened in the one before it: a link on the
        way is no folder."""
        *folders, name = path.split("/")
        at = os.open(self.tree, _FOLDER)
        for folder in folders:
            try:
                below = os.open(folder, _FOLDER, dir_fd=at)
            finally:
                os.close(at)
            at = below
        try:
            return os.open(name, _FILE, dir_fd=at)
        finally:
            os.close(at)


@contextmanager
def laid_out(view: TreeView, owner: int | None) -> Iterator[Export]:
    """A tree's files, links and modes in a temporary folder, which is gone afterwards. Submodules
    are left out."""
    with tempfile.TemporaryDirectory(prefix="nightshift-", ignore_cleanup_errors=True) as name:
        root = Path(name)
        root.chmod(_OURS_TO_PASS)
        export = Export(root / "tree", root / "home", owner)
        export.tree.mkdir()
        export.home.mkdir()
        _fill(view, export.tree)
        if owner is not None:
            _give(root, owner)
        yield export


def files_of(view: TreeView) -> list[str]:
    """The plain files of a tree that can be laid out, in order."""
    entries = view.entries()
    plain = (path for path in sorted(entries) if entries[path].mode not in (LINK, SUBMODULE))
    return [path for path in plain if is_inside(path)]


def _fill(view: TreeView, root: Path) -> None:
    """Files first: then no link can lead a file astray."""
    entries = view.entries()
    for path in files_of(view):
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(view.read(path) or b"")
        place.chmod(0o755 if entries[path].mode == EXECUTABLE else 0o644)
    for path in (p for p in sorted(entries) if entries[p].mode == LINK and is_inside(p)):
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        with suppress(OSError, ValueError):  # a target that no file system takes
            os.symlink(os.fsdecode(view.read(path) or b""), place)


def _give(root: Path, owner: int) -> None:
    """Hand over all below the outermost folder. Nothing of theirs runs yet."""
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            os.chown(os.path.join(folder, name), owner, owner, follow_symlinks=False)
