"""One walk over one syntax tree: scopes as they open and close, and what is collected on the way.

The walk is driven by a table from node type to handler (`extract.HANDLERS`); a node that no handler
knows has its children read.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from nightshift.sync.audits.index.facts import (
    Event,
    Field,
    Function,
    Import,
    Mention,
    Ref,
    Removal,
    Root,
    Shape,
)
from nightshift.sync.audits.index.scopes import Binding, Scope

Handler = Callable[["Reader", ast.AST], None]


@dataclass(slots=True)
class RawUse:
    """A use before its first name is explained."""

    name: str
    path: tuple[str, ...]
    scope: Scope
    line: int
    column: int
    call: Shape | None
    guarded: bool


@dataclass(slots=True)
class ClassDraft:
    """A class while it is being read."""

    name: str
    line: int
    bases: list[Binding]
    decorators: tuple[str, ...]
    methods: dict[str, Function] = field(default_factory=dict)
    fields: dict[str, tuple[Field, Binding]] = field(default_factory=dict)
    attributes: dict[str, list[Binding]] = field(default_factory=dict)
    open: bool = False


@dataclass(slots=True)
class Draft:
    """All that one walk collects."""

    functions: dict[str, Function] = field(default_factory=dict)
    classes: dict[str, ClassDraft] = field(default_factory=dict)
    forwards: dict[str, Binding] = field(default_factory=dict)
    imports: list[Import] = field(default_factory=list)
    uses: list[RawUse] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    exports: list[Mention] = field(default_factory=list)
    options: list[Mention] = field(default_factory=list)
    fed: list[Binding] = field(default_factory=list)
    writes: set[str] = field(default_factory=set)
    texts: list[Mention] = field(default_factory=list)
    removals: list[Removal] = field(default_factory=list)
    words: set[str] = field(default_factory=set)
    tested: set[str] = field(default_factory=set)
    dynamic: bool = False

    def define(self, function: Function, owner: ClassDraft | None) -> None:
        """Note a function or method; one that is defined twice has no certain parameters."""
        table = self.functions if owner is None else owner.methods
        key = function.name if owner is None else function.name.rpartition(".")[2]
        old = table.get(key)
        if old is not None and any(
            d.endswith((".setter", ".deleter")) for d in function.decorators
        ):
            return
        if old is not None and old.parameters != function.parameters:
            function = replace(function, parameters=None)
        table[key] = function


class Reader:
    """The state of a walk."""

    def __init__(self, handlers: Mapping[type[ast.AST], Handler]) -> None:
        self.handlers = handlers
        self.scope = Scope("module", "", None)
        self.module = self.scope
        self.draft = Draft()
        self.owner: ClassDraft | None = None
        self.guarded = False
        self.typing_only = False

    def visit(self, node: ast.AST) -> None:
        """Read one node."""
        handler = self.handlers.get(node.__class__)
        if handler is None:
            self.children(node)
        else:
            handler(self, node)

    def children(self, node: ast.AST) -> None:
        """Read a node's children, in the order of the grammar."""
        # pylint: disable=protected-access  # `_fields` is ast's documented interface
        for name in node._fields:
            value = getattr(node, name, None)
            if value.__class__ is list:
                self.all(value)
            elif isinstance(value, ast.AST):
                self.visit(value)

    def all(self, nodes: list[ast.AST] | list[ast.expr] | list[ast.stmt]) -> None:
        """Read nodes in order."""
        for node in nodes:
            if isinstance(node, ast.AST):
                self.visit(node)

    @contextmanager
    def inside(self, scope: Scope, owner: ClassDraft | None) -> Iterator[None]:
        """Read what follows inside another scope."""
        before, self.scope = self.scope, scope
        held, self.owner = self.owner, owner
        yield
        self.scope, self.owner = before, held

    @contextmanager
    def guard(self, guarded: bool) -> Iterator[None]:
        """Read what follows as code that expects names to be missing."""
        before, self.guarded = self.guarded, self.guarded or guarded
        yield
        self.guarded = before

    @contextmanager
    def checking(self) -> Iterator[None]:
        """Read what follows as code that only type checkers see."""
        before, self.typing_only = self.typing_only, True
        yield
        self.typing_only = before

    @property
    def at_import(self) -> bool:
        """Whether the code being read runs when the file is imported, at its top level."""
        return self.scope is self.module and not self.typing_only

    def use(self, name: str, path: tuple[str, ...], node: ast.expr, call: Shape | None) -> None:
        """Note that a reference is read or called here."""
        use = RawUse(name, path, self.scope, node.lineno, node.col_offset, call, self.guarded)
        self.draft.uses.append(use)

    def bind(self, name: str, binding: Binding) -> None:
        """Note that a name comes to be here."""
        self.scope.bind(name, binding)
        if self.at_import:
            self.draft.events.append(Event(name))

    def local(self, name: str) -> Ref | None:
        """The reference to something defined in the scope being read."""
        return Ref(Root.LOCAL, name) if self.scope is self.module else None
