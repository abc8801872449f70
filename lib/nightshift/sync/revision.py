"""Whether one revision of a git source is broken: its metadata does not parse, or it lacks a name
that the merged tree imports and the other revision has (sync.md, phase 1 point 6).

Pure: revisions come in through a port, as trees. Nothing of them is run or installed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from nightshift.errors import HostError, UserError
from nightshift.ports import Revisions, TreeView
from nightshift.sync.audits.index.facts import Facts
from nightshift.sync.audits.index.resolve import Missing, Resolver
from nightshift.sync.audits.index.tree import FactsCache, TreeIndex
from nightshift.sync.sources import GitSource, Look, imported_from
from nightshift.values import Entry

METADATA = "pyproject.toml"
ROOTS = ("", "src/", "python/", "lib/")
"""Where a repository keeps its packages."""

NO_PARSE = "{source}: its metadata does not parse: {why}"
LACKS = "{source} has no {names}, which the merged tree imports"
NOT_SEEN = "could not be checked: {why}"
BOTH_BAD = "could not be decided: {one}, and so has the source's"
SHOWN = 5


@dataclass(frozen=True, slots=True)
class _Below:
    """The part of a tree that is below a folder, as a `TreeView` of its own."""

    tree: TreeView
    folder: str

    def entries(self) -> Mapping[str, Entry]:
        """The entries, by their paths below the folder."""
        at = len(self.folder)
        whole: Mapping[str, Entry] = dict(self.tree.entries())
        return {path[at:]: entry for path, entry in whole.items() if path.startswith(self.folder)}

    def read(self, path: str) -> bytes | None:
        """A file's bytes."""
        return self.tree.read(self.folder + path)


class Prober:
    """Looks into revisions for one merged tree. Implements `sync.sources.Probe`.

    :param merged: what the merged tree's files say of themselves.
    :param own: names of the merged tree's own top-level packages: not to be looked for elsewhere.
    """

    def __init__(
        self, read: Revisions, merged: Iterable[tuple[str, Facts]], own: frozenset[str]
    ) -> None:
        self._read, self._merged, self._own = read, tuple(merged), own

    def __call__(self, ours: GitSource, theirs: GitSource | None) -> Look:
        """Whether the target's revision is broken where the source's is not."""
        try:
            here = self._read(ours.url, ours.revision)
            there = None if theirs is None else self._read(theirs.url, theirs.revision)
        except (HostError, UserError) as error:
            return Look(unknown=NOT_SEEN.format(why=error))
        fault = metadata_fault(_Below(here, _folder(ours)))
        if fault:
            words = NO_PARSE.format(source=ours, why=fault)
            other = there is not None and metadata_fault(_Below(there, _folder(theirs or ours)))
            return Look(unknown=BOTH_BAD.format(one=words)) if other else Look(broken=words)
        if there is None:
            return Look()
        lacking = self._lacking(_Below(here, _folder(ours)), _Below(there, _folder(theirs or ours)))
        return Look(broken=LACKS.format(source=ours, names=_some(lacking))) if lacking else Look()

    def _lacking(self, here: TreeView, there: TreeView) -> list[str]:
        """The imported names that one revision has, and that the other certainly lacks."""
        found: list[str] = []
        for package, theirs in _packages(there).items():
            if package in self._own:
                continue
            ours = _packages(here).get(package)
            wanted = imported_from(self._merged, package)
            for module, names in wanted.items() if ours is not None else ():
                found += _missing(module, names, ours, theirs)
        return found


def _missing(
    module: str, names: Sequence[str], ours: Resolver | None, theirs: Resolver
) -> Iterator[str]:
    if ours is None or not theirs.index.knows(module):
        return
    if not ours.index.knows(module):
        yield module
        return
    for name in names:
        if isinstance(ours.member(module, name), Missing):
            if not isinstance(theirs.member(module, name), Missing):
                yield f"{module}.{name}"


def _packages(tree: TreeView) -> dict[str, Resolver]:
    """What a repository offers to be imported: the first part of its names -> its modules, as seen
    from the folder that they are in. A package may do without `__init__.py`."""
    found: dict[str, Resolver] = {}
    for root in ROOTS:
        below = Resolver(TreeIndex(_Below(tree, root), FactsCache()))
        for path in below.index.python:
            name = path.partition("/")[0].removesuffix(".py")
            if f"{name}/" not in ROOTS:
                found.setdefault(name, below)
    return found


def _folder(source: GitSource) -> str:
    return f"{source.folder.strip('/')}/" if source.folder.strip("/") else ""


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def metadata_fault(tree: TreeView) -> str:
    """Why a project's metadata does not parse; "" where it does, or where it has none of this kind.

    The rules are those of pyproject.toml (PEP 621, 735), of requirements (PEP 508) and of versions
    (PEP 440).
    """
    data = tree.read(METADATA)
    if data is None:
        return ""
    try:
        document = tomllib.loads(data.decode("utf-8"))
        return next(_faults(document), "")
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return f"it is no TOML: {error}"
    except (InvalidRequirement, InvalidSpecifier, InvalidVersion) as error:
        return " ".join(str(error).split())
    except (AttributeError, TypeError) as error:
        return f"a value has the wrong type: {error}"


def _faults(document: Mapping[str, Any]) -> Iterator[str]:
    project = document.get("project")
    if project is not None:
        if not project.get("name"):
            yield "the project has no name"
        if "version" not in project and "version" not in project.get("dynamic", ()):
            yield "the project has no version"
        if "version" in project:
            Version(project["version"])
        SpecifierSet(project.get("requires-python", ""))
        for line in project.get("dependencies", ()):
            Requirement(line)
        for group in project.get("optional-dependencies", {}).values():
            for line in group:
                Requirement(line)
    yield from _group_faults(document.get("dependency-groups", {}))


def _group_faults(groups: Mapping[str, Sequence[Any]]) -> Iterator[str]:
    names = {name.lower().replace("_", "-") for name in groups}
    for lines in groups.values():
        for line in lines:
            if isinstance(line, str):
                Requirement(line)
            elif line.get("include-group", "").lower().replace("_", "-") not in names:
                yield f"there is no dependency group {line.get('include-group')!r}"
