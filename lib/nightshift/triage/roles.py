"""The role a name plays in its sentence: does the sentence speak of it, or set it aside?

"X works with DDP but not with FSDP" is about FSDP. Knows English only, and only a few words of it, on a
short window left and right of the name; a name is set aside only where the window says so plainly.
"""

from __future__ import annotations

from nightshift.policy.patterns import compiled

WINDOW = 60
"""Bytes to each side that are looked at; never past the end of the sentence."""

_BEFORE = compiled(
    r"(?:\b(?:without|w/o|instead of|rather than|unlike|other than|except(?: for)?|no longer us\w+|"
    r"(?:not|n't|never) (?:use|using|need|related to|about|involve|involving|specific to)|disabl\w+|no|"
    r"(?:works?|worked|runs?|fine|passes|succeeds|ok|okay|correct(?:ly)?)(?: \w+){0,2} "
    r"(?:with|under|for|in|on|using|when using)|similar to|inspired by|like in|such as in|compared (?:to|with))"
    r"\s+(?:the |a |an |any |plain |native |pure |regular )?[`'\"(]{0,3})$"
)
_AFTER = compiled(
    r"^[`'\")]{0,3}(?: \w+){0,1} (?:"
    r"(?:works?|worked|runs?|is|was|are|behaves?) (?:\w+ )?(?:fine|well|ok|okay|correct(?:ly)?|unaffected|"
    r"not affected|not involved|as expected)|does not (?:have|show) (?:this|the) (?:problem|issue)|"
    r"(?:is|are) (?:not (?:used|involved|needed)))"
)
_BUT = compiled(r"\b(?:not|n't|but|only|fails?|broken|yet)\b[^.]{0,12}$")
_ENDS = (b". ", b"! ", b"? ", b"\n", b"; ")


def set_aside(text: bytes, start: int, end: int) -> bool:
    """Whether the sentence denies that it is about the name at `text[start:end]`.

    :param text: UTF-8.
    """
    before = text[max(0, start - WINDOW) : start]
    after = text[end : end + WINDOW]
    for stop in _ENDS:
        before = before.rpartition(stop)[2]
        after = after.partition(stop)[0]
    if _AFTER.search(after):
        return True
    found = _BEFORE.search(before)
    return bool(found) and not _BUT.search(before[: found.start()])
