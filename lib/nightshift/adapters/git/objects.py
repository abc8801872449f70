"""Reads and writes of git objects: trees as mappings, blobs in batches, commits.

Paths are bytes to git and text with surrogates here. Writes go to the clone of our own only.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from gitdb.base import IStream
from gitdb.db import LooseObjectDB

from nightshift.adapters.git.command import Command, to_bytes, to_text
from nightshift.values import Entry, Identity

SUBMODULE = "160000"
_NO_OBJECT = "0" * 40


class Tree:
    """A tree, listed when it is first asked for. Implements `ports.TreeView`."""

    def __init__(self, objects: Objects, rev: str) -> None:
        self._objects, self._rev = objects, rev

    def entries(self) -> Mapping[str, Entry]:
        """path -> entry, for every file, link and submodule."""
        return self._objects.entries(self._rev)

    def read(self, path: str) -> bytes | None:
        """A file's bytes, a link's target; None where there is no such file."""
        entry = self.entries().get(path)
        if entry is None or entry.mode == SUBMODULE:
            return None
        return self._objects.read([entry.oid])[entry.oid]


class Objects:
    """The object database of one clone."""

    def __init__(self, command: Command, folder: Path) -> None:
        self._command = command
        self._loose = LooseObjectDB(str(folder / "objects"))
        self.entries = lru_cache(maxsize=16)(self._list)

    def _list(self, rev: str) -> Mapping[str, Entry]:
        listing = self._command.run("ls-tree", "-r", "-z", "--full-tree", rev).out
        entries: dict[str, Entry] = {}
        for line in listing.split(b"\0")[:-1]:
            facts, path = line.split(b"\t", 1)
            mode, _, oid = facts.decode("ascii").split(" ")
            entries[to_text(path)] = Entry(mode, oid)
        return entries

    def read(self, oids: Sequence[str]) -> dict[str, bytes]:
        """The contents of blobs."""
        return self._command.objects(oids)

    def write_blob(self, data: bytes) -> str:
        """A blob's id, once it is written."""
        stream = IStream("blob", len(data), io.BytesIO(data))
        return str(self._loose.store(stream).hexsha.decode("ascii"))

    def write_tree(self, base: str, changes: Mapping[str, tuple[str, bytes] | Entry | None]) -> str:
        """A tree with some paths replaced, through an index of its own."""
        if not changes:
            return self._command.run("rev-parse", "--verify", f"{base}^{{tree}}").text
        with tempfile.TemporaryDirectory(prefix="nightshift-index-") as folder:
            index = {"GIT_INDEX_FILE": f"{folder}/index"}
            self._command.run("read-tree", base, variables=index)
            self._command.run(
                "update-index", "-z", "--index-info", stdin=self._lines(changes), variables=index
            )
            return self._command.run("write-tree", variables=index).text

    def _lines(self, changes: Mapping[str, tuple[str, bytes] | Entry | None]) -> bytes:
        """Removals first: a file may take the place of a folder, and the other way round."""
        gone = [f"0 {_NO_OBJECT}\t".encode() + to_bytes(path) + b"\0" for path in changes]
        new: list[bytes] = []
        for path, change in changes.items():
            if change is None:
                continue
            entry = change if isinstance(change, Entry) else self._written(*change)
            new.append(f"{entry.mode} {entry.oid}\t".encode() + to_bytes(path) + b"\0")
        return b"".join(gone + new)

    def _written(self, mode: str, data: bytes) -> Entry:
        return Entry(mode, self.write_blob(data))

    def commit_tree(
        self, tree: str, parents: Sequence[str], message: str, identity: Identity, at: datetime
    ) -> str:
        """A commit; nothing points at it yet."""
        when = f"@{int(at.timestamp())} +0000"
        variables = {
            f"GIT_{role}_{fact}": value
            for role in ("AUTHOR", "COMMITTER")
            for fact, value in (("NAME", identity.name), ("EMAIL", identity.email), ("DATE", when))
        }
        ancestors = [word for parent in parents for word in ("-p", parent)]
        return self._command.run(
            "commit-tree",
            *ancestors,
            "-F",
            "-",
            tree,
            stdin=message.encode("utf-8", "replace"),
            variables=variables,
        ).text
