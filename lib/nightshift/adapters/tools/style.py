"""A repository's style: its formatters in order, with its own settings. Implements `ports.Style`.

A fault in the settings is a problem of every file and changes none; it never ends a run.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from importlib import import_module
from multiprocessing import get_context
from typing import Any, Protocol

from nightshift.values import Styled

BAD_CONFIG = "the repository's configuration cannot be read as TOML: {why}."
_BOM = "\ufeff"
_REMEMBERED = 256
_WORTH_A_PROCESS = 400_000  # characters: black takes some 4 s for them, a process starts in 0.5 s
_CHUNKS_EACH = 8
_MODULES = {
    "black": "nightshift.adapters.tools.blacken",
    "isort": "nightshift.adapters.tools.sort_imports",
}


MadeOf = tuple[bytes | None, tuple[str, ...], tuple[str, ...]]


class Tool(Protocol):
    """One formatter with one repository's settings."""

    problem: str

    def __call__(self, path: str, text: str) -> Styled: ...


def style_of(config: bytes | None, paths: Collection[str], tools: Sequence[str]) -> RepositoryStyle:
    """The style of a tree. Implements `ports.StyleOf`.

    :param config: the pyproject.toml of the tree; None: the tools' defaults.
    :param paths: all paths of the tree, which say what is first-party.
    :param tools: `black`, `isort`, in the order in which they run.
    """
    made_of = (config, tuple(paths), tuple(tools))
    try:
        settings = tomllib.loads((config or b"").decode("utf-8"))
        ready = [_tool(name, settings, paths) for name in tools]
    except UnicodeDecodeError:
        return RepositoryStyle((), made_of, BAD_CONFIG.format(why="it is not UTF-8"))
    except tomllib.TOMLDecodeError as error:
        return RepositoryStyle((), made_of, BAD_CONFIG.format(why=error))
    except ValueError as error:
        return RepositoryStyle((), made_of, str(error))
    problems = [tool.problem for tool in ready if tool.problem]
    return RepositoryStyle(ready, made_of, problems[0] if problems else "")


def _tool(name: str, settings: Mapping[str, Any], paths: Collection[str]) -> Tool:
    """Loaded when it is wanted: either takes a sixth of a second."""
    module = import_module(_MODULES[name])
    tool: Tool = module.Black(settings) if name == "black" else module.Isort(settings, paths)
    return tool


class RepositoryStyle:
    """Formatters in order.

    :param made_of: what `style_of` was given, to make it again in another process.
    :param problem: what is wrong with the settings, said of every file.
    """

    def __init__(self, tools: Sequence[Tool], made_of: MadeOf, problem: str = "") -> None:
        self._tools, self._made_of, self._problem = tuple(tools), made_of, problem
        self.one = lru_cache(maxsize=_REMEMBERED)(self._one)

    def many(self, texts: Mapping[str, str]) -> Mapping[str, Styled]:
        """path -> text in style; several processes share the work where it is worth starting
        them."""
        processors = os.cpu_count() or 1
        if processors < 2 or sum(map(len, texts.values())) < _WORTH_A_PROCESS:
            return self.each(texts)
        items = sorted(texts.items(), key=lambda item: -len(item[1]))
        chunks = [items[at :: processors * _CHUNKS_EACH] for at in range(processors * _CHUNKS_EACH)]
        try:
            with ProcessPoolExecutor(
                processors, get_context("spawn"), _start, self._made_of
            ) as pool:
                parts = list(pool.map(_work, [dict(chunk) for chunk in chunks]))
        except (BrokenProcessPool, OSError):  # a container without shared memory, say
            return self.each(texts)
        done = {path: styled for part in parts for path, styled in part.items()}
        return {path: done[path] for path in texts}

    def each(self, texts: Mapping[str, str]) -> dict[str, Styled]:
        """path -> text in style, in this process."""
        return {path: self._one(path, text) for path, text in texts.items()}

    def _one(self, path: str, text: str) -> Styled:
        """One file's text in style; its byte order mark and line ends stay."""
        mark = _BOM if text.startswith(_BOM) else ""
        first = text[: text.find("\n") + 1]
        newline = "\r\n" if first.endswith("\r\n") else "\n"
        done, problems = text.removeprefix(mark).replace("\r\n", "\n"), [self._problem]
        for tool in self._tools:
            step = tool(path, done)
            done, problems = step.text, [*problems, step.problem]
        said = " ".join(filter(None, problems))
        if done == text.removeprefix(mark).replace("\r\n", "\n"):
            return Styled(text, said)
        return Styled(mark + (done.replace("\n", newline) if newline != "\n" else done), said)


_HERE: list[RepositoryStyle] = []
"""A worker process's own style."""


def _start(config: bytes | None, paths: Collection[str], tools: Sequence[str]) -> None:
    _HERE[:] = [style_of(config, paths, tools)]


def _work(texts: Mapping[str, str]) -> dict[str, Styled]:
    return _HERE[0].each(texts)
