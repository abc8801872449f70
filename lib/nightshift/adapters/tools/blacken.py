"""black as a library, with the settings of a repository's `[tool.black]`. Reads no file.

Follows what `black --config pyproject.toml FILES` does; besides, files that the settings exclude
are left alone, as they are when the whole repository is checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

import black
import re2
from black.const import DEFAULT_LINE_LENGTH  # pylint: disable=no-name-in-module
from black.files import infer_target_version
from black.mode import Mode, Preview, TargetVersion  # pylint: disable=no-name-in-module

from nightshift.values import Styled

BAD_VALUE = "[tool.black] in the repository's configuration cannot be used: {why}."
OTHER_VERSION = (
    "the repository asks for black {wanted}, and black {found} is installed: black was left out."
)
NOT_PYTHON = "black cannot read it: {why}."
_FILTERS = ("exclude", "extend_exclude", "force_exclude")

_PARTS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|#[^\n]*|.", re.DOTALL)
"""An escaped character, a class in brackets, a comment, or any other character."""

Filter = Callable[[str], bool]


class Black:
    """black with one repository's settings.

    :raises ValueError: settings that black does not take.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        settings = _normal(config.get("tool", {}).get("black", {}))
        self.problem = _version_problem(settings)
        self._excluded = [_filter(settings[key]) for key in _FILTERS if settings.get(key)]
        self._mode = _mode(settings, config)
        self._stub_mode = _mode(settings, config, is_pyi=True)

    def __call__(self, path: str, text: str) -> Styled:
        """A file's text, formatted."""
        if self.problem or any(excluded(path) for excluded in self._excluded):
            return Styled(text)
        mode = self._stub_mode if path.endswith(".pyi") else self._mode
        try:
            return Styled(black.format_str(text, mode=mode))
        except Exception as error:  # pylint: disable=broad-exception-caught  # it raises anything
            return Styled(text, NOT_PYTHON.format(why=_first_line(error)))


def _normal(section: Mapping[str, Any]) -> dict[str, Any]:
    return {key.replace("--", "").replace("-", "_"): value for key, value in section.items()}


def _version_problem(settings: Mapping[str, Any]) -> str:
    wanted, found = str(settings.get("required_version") or ""), version("black")
    if wanted in ("", found, found.partition(".")[0]):
        return ""
    return OTHER_VERSION.format(wanted=wanted, found=found)


def _mode(settings: Mapping[str, Any], config: Mapping[str, Any], *, is_pyi: bool = False) -> Mode:
    try:
        return Mode(
            target_versions=_versions(settings, config),
            line_length=int(settings.get("line_length", DEFAULT_LINE_LENGTH)),
            string_normalization=not settings.get("skip_string_normalization"),
            magic_trailing_comma=not settings.get("skip_magic_trailing_comma"),
            skip_source_first_line=bool(settings.get("skip_source_first_line")),
            preview=bool(settings.get("preview") or settings.get("unstable")),
            unstable=bool(settings.get("unstable")),
            enabled_features={
                Preview[name] for name in settings.get("enable_unstable_feature", [])
            },
            is_pyi=is_pyi or bool(settings.get("pyi")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(BAD_VALUE.format(why=_first_line(error))) from error


def _versions(settings: Mapping[str, Any], config: Mapping[str, Any]) -> set[TargetVersion]:
    """The versions that the settings name, else those that the project says it runs on."""
    if "target_version" in settings:
        return {TargetVersion[str(name).upper()] for name in settings["target_version"]}
    return set(infer_target_version(dict(config)) or ())


def _filter(pattern: str) -> Filter:
    """black's path pattern, on re2."""
    text = str(pattern)
    try:
        compiled = re2.compile((_plain(text) if "\n" in text else text).encode())
    except re2.error as error:
        raise ValueError(BAD_VALUE.format(why=f"the pattern {text!r}")) from error

    def excluded(path: str) -> bool:
        return compiled.search(b"/" + path.encode("utf-8", "surrogateescape")) is not None

    return excluded


def _plain(pattern: str) -> str:
    """A pattern without the blanks and comments that black allows where it goes over several lines:
    re2 knows no such patterns. Escaped ones and those in brackets mean themselves."""
    parts = _PARTS.findall(pattern)
    return "".join(part for part in parts if not part.isspace() and part[0] != "#")


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else type(error).__name__
