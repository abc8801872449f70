"""Files of the source that the merge would drop: brought back where something in the result needs
them.

(sync.md, phase 1 point 9.) Deleted on purpose and needed by nothing: stays deleted. Looks at
imports, and at mentions of the path in code and configuration; prose does not count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nightshift.merge.resolution import Confidence, Method, Resolution
from nightshift.merge.resolution import Side as Kept
from nightshift.merge.symbols import parse
from nightshift.policy.model import Severity, Side
from nightshift.sync.candidate import Restored
from nightshift.sync.draft import Decision, Draft
from nightshift.sync.findings import Disposition, Finding
from nightshift.sync.paths import PathPolicy
from nightshift.sync.sides import Sides, Tree

RULE = "deleted-file"
RESTORED = "deleted by the target, and needed by {users}: restored."
_PROSE = (".md", ".rst", ".txt", ".ipynb", ".json", ".csv", ".lock", ".svg")
_LONGEST = 1_000_000
_PACKAGE = "__init__"


@dataclass(frozen=True, slots=True)
class Comeback:
    """A file that comes back."""

    restored: Restored
    decision: Decision


def restore(sides: Sides, policy: PathPolicy, draft: Draft) -> list[Comeback]:
    """Bring back what is needed, and what that needs in turn; laid over the draft at once."""
    found: list[Comeback] = []
    missing = _missing(sides, policy, draft.entries())
    users = _Users(sides, draft) if missing else None
    while users is not None and missing:
        needed = {path: names for path in sorted(missing) if (names := users.of(path))}
        if not needed:
            break
        missing -= needed.keys()
        back = [_comeback(sides, path, names) for path, names in needed.items()]
        draft.apply(item.decision for item in back)
        users.add(list(needed))
        found += back
    return found


def _missing(sides: Sides, policy: PathPolicy, entries: Tree) -> set[str]:
    """The files of the source that the result lacks."""
    return {
        path
        for path in sides.source_tree
        if path not in entries and not policy.guarded(path) and _twin(path) not in entries
    }


def _twin(path: str) -> str:
    """The other file that is imported under the same name: a module for a package and back."""
    package = f"/{_PACKAGE}.py"
    if path.endswith(package):
        return path.removesuffix(package) + ".py"
    return path.removesuffix(".py") + package if path.endswith(".py") else ""


def _comeback(sides: Sides, path: str, users: Sequence[str]) -> Comeback:
    evidence = sides.deletion(Side.TARGET, [path])
    why = RESTORED.format(users=", ".join(users[:3]))
    ledger = Resolution(path, None, Method.REPAIR, Kept.SOURCE, evidence, Confidence.MEDIUM, why)
    finding = Finding(
        RULE, Severity.WARN, path, why, disposition=Disposition.RESTORED, evidence=evidence
    )
    decision = Decision(path, sides.source_tree[path], (ledger,), (finding,))
    return Comeback(Restored(path, why, evidence), decision)


class _Users:
    """The files of the result that could need a missing one: those that differ from the target's,
    since the target as it was did without it."""

    def __init__(self, sides: Sides, draft: Draft) -> None:
        self._draft = draft
        self._texts: dict[str, bytes] = {}
        self._imports: dict[str, frozenset[str]] = {}
        entries = draft.entries().items()
        self.add([path for path, entry in entries if sides.target_tree.get(path) != entry])

    def add(self, paths: Sequence[str]) -> None:
        """Look at these files too."""
        texts = self._draft.read_all([path for path in paths if not path.endswith(_PROSE)])
        self._texts.update({p: data for p, data in texts.items() if len(data) < _LONGEST})

    def of(self, path: str) -> list[str]:
        """The files that need a path."""
        words = _Words(path)
        return [
            user
            for user, data in sorted(self._texts.items())
            if user != path and self._needs(user, data, words)
        ]

    def _needs(self, user: str, data: bytes, words: _Words) -> bool:
        if mentions(data, words.path):
            return True
        if not user.endswith(".py") or not words.may_be_imported(user, data):
            return False
        if user not in self._imports:
            self._imports[user] = frozenset(imported(user, data))
        return not self._imports[user].isdisjoint(words.modules)


class _Words:
    """What a file that needs a path must hold: a look at the bytes spares most files their
    parsing."""

    def __init__(self, path: str) -> None:
        self.path = path.encode("utf-8", "surrogateescape")
        self.modules = module_names(path) if path.endswith(".py") else frozenset()
        parts = max(self.modules, key=len, default="").split(".")
        self._top = path.split("/")[0] + "/"
        self._name = parts[-1].encode("utf-8", "surrogateescape")
        self._dotted = ".".join(parts[-2:]).encode("utf-8", "surrogateescape")
        self._parent = ".".join(parts[-3:-1]).encode("utf-8", "surrogateescape")

    def may_be_imported(self, user: str, data: bytes) -> bool:
        """Whether a Python file's bytes could hold an import of the path."""
        if not self.modules or self._name not in data:
            return False
        relative = b"from ." in data and user.startswith(self._top)
        return self._dotted in data or self._parent in data or relative


def mentions(data: bytes, path: bytes) -> bool:
    """Whether a path stands in a text by itself, not as a part of a longer name. A name without a
    folder must not follow one: `run.py` is not meant by `tools/run.py`."""
    at = data.find(path)
    while at >= 0:
        before, after = data[max(0, at - 2) : at], data[at + len(path) : at + len(path) + 1]
        bare = b"/" in path or not before.endswith(b"/") or before == b"./"
        if bare and not _goes_on(before[-1:]) and not _goes_on(after):
            return True
        at = data.find(path, at + 1)
    return False


def _goes_on(char: bytes) -> bool:
    return char.isalnum() or char in (b"_", b"-")


def module_names(path: str) -> frozenset[str]:
    """The dotted names under which a Python file may be imported, whatever its source folder is."""
    parts = path.removesuffix(".py").split("/")
    parts = parts[:-1] if parts[-1] == _PACKAGE else parts
    shortest = min(2, len(parts))
    return frozenset(".".join(parts[at:]) for at in range(len(parts) - shortest + 1))


def imported(path: str, data: bytes) -> Iterator[str]:
    """The dotted names of the modules that a Python file imports; relative ones from the top."""
    tree = parse(data.decode("utf-8", "replace"))
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = _absolute(path, node)
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def _absolute(path: str, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = path.split("/")[: -node.level]
    return ".".join([*package, *([node.module] if node.module else [])])
