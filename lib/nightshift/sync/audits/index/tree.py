"""One tree of files as modules of Python, read lazily; blobs that several trees share are read
once.

Reads through a `TreeView`; a tree with some files replaced is another view over the same cache.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cached_property

from nightshift.ports import TreeView
from nightshift.sync.audits.index.extract import extract
from nightshift.sync.audits.index.facts import Facts, Import, Ref, Root
from nightshift.values import Entry

LINK = "120000"
SUBMODULE = "160000"
INIT = "/__init__.py"
FEW = 6
"""Names that are looked for in the bytes of all files; for more it is quicker to read them."""
LARGEST = 4_000_000
"""Bytes over which a file is taken for generated and not read."""


class FactsCache:
    """Facts by blob id, for as long as one merge is looked at."""

    def __init__(self) -> None:
        self._facts: dict[str, Facts | None] = {}

    def of(self, view: TreeView, path: str, oid: str) -> Facts | None:
        """The facts of a blob; None where it does not parse."""
        if not oid:  # a text that is not written yet
            data = view.read(path) or b""
            oid = "text:" + hashlib.sha256(data).hexdigest()
        if oid not in self._facts:
            data = view.read(path) or b""
            self._facts[oid] = extract(data) if len(data) <= LARGEST else None
        return self._facts[oid]


class Overlay:
    """A tree with some files replaced or removed, as a `TreeView`."""

    def __init__(self, below: TreeView, changes: Mapping[str, bytes | None]) -> None:
        self._below = below
        self._changes = dict(changes)

    def entries(self) -> Mapping[str, Entry]:
        """path -> entry; the object ids of changed files are made up, and equal where the bytes
        are."""
        entries = dict(self._below.entries())
        for path, data in self._changes.items():
            old = entries.pop(path, None)
            if data is not None:
                oid = "overlay:" + hashlib.sha256(data).hexdigest()
                entries[path] = Entry(old.mode if old else "100644", oid)
        return entries

    def read(self, path: str) -> bytes | None:
        """A file's bytes; None where there is no such file."""
        return self._changes[path] if path in self._changes else self._below.read(path)


class TreeIndex:
    """The modules of one tree and what they say of themselves."""

    def __init__(self, view: TreeView, cache: FactsCache) -> None:
        self.view = view
        self.cache = cache
        self.entries = view.entries()
        self._writes: dict[str, bool] = {}

    @cached_property
    def python(self) -> tuple[str, ...]:
        """The paths of all Python files, in order."""
        plain = (p for p, e in self.entries.items() if e.mode not in (LINK, SUBMODULE))
        return tuple(sorted(p for p in plain if p.endswith(".py")))

    @cached_property
    def modules(self) -> Mapping[str, str]:
        """Dotted module name -> path, as seen from the root of the tree."""
        return {module_name(path): path for path in self.python}

    @cached_property
    def packages(self) -> frozenset[str]:
        """Dotted names of all folders that hold Python files, at any depth, with `__init__` or
        without."""
        found: set[str] = set()
        for path in self.python:
            parts = path.split("/")[:-1]
            found |= {".".join(parts[:depth]) for depth in range(1, len(parts) + 1)}
        return frozenset(found)

    @cached_property
    def folders(self) -> frozenset[str]:
        """Every folder that holds a file."""
        return frozenset(path.rpartition("/")[0] for path in self.entries)

    def facts(self, path: str) -> Facts | None:
        """A file's facts; None where there is no such file, or it does not parse."""
        entry = self.entries.get(path)
        return None if entry is None else self.cache.of(self.view, path, entry.oid)

    def module(self, name: str) -> Facts | None:
        """The facts of a module by its dotted name."""
        path = self.modules.get(name)
        return None if path is None else self.facts(path)

    def knows(self, name: str) -> bool:
        """Whether a dotted name is a module or package of this tree."""
        return name in self.modules or name in self.packages

    def absolute(self, path: str, module: str, level: int) -> str:
        """The absolute name of an imported module; for a script's neighbour, the name it has from
        the root."""
        if level:
            parts = path.split("/")[:-1]
            above = parts[: len(parts) - (level - 1)]
            return ".".join((*above, module) if module else above)
        folder = ".".join(path.split("/")[:-1])
        beside = f"{folder}.{module}" if folder else module
        first = module.partition(".")[0]
        near = f"{folder}.{first}" if folder else first
        if not self.knows(first) and self.knows(near):
            return beside
        return module

    def target(self, path: str, found: Import) -> str:
        """The absolute name of the module that an import speaks of."""
        return self.absolute(path, found.module, found.level)

    def of_ref(self, path: str, ref: Ref) -> str:
        """The absolute module name in an imported reference."""
        return self.absolute(path, ref.module, ref.level if ref.root is Root.IMPORT else 0)

    def all_facts(self) -> Iterator[tuple[str, Facts]]:
        """Every file that parses."""
        for path in self.python:
            facts = self.facts(path)
            if facts is not None:
                yield path, facts

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word that some file reads."""
        return frozenset().union(*(facts.words for _, facts in self.all_facts()))

    def writes(self, name: str) -> bool:
        """Whether some file sets an attribute of that name on an object that is not its own. The
        tree is read whole only where many names are asked for."""
        if len(self._writes) >= FEW:
            return name in self._written
        if name not in self._writes:
            word = name.encode("utf-8", "surrogateescape")
            files = (path for path in self.python if word in (self.view.read(path) or b""))
            read = (self.facts(path) for path in files)
            self._writes[name] = any(name in facts.writes for facts in read if facts)
        return self._writes[name]

    @cached_property
    def _written(self) -> frozenset[str]:
        return frozenset().union(*(facts.writes for _, facts in self.all_facts()))

    @cached_property
    def importers(self) -> Mapping[str, frozenset[str]]:
        """Path of a module -> the paths that import from it."""
        found: dict[str, set[str]] = {}
        for path, facts in self.all_facts():
            for imported in facts.imports:
                module = self.target(path, imported)
                for name in (module, f"{module}.{imported.name}"):
                    if name in self.modules:
                        found.setdefault(self.modules[name], set()).add(path)
        return {path: frozenset(paths) for path, paths in found.items()}


def module_name(path: str) -> str:
    """The dotted name of a file as seen from the root of the tree."""
    stem = path.removesuffix(INIT) if path.endswith(INIT) else path.removesuffix(".py")
    return stem.replace("/", ".")
