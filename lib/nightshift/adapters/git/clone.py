"""A bare clone of our own in a temporary folder. It borrows a checkout's objects and writes only
itself.

Has no configuration, no hooks, no refs but those it fetches, no replacements, no grafts.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from nightshift.adapters.git import environment
from nightshift.adapters.git.checkout import MEND_PARTIAL, PARTIAL, Checkout
from nightshift.adapters.git.command import Command
from nightshift.adapters.git.history import History
from nightshift.adapters.git.objects import Objects
from nightshift.adapters.git.remote import Remote, read
from nightshift.errors import HostError, UserError

SHALLOW = "the clone is shallow: its history ends before the two branches meet."
MEND_SHALLOW = "Check out with `fetch-depth: 0`, or run `git fetch --unshallow`."
_FETCH = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance")
_ALL_BRANCHES = "+refs/heads/*:refs/nightshift/all/*"


class Clone:
    """The clone, made when the object is; `close` removes it.

    :param must_borrow: whether all objects come from the checkout. Else what it cannot lend (a
        clone made with a filter lacks objects) is fetched.
    """

    def __init__(self, borrow: Checkout | None, *, must_borrow: bool) -> None:
        self._home = tempfile.TemporaryDirectory(  # pylint: disable=consider-using-with
            prefix="nightshift-"
        )
        self.folder = Path(self._home.name) / "clone.git"
        outside = Command(Path(self._home.name), environment.isolated())
        outside.run("init", "--quiet", "--bare", "--template=", "--", str(self.folder))
        if borrow is not None:
            self._borrow(borrow, must_borrow)
        variables = {**environment.isolated(), "GIT_DIR": str(self.folder)}
        self.command = Command(self.folder, variables)
        self.objects = Objects(self.command, self.folder)
        self.history = History(self.command)

    def close(self) -> None:
        """Remove it."""
        self.command.close()
        self._home.cleanup()

    def _borrow(self, checkout: Checkout, must: bool) -> None:
        facts = checkout.facts()
        if facts.partial and not must:
            return
        if facts.partial:
            raise UserError(PARTIAL, where=str(checkout.folder), mend=MEND_PARTIAL)
        info = self.folder / "objects" / "info"
        info.mkdir(exist_ok=True)
        (info / "alternates").write_text(f"{_quoted(facts.objects)}\n", encoding="utf-8")
        if facts.shallow.exists():
            shutil.copyfile(facts.shallow, self.folder / "shallow")

    def has(self, commit: str) -> bool:
        """Whether a commit is here."""
        return (
            self.command.run("cat-file", "-e", f"{commit}^{{commit}}", ok=(0, 1, 128)).status == 0
        )

    def fetch(self, remote: Remote, *refspecs: str, where: str, deepen: bool = False) -> None:
        """Fetch with the whole history behind each ref.

        :raises HostError: with the reason.
        """
        depth = ("--unshallow",) if deepen else ()
        arguments = (*_FETCH, *depth, "--", remote.checked(), *refspecs)
        read(self.command, remote, "fetch", *arguments, where=where)

    def boundary(self) -> frozenset[str]:
        """The commits at which a shallow history ends; empty where it is whole."""
        file = self.folder / "shallow"
        return frozenset(file.read_text("ascii").split()) if file.exists() else frozenset()

    def deepen(self, tips: Sequence[str], remote: Remote | None) -> None:
        """Fetch what a shallow history lacks between two tips and where they meet.

        :raises UserError: it lacks something, and there is nowhere to fetch it from.
        """
        if not self._ends_too_early(tips):
            return
        if remote is None:
            raise UserError(SHALLOW, mend=MEND_SHALLOW)
        try:
            self.fetch(remote, *tips, where="deepen", deepen=True)
        except HostError as error:
            if error.transient or error.reason == "auth":
                raise
            self.fetch(remote, _ALL_BRANCHES, where="deepen", deepen=True)
        if self._ends_too_early(tips):
            raise UserError(SHALLOW, mend=MEND_SHALLOW)

    def _ends_too_early(self, tips: Sequence[str]) -> bool:
        """Whether a commit that only one of the tips has is one where the history was cut off."""
        boundary = self.boundary()
        if not boundary:
            return False
        one, other = tips
        own = self.command.run("rev-list", f"{one}...{other}", "--").text.split()
        return not boundary.isdisjoint(own)


def _quoted(path: Path) -> str:
    """A line of `objects/info/alternates`; a path that could be read as a quoted one is quoted."""
    text = str(path)
    if not text.startswith('"') and "\n" not in text:
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
