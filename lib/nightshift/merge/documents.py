"""Files that are no Python as sections: YAML and TOML by key, Markdown by heading. Reads text only.

The sections partition the text line by line, as those of `symbols` do, so the same merge works on
them. A text that is not laid out by the book (YAML in flow style, one-line JSON) has no sections;
it is merged by line. `sound` says whether a merged text still is what its kind demands.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator

import yaml

from nightshift.merge.lines import Lines
from nightshift.merge.symbols import HEAD, Section

_HEADING = re.compile(r"(#{1,6})[ \t]+(\S.*)")
_TABLE = re.compile(r"(\[\[?[^\[\]]+\]\]?)[ \t]*(?:#.*)?$")
_KEY = re.compile(r"([A-Za-z0-9_.\"'/*-][^:#=]*?)[ \t]*:(?:[ \t].*)?$")
_PAIR = re.compile(r"([A-Za-z0-9_.\"'-]+)[ \t]*=")
_FENCE = ("```", "~~~")


def outline(path: str, lines: Lines) -> tuple[Section, ...] | None:
    """The sections of a file by its kind; None where its kind has none."""
    if path.endswith((".md", ".markdown")):
        return _split(lines, _markdown(lines), comments=False)
    if path.endswith(".toml"):
        tables = _split(lines, [_named(_TABLE, line) for line in lines])
        return tuple(_with_members(table, _PAIR) for table in tables)
    if path.endswith((".yaml", ".yml")):
        return _split(lines, [_named(_KEY, line) for line in lines])
    return None


def _named(pattern: re.Pattern[str], line: str) -> str | None:
    found = pattern.match(line)
    return found[1] if found else None


def _markdown(lines: Lines) -> list[str | None]:
    """The heading that each line is; what stands in a code block is none."""
    names: list[str | None] = []
    fence = ""
    for line in lines:
        opened = next((mark for mark in _FENCE if line.lstrip().startswith(mark)), "")
        if opened and fence in ("", opened):
            fence = "" if fence else opened
        found = None if fence else _HEADING.match(line)
        names.append(f"{found[1]} {found[2].strip()}" if found else None)
    return names


def _split(lines: Lines, names: list[str | None], comments: bool = True) -> tuple[Section, ...]:
    """Sections that begin at the lines that have a name; blank lines and comments above go with
    them."""
    starts = [
        (_above(lines, n, comments), name) for n, name in enumerate(names) if name is not None
    ]
    return tuple(_sections(lines, starts))


def _above(lines: Lines, at: int, comments: bool) -> int:
    while at and (not lines[at - 1].strip() or (comments and lines[at - 1].startswith("#"))):
        at -= 1
    return at


def _sections(lines: Lines, starts: list[tuple[int, str]]) -> Iterator[Section]:
    first = starts[0][0] if starts else len(lines)
    if first:
        yield Section(HEAD, HEAD, "", lines[:first])
    seen: Counter[str] = Counter()
    ends = [start for start, _ in starts[1:]] + [len(lines)]
    for (start, name), end in zip(starts, ends):
        key = f"{name}#{seen[name]}" if seen[name] else name
        seen[name] += 1
        yield Section(key, "key", name, lines[start:end])


def _with_members(table: Section, pattern: re.Pattern[str]) -> Section:
    """A table with its entries as members, where it has any."""
    names = [_named(pattern, line) for line in table.lines]
    members = _split(table.lines, names)
    if len(members) < 2 or members[0].key != HEAD:
        return table
    return Section(table.key, table.kind, table.name, table.lines, frozenset(), members)


def sound(path: str) -> Callable[[str], bool]:
    """Whether a text is valid for the kind that its name says; True for kinds without a grammar."""
    for ending, check in _CHECKS.items():
        if path.endswith(ending):
            return check
    return lambda _: True


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _is_yaml(text: str) -> bool:
    try:
        for _ in yaml.parse(text, Loader=_LOADER):
            pass
    except (yaml.YAMLError, ValueError, RecursionError):
        return False
    return True


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CHECKS: dict[str, Callable[[str], bool]] = {
    ".json": _is_json,
    ".toml": _is_toml,
    ".yaml": _is_yaml,
    ".yml": _is_yaml,
}
