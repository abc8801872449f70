"""The merge of a file that is no Python: by its sections where it has some, else by line; proved
by its grammar."""

from __future__ import annotations

from collections.abc import Iterator

from nightshift.merge import documents, leaf, sections
from nightshift.merge.combine import Context, Piece
from nightshift.merge.lines import Lines
from nightshift.merge.symbols import Section

Sides = tuple[Lines, Lines, Lines]


def merge(path: str, sides: Sides, context: Context) -> list[Piece]:
    """The first merge that is valid, where both sides are; the winner's text where none is."""
    check = documents.sound(path)
    proved = all(check("".join(side)) for side in sides[1:])
    for pieces in _attempts(path, sides, context):
        if not proved or check("".join(line for piece in pieces for line in piece.lines)):
            return pieces
    return leaf.whole(leaf.Text(*sides), context.wins)


def _attempts(path: str, sides: Sides, context: Context) -> Iterator[list[Piece]]:
    outlines = [documents.outline(path, side) for side in sides]
    base, target, source = outlines
    if base is not None and target and source:
        yield sections.merge(base, target, source, sections.Join(context, _Leaf(context)))
    yield leaf.merge(leaf.Text(*sides), context, lambda _: True, None)
    yield leaf.merge(leaf.Text(*sides), context, lambda _: True, None, caution=1)


class _Leaf:
    """The merge of one section by its lines."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def __call__(
        self, base: Section | None, target: Section, source: Section, name: str
    ) -> list[Piece]:
        text = leaf.Text(base.lines if base else (), target.lines, source.lines)
        return leaf.merge(text, self._context, lambda _: True, None)
