"""What a repair is given and what it gives back. Values only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from nightshift.policy.model import Side
from nightshift.sync.audits.fault import Fault
from nightshift.sync.audits.index.resolve import Resolver

Given = Callable[[str], Side | None]


def _to_nobody(_: str) -> Side | None:
    return None


@dataclass(frozen=True, slots=True)
class Bench:
    """The trees of a merge, and the texts as earlier repairs of the same round left them.

    :param given: the side that policy gives a path to; None where it gives it to neither.
    """

    merged: Resolver
    target: Resolver
    source: Resolver
    base: Resolver | None = None
    texts: dict[str, str] = field(default_factory=dict)
    given: Given = _to_nobody

    def side(self, side: Side) -> Resolver:
        """A parent."""
        return self.target if side is Side.TARGET else self.source

    def text(self, path: str) -> str | None:
        """A file of the merged tree as it stands."""
        return self.texts.get(path) or text_in(self.merged, path)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A new text for one file.

    :param what: what was done, for the report.
    :param side: the side whose text was used, None where it is neither's.
    :param edit: what makes it the same edit whichever fault asks for it; "" where the fault does.
    """

    path: str
    text: str
    what: str
    side: Side | None = None
    edit: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """A repair that holds, with the fault that it mended."""

    fault: Fault
    proposal: Proposal


def text_in(tree: Resolver, path: str) -> str | None:
    """A file's text in a tree; None where the tree has no such file."""
    data = tree.index.view.read(path)
    return None if data is None else data.decode("utf-8", "surrogateescape")
