"""Commands of a policy without processes: what they were asked, and answers that a test gives."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from nightshift.ports import TreeView
from nightshift.values import Ran


@dataclass
class FakeCommands:
    """`ports.Commands` with one answer for all commands.

    :param asked: each command with the paths that it might change and the tree's files then.
    """

    answer: Ran = Ran()
    asked: list[tuple[str, Collection[str] | None, dict[str, bytes]]] = field(default_factory=list)

    def __call__(self, command: str, tree: TreeView, wanted: Collection[str] | None = None) -> Ran:
        files = {path: tree.read(path) or b"" for path in tree.entries()}
        self.asked.append((command, wanted, files))
        return self.answer
