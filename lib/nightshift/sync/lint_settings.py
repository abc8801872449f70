"""A repository's own settings of its linter, as far as they are plain values: read, never run.

What loads plug-ins or runs code is not even looked for.
"""

from __future__ import annotations

import configparser
import tomllib
from collections.abc import Mapping
from typing import Any

from nightshift.ports import TreeView

WIDTH = "max-line-length"
DEFAULT_WIDTH = 100
"""pylint's own."""

PRIVATE = "no-docstring-rgx"
"""Which names need no docstring; pylint's own: those that begin with an underscore."""

NAMES = (WIDTH, "ignore-long-lines", PRIVATE, "docstring-min-length")
"""The settings that decide which lines are too long and which docstrings are missing."""

NUMBERS = frozenset({WIDTH, "docstring-min-length"})
FILES = ("pylintrc", ".pylintrc", "pyproject.toml")
"""Where pylint looks for its settings, in its order."""


def settings(tree: TreeView, file: str | None = None) -> Mapping[str, str]:
    """name -> value, of the first file that has any settings of pylint's.

    :param file: the one file to look at; None: those at which pylint looks.
    """
    for path in FILES if file is None else (file,):
        data = tree.read(path)
        if data is not None:
            found = _read(path, data.decode("utf-8", "replace"))
            if found is not None:
                return {name: value for name, value in found.items() if _is_good(name, value)}
    return {}


def _is_good(name: str, value: str) -> bool:
    return name in NAMES and (name not in NUMBERS or value.removeprefix("-").isdecimal())


def _read(path: str, text: str) -> Mapping[str, str] | None:
    return _of_toml(text) if path.endswith(".toml") else _of_ini(text)


def _of_ini(text: str) -> Mapping[str, str] | None:
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        parser.read_string(text)
    except configparser.Error:
        return None
    pairs = (pair for section in parser.sections() for pair in parser.items(section))
    return {name.replace("_", "-"): (value or "").strip() for name, value in pairs}


def _of_toml(text: str) -> Mapping[str, str] | None:
    try:
        table: Any = tomllib.loads(text).get("tool", {}).get("pylint")
    except (tomllib.TOMLDecodeError, AttributeError):
        return None
    if not isinstance(table, dict):
        return None
    sections = [table, *(part for part in table.values() if isinstance(part, dict))]
    pairs = (pair for section in sections for pair in section.items())
    return {
        name.replace("_", "-"): str(value).strip()
        for name, value in pairs
        if isinstance(value, str | int)
    }
