"""What a rule finds in one tree, as a value. Whether it is the merge's is for `compare` to say."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Subject:
    """What a fault is about, for those who would mend it.

    :param path: the file that lacks or defines the thing.
    :param owner: the class in that file, "" where it is the module.
    :param name: the name that is missing or wrong.
    :param text: the reference as its user writes it.
    """

    path: str
    owner: str = ""
    name: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in a tree.

    :param message: says what is wrong without line numbers, so that it can be compared between
        trees.
    :param line: 1-based; `column` is a 0-based byte column, as `ast` counts.
    :param scope: dotted name of the function or class that it stands in.
    """

    rule: str
    path: str
    message: str
    line: int = 0
    column: int = 0
    scope: str = ""
    subject: Subject | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes it the same fault in another tree."""
        return (self.path, self.rule, self.message)
