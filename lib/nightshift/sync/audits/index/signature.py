"""How a call's arguments meet a definition's parameters. Pure arithmetic on values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nightshift.sync.audits.index.facts import Kind, Parameter, Shape

POSITIONAL = (Kind.POSITIONAL_ONLY, Kind.PLAIN)


@dataclass(frozen=True, slots=True)
class Clash:
    """One way in which a call does not fit: `kind` is unknown, missing or many."""

    kind: str
    name: str


def clashes(parameters: Sequence[Parameter], call: Shape) -> Iterator[Clash]:
    """Why a call would raise TypeError. Stars are given the benefit of the doubt."""
    plain = [p for p in parameters if p.kind in POSITIONAL]
    kinds = {p.kind for p in parameters}
    named = {p.name for p in parameters if p.kind in (Kind.PLAIN, Kind.KEYWORD_ONLY)}
    if call.positional > len(plain) and Kind.VARIADIC not in kinds:
        yield Clash("many", f"{call.positional} for {len(plain)}")
    if Kind.KEYWORDS not in kinds:
        for keyword in call.keywords:
            if keyword not in named:
                yield Clash("unknown", keyword)
    if call.star or call.double_star:
        return
    filled = {p.name for p in plain[: call.positional]} | set(call.keywords)
    for parameter in parameters:
        required = parameter.default is None and parameter.kind in (*POSITIONAL, Kind.KEYWORD_ONLY)
        if required and parameter.name not in filled:
            yield Clash("missing", parameter.name)


def accepts(parameters: Sequence[Parameter], call: Shape) -> bool:
    """Whether a call fits."""
    return next(clashes(parameters, call), None) is None


def without_first(parameters: Sequence[Parameter]) -> tuple[Parameter, ...]:
    """The parameters of a bound method."""
    if parameters and parameters[0].kind in POSITIONAL:
        return tuple(parameters[1:])
    return tuple(parameters)
