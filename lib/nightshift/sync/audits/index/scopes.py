"""Which definition a name means, by the rules of Python's scopes. Knows one file, and no other.

Where a name is bound in more than one way, it means nothing certain, and so says `None`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from nightshift.sync.audits.index.facts import Ref, Root

DEPTH = 12
"""How many names a name may be explained by before it is called unknown: aliases can be
circular."""


class How(Enum):
    """In which way a name comes from an expression."""

    ALIAS = "alias"
    RESULT = "result"
    ANNOTATED = "annotated"


class Nothing(Enum):
    """A name set to `None`: says nothing of what it is at other times."""

    NOTHING = 0


@dataclass(frozen=True, slots=True)
class Pending:
    """A binding to an expression whose first name is explained when all of the file has been
    read."""

    how: How
    name: str
    path: tuple[str, ...]
    scope: Scope


Binding = Ref | Pending | Nothing | None


@dataclass(eq=False, slots=True)
class Scope:
    """A module, class or function body.

    :param name: its dotted name; "" for the module.
    :param owner: the class whose body this is, or whose method this is; "" outside of classes.
    """

    kind: str
    name: str
    parent: Scope | None
    owner: str = ""
    bindings: dict[str, Binding] = field(default_factory=dict)

    def bind(self, name: str, binding: Binding) -> None:
        """Note one more way in which a name comes to be."""
        old = self.bindings.get(name, Nothing.NOTHING)
        if name not in self.bindings or old is Nothing.NOTHING:
            self.bindings[name] = binding
        elif binding is not Nothing.NOTHING and binding != old:
            self.bindings[name] = None

    def forget(self, names: Iterable[str]) -> None:
        """Names that are bound to something that nothing is known of."""
        for name in names:
            self.bindings[name] = None

    def holder(self, name: str) -> Scope | None:
        """The scope that a name read here belongs to; None for a builtin or an unbound name."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.bindings and (scope is self or scope.kind != "class"):
                return scope
            scope = scope.parent
        return None

    def explain(self, name: str, depth: int = 0) -> Ref | None:
        """What a name read in this scope means."""
        if name == "super()":
            return Ref(Root.SUPER, self.owner) if self.owner else None
        holder = self.holder(name)
        if holder is None or depth > DEPTH:
            return None
        return explained(holder.bindings[name], depth)


def explained(binding: Binding, depth: int = 0) -> Ref | None:
    """The reference behind a binding."""
    if not isinstance(binding, Pending):
        return None if isinstance(binding, Nothing) else binding
    inner = binding.scope.explain(binding.name, depth + 1)
    if inner is None:
        return None
    inner = inner.then(*binding.path)
    if binding.how is How.ALIAS:
        return inner
    return Ref(Root.RESULT if binding.how is How.RESULT else Root.ANNOTATED, of=inner)
