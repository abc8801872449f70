"""What a cause of CI failures is: how a log shows it, and what mends it where that is certain.

One cause a file in this folder; `sync.diagnose` holds the registry. Values and helpers only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from nightshift.effects.values import FileChange
from nightshift.ports import Formatter, TreeView
from nightshift.sync.audits.index.tree import FactsCache
from nightshift.values import Entry

FileChanges = tuple[FileChange, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that a log says went wrong. All texts are foreign.

    :param cause: the registry's name for it.
    :param path: the file as the log spells it, "" where it names none.
    :param symbol: the name, test or host that it is about; `module`: the module that lacks the
        name.
    :param limit: a line's greatest length, where the failure is about that; else 0.
    :param excerpt: the log's lines above it, the telling one last.
    :param below: the few lines that follow.
    """

    cause: str
    path: str = ""
    line: int = 0
    symbol: str = ""
    module: str = ""
    limit: int = 0
    excerpt: tuple[str, ...] = field(default=(), compare=False)
    below: tuple[str, ...] = field(default=(), compare=False)

    @property
    def text(self) -> str:
        """The line of the log that tells."""
        return self.excerpt[-1] if self.excerpt else ""


def _nothing(_path: str) -> bool:
    """No path is guarded."""
    return False


@dataclass(frozen=True, slots=True)
class Trees:
    """The three trees that a fix may look at: the sync branch's head, and the two sides.

    :param stubs: whether policy wants a docstring written where neither side has one.
    :param base: where the sides parted, None where it is not at hand.
    :param guarded: whether policy keeps a path as a side has it.
    :param cache: what is known of files already, and what will be.
    """

    merged: TreeView
    target: TreeView
    source: TreeView
    stubs: bool = False
    base: TreeView | None = None
    guarded: Callable[[str], bool] = field(default=_nothing, compare=False)
    cache: FactsCache = field(default_factory=FactsCache, compare=False)


Find = Callable[[str], Failure | None]
"""A cleaned line of a log -> the failure that it tells of."""

Fix = Callable[[Failure, Trees, Formatter], FileChanges | None]
"""The edit that mends a failure; None where that is not certain."""


@dataclass(frozen=True, slots=True)
class Cause:
    """An entry of the registry.

    :param help: what it is, for the report.
    :param hint: a google-re2 pattern that every line it finds matches; only such lines are shown
        to it.
    :param strong: whether it speaks of the code, so that trouble with the network beside it is
        noise.
    :param retry: whether running CI again on the same commit may help.
    """

    help: str
    hint: str
    find: Find
    fix: Fix | None = None
    strong: bool = False
    retry: bool = False


@dataclass(frozen=True, slots=True)
class Overlay:
    """A tree with some files replaced, as `TreeView`."""

    below: TreeView
    changes: Mapping[str, bytes | None]

    def entries(self) -> Mapping[str, Entry]:
        """The entries; a file that was replaced or added has no object id."""
        entries = dict(self.below.entries())
        for path, data in self.changes.items():
            before = entries.pop(path, None)
            if data is not None:
                entries[path] = Entry(before.mode if before else "100644", "")
        return entries

    def read(self, path: str) -> bytes | None:
        """A file's bytes as changed."""
        return self.changes[path] if path in self.changes else self.below.read(path)


def locate(path: str, entries: Mapping[str, Entry]) -> str | None:
    """The tree's path of a file that a log names, often by its place on the machine that ran it:
    the longest tail of it that is in the tree."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
    for start in range(len(parts)):
        tail = "/".join(parts[start:])
        if tail in entries:
            return tail
    return None


def read_text(tree: TreeView, path: str) -> str | None:
    """A file's text where it can be edited without harm: UTF-8, Unix line ends, no byte order
    mark."""
    data = tree.read(path)
    if data is None or b"\r" in data or data.startswith(b"\xef\xbb\xbf"):
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def changed(path: str, before: str, after: str) -> FileChanges | None:
    """The edit of one file; None where it would change nothing."""
    return (FileChange(path, after.encode("utf-8")),) if after != before else None


def ours(path: str, trees: Trees) -> bool:
    """Whether the file differs from the target's: what is the target's as it stands is not ours to
    mend."""
    return trees.merged.read(path) != trees.target.read(path)
