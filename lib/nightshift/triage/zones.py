"""What an issue is made of, as values: segments of text with their zone and their voice.

Values only; `text` makes them, `signals` reads them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from nightshift.policy.triage import Zone


class Voice(StrEnum):
    """Who speaks."""

    AUTHOR = "author"
    AUTHOR_LATER = "author's comment"
    OTHERS = "comment"
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of text of one zone and voice.

    :param language: a code fence's info word, "" elsewhere.
    :param listed: it is an item of a numbered list.
    """

    zone: Zone
    text: str
    voice: Voice = Voice.AUTHOR
    language: str = ""
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """An issue, taken apart."""

    segments: tuple[Segment, ...]

    def said(
        self, *zones: Zone, voices: tuple[Voice, ...] = (Voice.AUTHOR,)
    ) -> tuple[Segment, ...]:
        """The segments of some zones, by default in the author's first post alone."""
        return tuple(part for part in self.segments if part.zone in zones and part.voice in voices)
