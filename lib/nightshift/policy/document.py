"""YAML text to plain data, with the line of every key. Knows no policy.

Anchors, aliases and merge keys work; what could make a small text large (aliases of aliases) or
endless (an alias inside its own anchor) is refused, and so are tags, keys that are no words, and
keys given twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from nightshift.errors import UserError, UserErrors

KeyPath = tuple[str | int, ...]
"""Where a value stands: keys and positions from the top."""

NOT_YAML = "cannot be read as YAML: {why}."
EMPTY = "the file is empty."
TWICE = "this key is given twice."
NOT_A_WORD = "a key must be a word."
BAD_VALUE = "this value cannot be read."
MEND_VALUE = "Put a text in quotes; tags are not taken."
ENDLESS = "an alias stands inside its own anchor."
TOO_LARGE = "there are more than {limit} values, aliases counted each time."
TOO_DEEP = "it is nested too deeply."
BAD_MERGE = "`<<` takes an alias of a mapping, or a list of them."

_LIMIT = 50_000
_MERGE = "tag:yaml.org,2002:merge"
_PLAIN = "tag:yaml.org,2002:"


@dataclass(frozen=True, slots=True)
class Document:
    """A text as data.

    :param lines: the 1-based line of every key and list item.
    """

    name: str
    data: Any
    lines: Mapping[KeyPath, int]

    def line(self, path: KeyPath) -> int:
        """The line of a value, or of the nearest thing around it that is there."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def place(self, path: KeyPath) -> str:
        """`file:line: key`, for errors."""
        return f"{self.name}:{self.line(path)}: {dotted(path)}"


def read(text: str, *, name: str) -> Document:
    """A text's data.

    :param name: how errors name the file.
    :raises UserError: no YAML, or one problem; `UserErrors` where there are several.
    """
    reader = _Reader(name)
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        if node is None:
            raise UserError(EMPTY, where=name)
        data = reader.value(node, ())
    except yaml.YAMLError as error:
        raise _syntax(error, name) from error
    except RecursionError as error:
        raise UserError(TOO_DEEP, where=name) from error
    if reader.problems:
        raise UserErrors(reader.problems)
    return Document(name, data, reader.lines)


def dotted(path: KeyPath) -> str:
    """A path as errors show it."""
    return ".".join(str(part) for part in path)


def _syntax(error: yaml.YAMLError, name: str) -> UserError:
    mark = getattr(error, "problem_mark", None)
    where = f"{name}:{mark.line + 1}" if mark else name
    problem = getattr(error, "problem", None) or "a character that YAML does not allow"
    return UserError(NOT_YAML.format(why=problem), where=where)


@dataclass(slots=True)
class _Reader:
    """One walk over the nodes."""

    name: str
    lines: dict[KeyPath, int] = field(default_factory=dict)
    problems: list[UserError] = field(default_factory=list)
    _scalars: yaml.SafeLoader = field(default_factory=lambda: yaml.SafeLoader(""))
    _open: list[yaml.Node] = field(default_factory=list)
    _count: int = 0

    def value(self, node: yaml.Node, path: KeyPath) -> Any:
        """A node's value; the line of each key is noted on the way."""
        self.lines.setdefault(path, node.start_mark.line + 1)
        self._count += 1
        if self._count > _LIMIT:
            raise UserError(TOO_LARGE.format(limit=_LIMIT), where=self.name)
        if any(node is outer for outer in self._open):
            self._problem(ENDLESS, path)
            return None
        self._open.append(node)
        try:
            return self._inside(node, path)
        finally:
            self._open.pop()

    def _inside(self, node: yaml.Node, path: KeyPath) -> Any:
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, (*path, at)) for at, item in enumerate(node.value)]
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        return self._scalar(node, path)

    def _mapping(self, node: yaml.MappingNode, path: KeyPath) -> dict[str, Any]:
        result: dict[str, Any] = {}
        own = [pair for pair in node.value if pair[0].tag != _MERGE]
        for key, value in own:
            place = (*path, str(key.value))
            self.lines[place] = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                self._problem(NOT_A_WORD, place[:-1])
            elif key.value in result:
                self._problem(TWICE, place)
            else:
                result[key.value] = self.value(value, place)
        for key, value in self._merged(node, path):
            if key.value not in result:
                result[key.value] = self.value(value, (*path, key.value))
        return result

    def _merged(
        self, node: yaml.MappingNode, path: KeyPath
    ) -> Iterator[tuple[yaml.ScalarNode, yaml.Node]]:
        """The keys that `<<` brings in; the first mapping that has a key decides."""
        for key, value in node.value:
            if key.tag != _MERGE:
                continue
            sources = value.value if isinstance(value, yaml.SequenceNode) else [value]
            for source in sources:
                if not isinstance(source, yaml.MappingNode):
                    self._problem(BAD_MERGE, (*path, "<<"), key.start_mark.line + 1)
                    continue
                pairs = [pair for pair in source.value if isinstance(pair[0], yaml.ScalarNode)]
                yield from (pair for pair in pairs if pair[0].tag != _MERGE)

    def _scalar(self, node: yaml.Node, path: KeyPath) -> Any:
        try:
            if not node.tag.startswith(_PLAIN):
                raise ValueError(node.tag)
            return self._scalars.construct_object(node)
        except (yaml.YAMLError, ValueError):
            self._problem(BAD_VALUE, path, mend=MEND_VALUE)
            return None

    def _problem(self, what: str, path: KeyPath, line: int = 0, *, mend: str = "") -> None:
        at = line or self.lines.get(path, 1)
        self.problems.append(UserError(what, where=f"{self.name}:{at}: {dotted(path)}", mend=mend))
