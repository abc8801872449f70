"""The common ground of policy models: strict, immutable, unknown keys refused."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class Severity(StrEnum):
    """What an invariant or finding does to the push."""

    ABORT = "abort"
    WARN = "warn"
    OFF = "off"


class Side(StrEnum):
    """The two sides of a merge."""

    SOURCE = "source"
    TARGET = "target"


def kebab(name: str) -> str:
    """Policy keys are written with hyphens."""
    return name.replace("_", "-")


class Model(BaseModel):
    """A part of a policy."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, alias_generator=kebab, validate_by_name=True
    )
