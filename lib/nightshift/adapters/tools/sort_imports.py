"""isort as a library, with the settings of a repository's `[tool.isort]`. Looks at no file system.

isort finds first-party modules by looking for them on disk; here they are looked for in the tree.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping
from fnmatch import fnmatchcase
from typing import Any

import isort
from isort.exceptions import FileSkipped, ISortError
from isort.profiles import profiles

from nightshift.values import Styled

BAD_VALUE = "[tool.isort] in the repository's configuration cannot be used: {why}."
NOT_SORTED = "isort cannot sort it: {why}."
NO_PROFILE = "isort itself has no such profile"
_NOWHERE = "/nonexistent"
_NOT_FOR_US = ("src_paths", "directory", "formatter", "skip_gitignore", "color_output")
_DEFAULT_ROOTS = ("src", "")
_NAMED_BY_USER = "known_first_party"


class Isort:
    """isort with one repository's settings and modules.

    :raises ValueError: settings that isort does not take.
    """

    def __init__(self, config: Mapping[str, Any], paths: Collection[str]) -> None:
        section = {
            key.replace("-", "_"): value
            for key, value in config.get("tool", {}).get("isort", {}).items()
        }
        settings = {key: value for key, value in section.items() if key not in _NOT_FOR_US}
        plain = _config(settings)
        own = _own_modules(paths, section.get("src_paths") or _DEFAULT_ROOTS)
        known = [name for name in sorted(own) if _is_unplaced(name, plain)]
        named = list(section.get(_NAMED_BY_USER, ()))
        self.problem = ""
        self._config = _config({**settings, _NAMED_BY_USER: named + known})

    def __call__(self, path: str, text: str) -> Styled:
        """A file's text with its imports sorted."""
        if self._is_skipped(path):
            return Styled(text)
        extension = "pyi" if path.endswith(".pyi") else "py"
        try:
            done = isort.code(text, extension=extension, config=self._config, disregard_skip=True)
        except FileSkipped:
            return Styled(text)
        except (ISortError, ValueError, IndexError) as error:
            return Styled(text, NOT_SORTED.format(why=str(error).strip()[:200]))
        return Styled(done)

    def _is_skipped(self, path: str) -> bool:
        """As `Config.is_skipped`, which asks the disk whether the file is there."""
        if path in self._config.skips or not self._config.skips.isdisjoint(path.split("/")):
            return True
        globs = self._config.skip_globs
        return any(fnmatchcase(path, glob) or fnmatchcase(f"/{path}", glob) for glob in globs)


def _config(settings: Mapping[str, Any]) -> isort.Config:
    if settings.get("profile") and settings["profile"] not in profiles:
        # isort would look for a plug-in of that name, and load it.
        raise ValueError(BAD_VALUE.format(why=NO_PROFILE))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return isort.Config(**settings, directory=_NOWHERE, src_paths=(), quiet=True)
    except (ISortError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(BAD_VALUE.format(why=str(error).strip()[:200])) from error


def _own_modules(paths: Collection[str], roots: Collection[str]) -> set[str]:
    """The names that can be imported from the tree's source folders: folders and modules in
    them."""
    found: set[str] = set()
    for root in roots:
        prefix = str(root).strip("./")
        prefix = f"{prefix}/" if prefix else ""
        for path in paths:
            if path.startswith(prefix):
                name, _, below = path[len(prefix) :].partition("/")
                found.add(name if below else name.removesuffix(".py"))
    return {name for name in found if name.isidentifier()}


def _is_unplaced(name: str, config: isort.Config) -> bool:
    """Whether no setting says where a module belongs: only then isort looks on disk."""
    return isort.place_module_with_reason(name, config)[1].startswith("Default option")
