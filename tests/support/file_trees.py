"""Trees made of dictionaries, and formatters that tests can see at work."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from nightshift.sync.fixes.cause import Trees
from nightshift.values import Entry


@dataclass(frozen=True)
class FakeTree:
    """A tree whose files are in memory."""

    files: Mapping[str, bytes]

    def entries(self) -> Mapping[str, Entry]:
        """path -> entry; equal bytes have equal ids."""
        return {
            path: Entry("100644", hashlib.sha1(data, usedforsecurity=False).hexdigest())
            for path, data in self.files.items()
        }

    def read(self, path: str) -> bytes | None:
        """A file's bytes."""
        return self.files.get(path)


def tree(**files: str) -> FakeTree:
    """A tree of Python files: `pkg__a="…"` is the file pkg/a.py."""
    return FakeTree(
        {f"{name.replace('__', '/')}.py": text.encode() for name, text in files.items()}
    )


def trees(merged: FakeTree, target: FakeTree, source: FakeTree | None = None) -> Trees:
    """The three trees of a fix."""
    return Trees(merged, target, source or FakeTree({}))


def as_it_is(_path: str, text: str) -> str:
    """A formatter that has no opinion."""
    return text


def stripped(_path: str, text: str) -> str:
    """A formatter whose style is that no line ends in a blank."""
    return "\n".join(line.rstrip() for line in text.split("\n"))
