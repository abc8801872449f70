"""Files that a side has and the merge would drop: brought back where something in the result
needs them.

(sync.md, phase 1 point 9.) Deleted on purpose and needed by nothing: stays deleted. Looks at
imports, and at mentions of the path or the module's name in code and configuration; prose does
not count.
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
from nightshift.sync.sides import SUBMODULE, Sides, Tree, other

RULE = "deleted-file"
RESTORED = "deleted by the {side}, and needed by {users}: restored."
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
    users = _Users(sides, draft, whole_tree=Side.SOURCE in missing.values())
    while missing:
        needed = {path: names for path in missing if (names := users.of(path))}
        if not needed:
            break
        back = [_comeback(sides, missing.pop(path), path, names) for path, names in needed.items()]
        draft.apply(item.decision for item in back)
        users.add([item.decision.path for item in back])
        found += back
    return found


def _missing(sides: Sides, policy: PathPolicy, entries: Tree) -> dict[str, Side]:
    """path -> the side that deleted it: of the source's files all that are gone, of the target's
    those that it had changed."""
    gone = {path: Side.TARGET for path in sides.source_tree if path not in entries}
    for conflict in sides.merge.conflicts:
        if conflict.source is None and conflict.base is not None and conflict.path not in entries:
            if conflict.path in sides.target_tree:
                gone[conflict.path] = Side.SOURCE
    return {path: side for path, side in gone.items() if not policy.guarded(path)}


def _comeback(sides: Sides, deleted_by: Side, path: str, users: Sequence[str]) -> Comeback:
    kept_by = other(deleted_by)
    evidence = sides.deletion(deleted_by, [path])
    why = RESTORED.format(side=deleted_by.value, users=", ".join(users[:3]))
    ledger = Resolution(
        path, None, Method.REPAIR, Kept(kept_by.value), evidence, Confidence.MEDIUM, why
    )
    finding = Finding(
        RULE, Severity.WARN, path, why, disposition=Disposition.RESTORED, evidence=evidence
    )
    decision = Decision(path, sides.tree(kept_by)[path], (ledger,), (finding,))
    return Comeback(Restored(path, why, evidence), decision)


class _Users:
    """The files of the result that could need a missing one: those that differ from the target's,
    since the target as it was did without it; all of them where the source deleted it."""

    def __init__(self, sides: Sides, draft: Draft, *, whole_tree: bool) -> None:
        self._draft = draft
        self._texts: dict[str, bytes] = {}
        self._imports: dict[str, frozenset[str]] = {}
        entries = draft.entries()
        paths = [p for p, e in entries.items() if whole_tree or sides.target_tree.get(p) != e]
        self.add([path for path in paths if entries[path].mode != SUBMODULE])

    def add(self, paths: Sequence[str]) -> None:
        """Look at these files too."""
        texts = self._draft.read_all([path for path in paths if not path.endswith(_PROSE)])
        self._texts.update({p: data for p, data in texts.items() if len(data) < _LONGEST})

    def of(self, path: str) -> list[str]:
        """The files that need a path."""
        stem = path.rpartition("/")[2].partition(".")[0]
        word = (stem if stem != _PACKAGE else path.split("/")[-2:][0]).encode("utf-8", "replace")
        return [
            user
            for user, data in sorted(self._texts.items())
            if word in data and user != path and self._needs(user, data, path)
        ]

    def _needs(self, user: str, data: bytes, path: str) -> bool:
        if path.encode("utf-8", "surrogateescape") in data:
            return True
        if not path.endswith(".py") or not user.endswith(".py"):
            return False
        if user not in self._imports:
            self._imports[user] = frozenset(imported(user, data))
        return not self._imports[user].isdisjoint(module_names(path))


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
