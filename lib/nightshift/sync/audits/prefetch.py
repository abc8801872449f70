"""Trees whose files are read in large batches: the audit asks for thousands of files one by one.

Holds bytes for as long as the trees live, each blob once; asks a port and keeps no other state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from nightshift.sync.audits.files_named import ENDINGS
from nightshift.sync.audits.preservation.atoms import PYTHON, TEXTS
from nightshift.values import Entry

Blobs = Callable[[Sequence[str]], Mapping[str, bytes]]
"""Many blobs by object id, as `ports.Git.blobs` gives them."""
READ = (*PYTHON, *TEXTS, *ENDINGS)
LINK, SUBMODULE = "120000", "160000"


class Prefetched:
    """A tree over a store that several trees share. Implements `ports.TreeView`."""

    def __init__(self, entries: Mapping[str, Entry], store: dict[str, bytes], blobs: Blobs) -> None:
        self._entries, self._store, self._blobs = entries, store, blobs

    def entries(self) -> Mapping[str, Entry]:
        """path -> entry, for every file, link and submodule."""
        return self._entries

    def read(self, path: str) -> bytes | None:
        """A file's bytes; None where there is no such file."""
        entry = self._entries.get(path)
        if entry is None or entry.mode == SUBMODULE:
            return None
        if entry.oid not in self._store:
            self._store.update(self._blobs([entry.oid]))
        return self._store[entry.oid]


def prefetched(blobs: Blobs, trees: Iterable[Mapping[str, Entry]]) -> tuple[Prefetched, ...]:
    """Views of trees, with every file read that the audit looks at."""
    every = tuple(trees)
    wanted = dict.fromkeys(
        entry.oid
        for tree in every
        for path, entry in tree.items()
        if path.endswith(READ) and entry.mode not in (LINK, SUBMODULE)
    )
    store = dict(blobs(list(wanted)))
    return tuple(Prefetched(tree, store, blobs) for tree in every)
