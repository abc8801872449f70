"""An issue's text taken apart into zones: what the author wrote, what programs printed, what is
furniture.

Tolerant of broken Markdown and linear in the text. Decides nothing: which zone counts how much is
the policy's to say. Nothing that is read here is ever obeyed, only matched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from nightshift.policy.patterns import compiled
from nightshift.policy.triage import Reading, TriagePolicy, Zone
from nightshift.triage.lines import classify
from nightshift.triage.markdown import Block, BlockKind, blocks
from nightshift.triage.zones import Document, Segment, Voice
from nightshift.values import Comment, Issue

MAX_CHARACTERS = 65_536
MAX_COMMENTS_CHARACTERS = 4 * MAX_CHARACTERS
LEAD_CHARACTERS = 350
SENTENCE_CHARACTERS = 200
_COMMENT_OPEN, _COMMENT_CLOSE = "<!--", "-->"
_CC = ("cc @", "cc: @", "cc  @")


def read(issue: Issue, policy: TriagePolicy) -> Document:
    """An issue and all of its comments as segments."""
    reader = _Reader(policy.reading)
    parts = [Segment(Zone.TITLE, _sound(issue.title[:2000]))]
    parts += [Segment(Zone.LABEL, label) for label in issue.labels]
    parts += _lead(reader.post(_sound(issue.body[:MAX_CHARACTERS]), Voice.AUTHOR))
    budget = MAX_COMMENTS_CHARACTERS
    for comment in issue.comments:
        text = _sound(comment.body[: min(budget, MAX_CHARACTERS)])
        budget -= len(text)
        voice = voice_of(comment, issue, policy.bots)
        if voice is not Voice.BOT:
            parts += reader.post(text, voice)
    return Document(tuple(parts))


def _sound(text: str) -> str:
    """Text without lone surrogates, which no encoder takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def voice_of(comment: Comment, issue: Issue, bots: Sequence[str]) -> Voice:
    """Whose comment it is. `bots` are accounts of people that a program uses."""
    known = {bot.lower() for bot in bots}
    if comment.is_bot or comment.author.endswith("[bot]") or comment.author.lower() in known:
        return Voice.BOT
    return Voice.AUTHOR_LATER if comment.author and comment.author == issue.author else Voice.OTHERS


def _lead(parts: list[Segment]) -> list[Segment]:
    """The first words of the author's prose are the lead: that is where the matter is named."""
    left = LEAD_CHARACTERS
    found: list[Segment] = []
    for part in parts:
        if part.zone is not Zone.PROSE or left <= 0:
            found.append(part)
            continue
        cut = _sentence_end(part.text, left)
        head, rest = part.text[:cut], part.text[cut:]
        left -= len(head)
        found.append(replace(part, zone=Zone.LEAD, text=head))
        if rest:
            found.append(replace(part, text=rest))
    return found


def _sentence_end(text: str, start: int) -> int:
    """The end of the sentence or line that `start` stands in, not far from it: what is said in one
    sentence is found in one piece."""
    look = text[start : start + SENTENCE_CHARACTERS]
    ends = [look.find(stop) + len(stop) for stop in (". ", "\n") if stop in look]
    return start + min(ends) if ends else start + len(look)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a post a block stands."""

    voice: Voice
    environment: bool


class _Reader:
    """Takes posts apart by a policy's reading rules."""

    def __init__(self, rules: Reading) -> None:
        self._own = _any(rules.own_frames)
        self._passed = _any(rules.passed_frames)
        self._furniture = _any(rules.furniture)
        self._environment = _any(rules.environment)
        self._environment_heading = _any(rules.environment_headings)

    def post(self, text: str, voice: Voice) -> list[Segment]:
        """The segments of a body or comment."""
        found: list[Segment] = []
        environment = False
        for block in blocks(text):
            if block.kind is BlockKind.HEADING:
                environment = bool(_match(self._environment_heading, block.text))
            found += self._block(block, _Place(voice, environment))
        return found

    def _block(self, block: Block, place: _Place) -> Iterator[Segment]:
        if block.kind is BlockKind.HEADING:
            known = _match(self._furniture, block.text) or place.environment
            yield Segment(Zone.FURNITURE if known else Zone.PROSE, block.text, place.voice)
            return
        if block.kind is BlockKind.RAW:
            yield Segment(Zone.LOG, block.text, place.voice)
            return
        if place.environment:
            yield Segment(Zone.ENVIRONMENT, block.text, place.voice)
            return
        for hidden, text in (
            _html(block.text) if block.kind is not BlockKind.CODE else [(False, block.text)]
        ):
            if hidden:
                yield Segment(Zone.HIDDEN, text, place.voice)
            else:
                yield from self._lines(replace(block, text=text), place)

    def _lines(self, block: Block, place: _Place) -> Iterator[Segment]:
        default = Zone.CODE if block.kind is BlockKind.CODE else Zone.PROSE
        if block.kind is not BlockKind.CODE and block.quoted:
            default = Zone.QUOTE
        zone, lines, dump = default, list[str](), False
        for line in classify(block.text, default, self._is_own):
            dump = dump or bool(_match(self._environment, line.text))
            new = Zone.ENVIRONMENT if dump else self._finer(line.zone, line.text, block, place)
            if new is not zone and lines:
                yield _segment(zone, lines, block, place)
                lines = []
            zone = new
            lines.append(line.text)
        if lines:
            yield _segment(zone, lines, block, place)

    def _finer(self, zone: Zone, text: str, block: Block, place: _Place) -> Zone:
        """Furniture among prose; whatever is quoted in a comment is somebody else's text."""
        if block.quoted and place.voice is not Voice.AUTHOR:
            return Zone.QUOTE
        if zone is not Zone.PROSE:
            return zone
        bare = text.strip()
        if bare.lower().startswith(_CC) or bare.startswith("[ ]") or _match(self._furniture, bare):
            return Zone.FURNITURE
        return zone

    def _is_own(self, frame: str) -> bool:
        return _search(self._own, frame) and not _search(self._passed, frame)


def _segment(zone: Zone, lines: list[str], block: Block, place: _Place) -> Segment:
    return Segment(zone, "\n".join(lines), place.voice, block.info, block.ordered)


def _html(text: str) -> Iterator[tuple[bool, str]]:
    """(hidden?, text) for what is outside and inside HTML comments; one that never ends hides the
    rest."""
    while text:
        seen, opening, text = text.partition(_COMMENT_OPEN)
        if seen:
            yield False, seen
        if opening:
            hidden, _, text = text.partition(_COMMENT_CLOSE)
            yield True, hidden


def _any(patterns: Sequence[str]) -> Any:
    """One pattern for several; None where there are none."""
    return compiled("|".join(f"(?:{pattern})" for pattern in patterns)) if patterns else None


def _match(pattern: Any, text: str) -> bool:
    """Whether a pattern matches at the start of a line's first characters."""
    return pattern is not None and pattern.match(text[:300].strip().encode()) is not None


def _search(pattern: Any, text: str) -> bool:
    return pattern is not None and pattern.search(text[:500].encode()) is not None
