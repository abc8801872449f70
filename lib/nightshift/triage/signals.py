"""The policy's signals found in a document: which pattern, in which zone, said by whom, in which
role.

Finds; weighs nothing. All patterns run on google-re2 over UTF-8, each over each zone once, and
only the first few places of each are looked at more closely, so the work is linear in the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from nightshift.policy.patterns import compiled
from nightshift.policy.triage import Signal, TriagePolicy, Zone, split_condition
from nightshift.triage.roles import Role, role
from nightshift.triage.zones import Document, Voice

PLACES = 6
"""How many places of a signal in a zone are looked at for their role."""

SHOWN = 70
"""Characters of an excerpt."""

# Where the author or a program speaks of the matter; dumps, quotes and furniture count only on
# request.
_OPEN = frozenset(Zone) - {Zone.ENVIRONMENT, Zone.FURNITURE, Zone.HIDDEN, Zone.LABEL}
_RANK = {found: rank for rank, found in enumerate(Role)}
_SPOKEN = frozenset({Zone.TITLE, Zone.LEAD, Zone.PROSE, Zone.QUOTE})


@dataclass(frozen=True, slots=True)
class Finding:
    """A signal in a zone.

    :param role: the strongest role that it plays at the places that were looked at.
    :param excerpt: the words that were found; foreign text.
    """

    signal: str
    zone: Zone
    voice: Voice
    role: Role
    excerpt: str


@dataclass(frozen=True, slots=True)
class Findings:
    """All findings of a document, by signal."""

    by_signal: Mapping[str, tuple[Finding, ...]]

    def has(self, condition: str) -> bool:
        """Whether a rule's condition (`name/other@zone|zone`) is met by the author's own words."""
        names, zones = _condition(condition)
        return any(
            found.voice is not Voice.OTHERS
            and found.role is not Role.DENIED
            and (not zones or found.zone in zones)
            for name in names
            for found in self.by_signal.get(name, ())
        )


@lru_cache(maxsize=4096)
def _condition(condition: str) -> tuple[tuple[str, ...], frozenset[Zone]]:
    names, zones = split_condition(condition)
    # The lead is the beginning of the prose: whoever asks for prose means it too.
    more = {Zone.LEAD} if Zone.PROSE in zones else set()
    return names, frozenset({*zones, *more})


def find(document: Document, policy: TriagePolicy) -> Findings:
    """The findings of all signals of a policy."""
    texts = _by_place(document)
    found = {signal.name: tuple(_of(signal, texts)) for signal in policy.signals}
    return Findings({name: items for name, items in found.items() if items})


def _by_place(document: Document) -> dict[tuple[Zone, Voice], bytes]:
    parts: dict[tuple[Zone, Voice], list[str]] = {}
    for part in document.segments:
        parts.setdefault((part.zone, part.voice), []).append(part.text)
    # Two line ends part segments: a pattern that spans them would be found in no single one.
    return {place: "\n\n".join(texts).encode("utf-8", "replace") for place, texts in parts.items()}


def _of(signal: Signal, texts: Mapping[tuple[Zone, Voice], bytes]) -> Iterator[Finding]:
    pattern = _joined(signal.patterns)
    zones = set(signal.zones) | ({Zone.LEAD} if Zone.PROSE in signal.zones else set())
    for (zone, voice), text in texts.items():
        if zone not in (zones or _OPEN):
            continue
        if finding := _in(signal, pattern, text, zone, voice):
            yield finding


def _in(signal: Signal, pattern: Any, text: bytes, zone: Zone, voice: Voice) -> Finding | None:
    spans = [match.span() for match in islice(pattern.finditer(text), PLACES)]
    if not spans:
        return None
    if zone not in _SPOKEN or signal.plain:
        return Finding(signal.name, zone, voice, Role.NAMED, _excerpt(text, spans[0]))
    roles = [role(text, *span) for span in spans]
    best = min(roles, key=_RANK.__getitem__)
    return Finding(signal.name, zone, voice, best, _excerpt(text, spans[roles.index(best)]))


def _excerpt(text: bytes, span: tuple[int, int]) -> str:
    words = text[span[0] : min(span[1], span[0] + 4 * SHOWN)].decode("utf-8", "ignore")
    return " ".join(words.split())[:SHOWN]


@lru_cache(maxsize=2048)
def _joined(patterns: tuple[str, ...]) -> Any:
    return compiled("|".join(f"(?:{pattern})" for pattern in patterns))
