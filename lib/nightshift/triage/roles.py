"""The role a name plays in its sentence: does the sentence speak of it, or set it aside?

"X works with DDP but not with FSDP" is about FSDP; "X hangs with NCCL" is about X. Knows English only, and only a few words of it, on a
short window left and right of the name; a name is set aside only where the window says so plainly.
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

_BEFORE = compiled(
    r"(?:\b(?:without|w/o|instead of|rather than|unlike|other than|except(?: for)?|no longer us\w+|"
    r"(?:not|n't|never) (?:use|using|need|related to|about|involve|involving|specific to)|disabl(?:e|es|ing)|no|"
    r"(?:works?|worked|runs?|fine|passes|succeeds|ok|okay|correct(?:ly)?)(?: \w+){0,2} "
    r"(?:with|under|for|in|on|using|when using)|similar to|inspired by|like in|such as in|compared (?:to|with))"
    r"\s+(?:the |a |an |any |plain |native |pure |regular )?[`'\"(]{0,3})$"
)
_AFTER = compiled(
    r"^[`'\")]{0,3}(?: \w+){0,1} (?:"
    r"(?:works?|worked|runs?|is|was|are|behaves?) (?:\w+ )?(?:fine|well|ok|okay|correct(?:ly)?|unaffected|"
    r"not affected|not involved|as expected)|does not (?:have|show) (?:this|the) (?:problem|issue)|"
    r"(?:is|are) (?:not (?:used|involved|needed))|(?:works|runs|worked|passes)(?:[.,;)]|$))"
)
_BESIDE = compiled(
    r"\b(?:with|using|under|inside(?: of)?|via|on top of|combined with|together with|alongside|beside|along with)"
    r"\s+(?:the |a |an |any )?[`'\"(]{0,3}$"
)
_BUT = compiled(r"\b(?:not|n't|but|only|fails?|broken|yet)\b[^.]{0,12}$")
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
    if _AFTER.search(after):
        return Role.DENIED
    found = _BEFORE.search(before)
    if found and not _BUT.search(before[: found.start()]):
        return Role.DENIED
    return Role.CONTEXT if _BESIDE.search(before) else Role.NAMED
