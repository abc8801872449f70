"""Files whose text both sides changed: handed to the merge engine with their history, each result
checked for markers. What is no text, or stands for something else, is taken whole from one side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from nightshift.merge.cascade import FileConflict, Options, merge_file
from nightshift.merge.treecheck import Modules, absent
from nightshift.ports import Formatter
from nightshift.sync.by_tree import TextConflict, merged_mode, whole
from nightshift.sync.draft import Change, Decision, Draft
from nightshift.sync.history import PathHistory
from nightshift.sync.sides import Sides, Tree
from nightshift.values import Entry

_LOOKED_AT = 8000  # bytes in which git looks for a NUL
_POINTER = b"version https://git-lfs.github.com/spec/"
_MARKS = (b"<<<<<<< ", b">>>>>>> ", b"||||||| ")


def decide(
    sides: Sides, texts: Sequence[TextConflict], formatter: Formatter | None
) -> Iterator[Decision]:
    """A decision for each file."""
    options = Options(wins=sides.wins, formatter=formatter)
    own = [_with_own_stages(sides, text) for text in texts]
    entries = [entry for text in own for entry in _stages(text) if entry is not None]
    blobs = sides.git.blobs([entry.oid for entry in entries])
    for text in own:
        yield _merge(sides, text, blobs, options)


def again(
    sides: Sides, texts: Sequence[TextConflict], draft: Draft, formatter: Formatter | None
) -> Iterator[Decision]:
    """A second decision for files that import, in the draft, what the other side has taken away:
    nothing in them may read these names."""
    merged = Modules(draft.entries(), draft.read)
    views = [sides.git.tree(commit) for commit in (sides.target, sides.source)]
    target, source = (Modules(view.entries(), view.read) for view in views)
    for text in texts:
        data = draft.read(text.path) if text.path.endswith(".py") else None
        names = absent(text.path, data, merged, (target, source)) if data else frozenset()
        if names:
            own = _with_own_stages(sides, text)
            blobs = sides.git.blobs([entry.oid for entry in _stages(own) if entry is not None])
            options = Options(wins=sides.wins, formatter=formatter, absent=names)
            yield _merge(sides, own, blobs, options)


def _stages(text: TextConflict) -> tuple[Entry | None, Entry, Entry]:
    return text.base, text.target, text.source


def _merge(
    sides: Sides, text: TextConflict, blobs: Mapping[str, bytes], options: Options
) -> Decision:
    target, source = blobs[text.target.oid], blobs[text.source.oid]
    base = blobs[text.base.oid] if text.base is not None else None
    if any(_is_opaque(data) for data in (base, target, source) if data is not None):
        return whole(sides, text)
    history = PathHistory(sides, text.names)
    merged = merge_file(FileConflict(text.path, base, target, source, history), options)
    if merged.data is None:
        return Decision(text.path, None, merged.resolutions)
    if new_markers(merged.data, target, source):
        return whole(sides, text)
    return Decision(text.path, _change(sides, text, merged.data, blobs), merged.resolutions)


def _change(sides: Sides, text: TextConflict, data: bytes, blobs: Mapping[str, bytes]) -> Change:
    """An entry of a side where the result is that side's."""
    mode = merged_mode(sides, text)
    for entry in (text.target, text.source):
        if blobs[entry.oid] == data:
            return Entry(mode, entry.oid)
    return mode, data


def _is_opaque(data: bytes) -> bool:
    """Whether it is no text, or stands for a file that is kept elsewhere."""
    return b"\0" in data[:_LOOKED_AT] or data.startswith(_POINTER)


def new_markers(data: bytes, *known: bytes) -> bool:
    """Whether a file holds conflict markers that none of the known files holds."""
    marks = _markers(data)
    return bool(marks) and bool(marks.difference(*(_markers(one) for one in known)))


def _markers(data: bytes) -> set[bytes]:
    if not any(mark in data for mark in _MARKS):
        return set()
    return {line.rstrip() for line in data.split(b"\n") if line.startswith(_MARKS)}


def _with_own_stages(sides: Sides, text: TextConflict) -> TextConflict:
    """With each side's own file: where renames collide, git's stages are merges with markers
    inside."""
    return TextConflict(
        text.path,
        text.names,
        text.base,
        _own(text.target, sides.target_tree, text.names),
        _own(text.source, sides.source_tree, text.names),
    )


def _own(entry: Entry, tree: Tree, names: Sequence[str]) -> Entry:
    candidates = [tree[name] for name in names if name in tree]
    if entry in candidates or not candidates:
        return entry
    return candidates[0]
