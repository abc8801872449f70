"""Texts of a policy that become something else: templates, branch names, dates, paths. Checked at
load.

A template has `{name}` fields and nothing more of `str.format`: no attribute, index, conversion
or width.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from string import Formatter
from typing import Annotated

from pydantic import AfterValidator, Field

from nightshift.refs import is_ref_name

SAMPLE = datetime(2000, 12, 31, tzinfo=UTC)
"""A day to try a date format on."""

BAD_FIELD = "`{{{field}}}` is no field here; known: {known}"
BAD_BRACES = "has a brace without its partner; write a brace of the text twice"
BAD_DATE = "has no `%` fields that make a date"
BAD_BRANCH = "is no valid branch name"
BAD_PATH = "is no path inside the repository"

_DIRECTIVE = re.compile(r"%(.?)")
_DIRECTIVES = frozenset("dmYyHMSjUVWGuwBbAaepIZz%")


def filled(text: str, **values: str) -> str:
    """A template with its fields filled in. Values may be foreign: they are not read as
    templates."""
    return "".join(
        literal + (values[field] if field is not None else "")
        for literal, field, _, _ in Formatter().parse(text)
    )


def _fields(known: tuple[str, ...]) -> Callable[[str], str]:
    def check(text: str) -> str:
        try:
            parts = list(Formatter().parse(text))
        except ValueError as error:
            raise ValueError(BAD_BRACES) from error
        for _, field, spec, conversion in parts:
            if field is not None and (field not in known or spec or conversion):
                names = ", ".join(f"{{{name}}}" for name in known)
                raise ValueError(BAD_FIELD.format(field=field, known=names))
        return text

    return check


def _date(text: str) -> str:
    directives = _DIRECTIVE.findall(text)
    if not set(directives) - {"%"} or not set(directives) <= _DIRECTIVES:
        raise ValueError(BAD_DATE)
    return text


def _branch(text: str) -> str:
    if not is_ref_name(text):
        raise ValueError(BAD_BRANCH)
    return text


def _path(text: str) -> str:
    if "\\" in text or any(part in ("", ".", "..") for part in text.split("/")):
        raise ValueError(BAD_PATH)
    return text


DateFormat = Annotated[str, Field(min_length=1, max_length=60), AfterValidator(_date)]
"""A format of `strftime` that makes a date."""

BranchName = Annotated[str, Field(min_length=1), AfterValidator(_branch)]
"""A branch name that git takes."""

RepositoryPath = Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(_path)]
"""One file's path from the top of the repository, not a pattern."""

_Template = Annotated[str, Field(min_length=1, max_length=4000)]

NamedText = Annotated[_Template, AfterValidator(_fields(("source", "target", "date")))]
"""A template of the two branches and the date."""

ShaText = Annotated[_Template, AfterValidator(_fields(("sha",)))]
"""A template of a commit id."""
