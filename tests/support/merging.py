"""Merges of small texts: cases from folders, histories from lists, a formatter."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import black

from nightshift.merge.cascade import FileConflict, Merged, NoHistory, Options, Past, merge_file
from nightshift.policy.model import Side

CASES = Path(__file__).parents[1] / "merge" / "cases"


@dataclass(frozen=True)
class Versions:
    """A history from lists, newest first."""

    of_target: tuple[Past, ...] = ()
    of_source: tuple[Past, ...] = ()

    def target(self) -> tuple[Past, ...]:
        """The target's versions."""
        return self.of_target

    def source(self) -> tuple[Past, ...]:
        """The source's versions."""
        return self.of_source


def black_style(path: str, text: str) -> str:
    """black's default style, strings as they are."""
    if not path.endswith(".py"):
        return text
    try:
        return black.format_str(text, mode=black.Mode(string_normalization=False))
    except (black.InvalidInput, ValueError):
        return text


def merge(base: str, target: str, source: str, *, path: str = "a.py", wins: str = "source") -> str:
    """The merged text of three texts without history."""
    data = [text.encode("utf-8", "surrogateescape") for text in (base, target, source)]
    merged = merge_file(FileConflict(path, *data, NoHistory()), Options(wins=Side(wins)))
    return (merged.data or b"").decode("utf-8", "surrogateescape")


@dataclass(frozen=True)
class Case:
    """A folder of `tests/merge/cases`: three stages, versions, what should come out, what does
    today."""

    folder: Path

    @property
    def told(self) -> dict[str, object]:
        """What case.json says."""
        return dict(json.loads((self.folder / "case.json").read_text("utf-8")))

    def stage(self, name: str) -> bytes | None:
        """The bytes of a stage; None where the folder has none."""
        found = [path for path in self.folder.iterdir() if path.name.split(".")[0] == name]
        return found[0].read_bytes() if found else None

    def versions(self, side: str) -> tuple[Past, ...]:
        """The versions that a side went through, newest first."""
        found = sorted(self.folder.glob(f"{side}-*"))
        return tuple(
            Past(path.name.split(".")[0].split("-")[2], path.read_bytes()) for path in found
        )

    def merge(self) -> Merged:
        """The merge of the case."""
        told = self.told
        options = Options(
            wins=Side(str(told["wins"])), formatter=black_style if told["style"] else None
        )
        history = Versions(self.versions("target"), self.versions("source"))
        stages = [self.stage(name) for name in ("base", "target", "source")]
        return merge_file(FileConflict(str(told["path"]), *stages, history), options)


def cases(kind: str) -> list[Case]:
    """All cases of a kind (`working`, `failing`)."""
    return [Case(folder) for folder in sorted((CASES / kind).iterdir())]
