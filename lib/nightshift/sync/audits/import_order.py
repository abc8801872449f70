"""Imports that fail because modules import each other in a circle: what Python would do, statement
by statement.

isort may make such a circle by sorting an `__init__.py` (sync.md, phase 1 point 11). Only top
levels are looked at, since only they run at import; what a `try` expects to fail is passed over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.audits.index.facts import Facts, Import
from nightshift.sync.audits.index.resolve import Resolver
from nightshift.sync.audits.index.tree import module_name

RULE = "import-circle"
MESSAGE = (
    "imports {name!r} from {module}, which is not there yet: the modules "
    "import each other in a circle"
)
DEEPEST = 300


class _Importing:
    """One start of Python that imports one module."""

    def __init__(self, tree: Resolver) -> None:
        self._tree = tree
        self._bound: dict[str, set[str]] = {}
        self._whole: set[str] = set()
        self.failures: list[Fault] = []

    def load(self, module: str, depth: int = 0) -> None:
        """Import a module and the packages that it stands in."""
        parts = module.split(".")
        for length in range(1, len(parts) + 1):
            self._load(".".join(parts[:length]), depth)

    def _load(self, module: str, depth: int) -> None:
        path = self._tree.index.modules.get(module)
        if module in self._bound or path is None or depth > DEEPEST:
            return
        self._bound[module] = set()
        facts = self._tree.index.facts(path)
        if facts is not None:
            for event in facts.events:
                if event.imported is not None:
                    self._import(path, module, event.imported, depth)
                else:
                    self._bound[module].add(event.bound)
        self._whole.add(module)

    def _import(self, path: str, here: str, found: Import, depth: int) -> None:
        target = self._tree.index.target(path, found)
        self.load(target, depth + 1)
        if found.name not in ("", "*") and target in self._bound:
            self.load(f"{target}.{found.name}", depth + 1)
            if not found.guarded and not self._is_there(target, found.name):
                message = MESSAGE.format(name=found.name, module=target)
                subject = Subject(path, "", found.name, target)
                self.failures.append(Fault(RULE, path, message, found.line, subject=subject))
        self._bound[here].add(found.bound)

    def _is_there(self, module: str, name: str) -> bool:
        """Whether a module has a name at this moment. A whole module is another rule's business."""
        if (
            module in self._whole
            or name in self._bound[module]
            or f"{module}.{name}" in self._bound
        ):
            return True
        facts = self._tree.index.module(module)
        return (
            facts is None
            or facts.dynamic
            or self._tree.index.knows(f"{module}.{name}")
            or _star(facts)
        )


def _star(facts: Facts) -> bool:
    return any(one.name == "*" for one in facts.imports)


def failures(tree: Resolver, paths: Iterable[str]) -> Iterator[Fault]:
    """The imports that fail when one of these files is imported first."""
    seen: set[tuple[str, str, str]] = set()
    for path in sorted(set(paths)):
        if path in tree.index.entries:
            start = _Importing(tree)
            start.load(module_name(path))
            for fault in start.failures:
                if fault.key not in seen:
                    seen.add(fault.key)
                    yield fault


def made_by_sorting(before: Resolver, after: Resolver, changed: Collection[str]) -> list[Fault]:
    """The failures that a change of import order in some `__init__.py` makes: its order is to be
    undone there.

    :param before, after: the tree before and after sorting.
    :param changed: the files that were sorted.
    """
    packages = [path for path in changed if path.rpartition("/")[2] == "__init__.py"]
    known = {fault.key for fault in failures(before, packages)}
    return [fault for fault in failures(after, packages) if fault.key not in known]
