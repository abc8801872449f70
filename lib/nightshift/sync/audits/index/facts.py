"""What one Python file says about itself, as values. They hold no syntax tree, and no path: a blob
that several trees share is read once.

A `Ref` is a name as the file's own scopes explain it; which file or class it means elsewhere is the
resolver's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class Kind(Enum):
    """How a parameter takes its argument."""

    POSITIONAL_ONLY = 0
    PLAIN = 1
    VARIADIC = 2
    KEYWORD_ONLY = 3
    KEYWORDS = 4


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter; `default` is the source text of its default, None where it has none."""

    name: str
    kind: Kind
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Function:
    """A function or method of a file.

    :param name: its dotted name inside the file.
    :param parameters: None where the file defines it more than once, so that nothing is certain.
    :param decorators: dotted names, calls without their arguments.
    :param forwards: what it hands all of its arguments on to, as its file's names explain it.
    """

    name: str
    line: int
    parameters: tuple[Parameter, ...] | None
    decorators: tuple[str, ...] = ()
    forwards: Ref | None = None


class Root(Enum):
    """What the first name of a reference is."""

    IMPORT = "import"  # from module import name
    MODULE = "module"  # import module
    LOCAL = "local"  # a name of this file's top level
    SELF = "self"  # an instance of a class of this file
    CLASS = "cls"  # the class itself
    SUPER = "super"  # the next class after a class of this file
    RESULT = "result"  # what calling another reference gives
    ANNOTATED = "annotated"  # an instance of another reference, as an annotation says
    ARGUMENTS = "arguments"  # a `*name` or `**name` parameter


@dataclass(frozen=True, slots=True)
class Ref:
    """A dotted name whose first part is explained.

    :param name: the imported name, the local name, the class's dotted name.
    :param module, level: of an import, as written.
    :param of: what is called, or what the annotation names.
    :param path: the attributes that follow.
    """

    root: Root
    name: str = ""
    module: str = ""
    level: int = 0
    of: Ref | None = None
    path: tuple[str, ...] = ()

    def then(self, *attributes: str) -> Ref:
        """The same reference with more attributes behind it."""
        if not attributes:
            return self
        path = self.path + attributes
        return Ref(self.root, self.name, self.module, self.level, self.of, path)


@dataclass(frozen=True, slots=True)
class Shape:
    """How a call hands over its arguments."""

    positional: int
    star: bool
    keywords: tuple[str, ...]
    double_star: bool


@dataclass(frozen=True, slots=True)
class Use:
    """A reference that is read or called somewhere in the file.

    :param text: the reference as written.
    :param scope: dotted name of the function or class it stands in, "" at top level.
    :param column: 0-based byte column of the expression, as `ast` counts.
    :param guarded: stands under a `hasattr` test, in a `try` or under TYPE_CHECKING.
    """

    ref: Ref
    text: str
    scope: str
    line: int
    column: int
    call: Shape | None = None
    guarded: bool = False


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name. `name` is "" for `import module`, "*" for a star."""

    module: str
    level: int
    name: str
    bound: str
    line: int
    guarded: bool
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """A name that a class body assigns or annotates."""

    name: str
    line: int
    annotation: str = ""
    default: str | None = None
    type: Ref | None = None


@dataclass(frozen=True, slots=True)
class Class:
    """A class of a file.

    :param bases: None in place of a base that is no plain name.
    :param attributes: names assigned through `self`, with what is known of their values.
    :param open: attributes may come from elsewhere (`__getattr__`, `setattr`, a metaclass,
        `__dict__`).
    """

    name: str
    line: int
    bases: tuple[Ref | None, ...]
    decorators: tuple[str, ...]
    methods: Mapping[str, Function]
    fields: Mapping[str, Field]
    attributes: Mapping[str, Ref | None]
    open: bool = False


@dataclass(frozen=True, slots=True)
class Removal:
    """An item taken out of a container: `self.items.pop()`, `.remove(x)`, `del self.items[k]`."""

    scope: str
    container: str
    line: int


@dataclass(frozen=True, slots=True)
class Mention:
    """A text or attribute that names something: its words and its line."""

    text: str
    line: int
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """What importing the file does, in order: an import, or a name that comes to be."""

    bound: str
    imported: Import | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """All that is known of one file.

    :param names: what the top level binds, None where it is bound in more than one way.
    :param dynamic: the top level may bind more than is seen (`globals()`, module `__getattr__`).
    :param exports: `__all__` where it is a plain list of texts.
    :param options: names that an argument parser gets here.
    :param fed: classes that are handed to calls in a file that has to do with argument parsers.
    :param reads: attributes read from a variable that holds parsed arguments; `writes`: set on one.
    :param words: every identifier and every text that looks like one, but for what defines an
        option.
    """

    names: Mapping[str, Ref | None]
    functions: Mapping[str, Function]
    classes: Mapping[str, Class]
    imports: tuple[Import, ...]
    uses: tuple[Use, ...]
    events: tuple[Event, ...] = ()
    exports: tuple[Mention, ...] = ()
    dynamic: bool = False
    options: tuple[Mention, ...] = ()
    fed: tuple[Ref, ...] = ()
    reads: tuple[Mention, ...] = ()
    writes: frozenset[str] = frozenset()
    texts: tuple[Mention, ...] = ()
    removals: tuple[Removal, ...] = ()
    words: frozenset[str] = field(default_factory=frozenset)
