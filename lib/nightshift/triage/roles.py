"""The role a name plays in its sentence: does the sentence speak of it, or set it aside?

"X works with DDP but not with FSDP" is about FSDP; "X hangs with NCCL" is about X. Knows English
only, and only a few words of it, on a short window left and right of the name; a name is set aside
only where the window says so plainly.
"""

from __future__ import annotations

from enum import StrEnum

from nightshift.policy.patterns import compiled


class Role(StrEnum):
    """The part a name plays, strongest first."""

    NAMED = "named"
    CONTEXT = "context"
    DENIED = "denied"


WINDOW = 60
"""Bytes to each side that are looked at; never past the end of the sentence."""

_DETERMINER = r"\s+(?:the |a |an |any |plain |native |pure |regular )?[`'\"(]{0,3}$"
_WITHOUT = compiled(
    r"\b(?:without|w/o|instead of|rather than|unlike|other than|except(?: for)?|no longer us\w+|"
    r"(?:not|n't|never) (?:use|using|need|related to|about|involve|involving|specific to)|"
    r"disabl(?:e|es|ing)|no|similar to|inspired by|like in|such as in|compared (?:to|with))"
    + _DETERMINER
)
_FINE_WITH = compiled(
    r"\b(?:works?|worked|runs?|fine|passes|succeeds?|ok|okay|correct(?:ly)?)(?: \w+){0,2} "
    r"(?:with|under|for|in|on|using|when using)" + _DETERMINER
)
_AFTER = compiled(
    r"^[`'\")]{0,3}(?: \w+){0,1} (?:"
    r"(?:works?|worked|runs?|is|was|are|behaves?) (?:\w+ )?"
    r"(?:fine|well|ok|okay|correct(?:ly)?|unaffected|not affected|not involved|as expected)|"
    r"does not (?:have|show) (?:this|the) (?:problem|issue)|"
    r"(?:is|are) (?:not (?:used|involved|needed))|(?:works|runs|worked|passes)(?:[.,;)]|$))"
)
_BESIDE = compiled(
    r"\b(?:with|using|under|inside(?: of)?|via|over|on|on top of|alongside|beside)"
    r"\s+(?:the |a |an |any )?[`'\"(]{0,3}$"
)
_BUT = compiled(r"\b(?:not|but|only|fails?|broken|yet)\b|n't\b")
_NOT = compiled(r"\b(?:not|only)\s+$")
_NEAR = 30
_ENDS = (b". ", b"! ", b"? ", b"\n", b"; ")


def role(text: bytes, start: int, end: int) -> Role:
    """The role of the name at `text[start:end]` in its sentence.

    :param text: UTF-8.
    """
    before = text[max(0, start - WINDOW) : start]
    after = text[end : end + WINDOW]
    for stop in _ENDS:
        before = before.rpartition(stop)[2]
        after = after.partition(stop)[0]
    if _AFTER.search(after) or _WITHOUT.search(before):
        return Role.DENIED
    near = before[-_NEAR:]
    if _FINE_WITH.search(before) and not _BUT.search(near):
        return Role.DENIED
    beside = _BESIDE.search(before)
    return Role.CONTEXT if beside and not _NOT.search(before[: beside.start()]) else Role.NAMED
