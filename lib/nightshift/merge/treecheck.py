"""Imports of a merged file that the merged tree cannot serve. Reads trees; mends nothing.

One side's caller and the other side's module merge cleanly and break at run time: the name was
renamed or taken out there (sync.md, phase 1 points 7 and 8). What is found here is handed to a
second merge of the file, in which nothing may read these names.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from nightshift.merge.symbols import bound, parse

Read = Callable[[str], bytes | None]
"""path → a file's bytes; None where the tree has no such file."""


@dataclass(slots=True)
class Modules:
    """The Python modules of one tree.

    :param paths: the tree's paths.
    :param read: gives a file's bytes.
    """

    paths: Mapping[str, object]
    read: Read
    _texts: dict[str, str] = field(default_factory=dict)
    _names: dict[str, frozenset[str] | None] = field(default_factory=dict)

    def serves(self, importer: str, module: str, name: str) -> bool | None:
        """Whether a module of this tree gives a name; None where no module of this tree is meant.

        :param importer: the path of the file that imports.
        :param module: a dotted name, with leading dots where it is relative.
        """
        stems = [stem for stem in self._stems(importer, module) if self._is_package(stem)]
        if not stems:
            return None
        return any(self._gives(stem, name) for stem in stems)

    def has(self, importer: str, module: str) -> bool:
        """Whether this tree has a module."""
        return any(map(self._is_package, self._stems(importer, module)))

    def _stems(self, importer: str, module: str) -> Iterator[str]:
        """Where a module may stand: below any folder above the importer that is no package itself,
        since from inside a package its modules are reached by its name or by dots."""
        name = module.lstrip(".")
        level = len(module) - len(name)
        parts = importer.split("/")[:-1]
        tail = name.split(".") if name else []
        if level:
            yield "/".join(parts[: len(parts) - level + 1] + tail)
        elif tail[0] not in sys.stdlib_module_names:
            for depth in range(len(parts), -1, -1):
                folder = parts[:depth]
                if "/".join([*folder, "__init__.py"]) not in self.paths:
                    yield "/".join(folder + tail)

    def _is_package(self, stem: str) -> bool:
        return f"{stem}.py" in self.paths or f"{stem}/__init__.py" in self.paths

    def _gives(self, stem: str, name: str) -> bool:
        if self._is_package(f"{stem}/{name}"):
            return True
        path = f"{stem}.py" if f"{stem}.py" in self.paths else f"{stem}/__init__.py"
        if path not in self._texts:
            self._texts[path] = (self.read(path) or b"").decode("utf-8", "surrogateescape")
        if _plainly_gives(self._texts[path], name):
            return True
        if path not in self._names:
            self._names[path] = _given(self._texts[path])
        names = self._names[path]
        return names is None or name in names


def _plainly_gives(text: str, name: str) -> bool:
    """Whether a module defines a name at the start of a line: most are found so, without
    parsing."""
    starts = (f"\ndef {name}(", f"\nclass {name}(", f"\nclass {name}:", f"\n{name} =", f"\n{name}:")
    return any(start in text for start in starts)


def _given(text: str) -> frozenset[str] | None:
    """The names that a module gives; None where it may give any."""
    tree = parse(text)
    if tree is None:
        return None
    names = frozenset(bound(tree.body))
    return None if names & {"*", "__getattr__"} else names


def absent(
    path: str, data: bytes, merged: Modules, sides: tuple[Modules, Modules]
) -> frozenset[str]:
    """The names that a merged file imports in vain, though a side's own tree has them."""
    tree = parse(data.decode("utf-8", "surrogateescape"))
    if tree is None:
        return frozenset()
    missing: set[str] = set()
    for module, name, binds in _imports(tree.body):
        if not name:
            if not merged.has(path, module) and any(side.has(path, module) for side in sides):
                missing.add(binds)
        elif not merged.serves(path, module, name):
            if any(side.serves(path, module, name) for side in sides):
                missing.add(binds)
    return frozenset(missing)


def _imports(body: list[ast.stmt]) -> Iterator[tuple[str, str, str]]:
    """(module, name, bound name) of the unguarded imports of a module; of `import a.b` the whole
    name is said to be bound, since `a` may be there all the same."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from ((alias.name, "", alias.name) for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            for alias in node.names:
                if alias.name != "*":
                    yield module, alias.name, alias.asname or alias.name
