"""Is there anything in an issue that someone could follow? A stack trace alone is not.

A snippet, a script, commands or numbered steps count, wherever in the issue they stand. What
language a statement is in is told by its shape; no project's names are known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from nightshift.policy.triage import Zone
from nightshift.triage.values import Kind, Reproduction
from nightshift.triage.weigh import Sums
from nightshift.triage.zones import Document, Segment, Voice

MIN_STATEMENTS = 1
MIN_STEPS = 2
MIN_SAID = 1.0
LOOK = 300
MAX_LINES = 400

_STATEMENT = re.compile(
    r"\s{0,60}(?:import \w|from [\w.]{1,80} import|with \S.{0,200}:|for \w.{0,200}:|@\w|print\(|"
    r"assert |(?:await )?[A-Za-z_][\w.]{0,120}\(.{0,300}|"
    r"[A-Za-z_][\w., \[\]'\"]{0,120} [-+*/@|&]?= ?\S.{0,300})"
)
_CALL = re.compile(r".{0,200}[\w\])]\(")
# Code that shows the project's own source, a change, or output is not something to run.
_NOT_TO_RUN = frozenset(
    {"diff", "patch", "cpp", "c++", "c", "cuda", "text", "txt", "log", "console", "json", "yaml"}
)
_TOLD = (Zone.PROSE, Zone.LEAD, Zone.COMMAND, Zone.FURNITURE)
# What announces a list of something else than steps: "it has two faults:", "some questions:".
_ANNOUNCED = re.compile(
    r"\b(?:bugs?|faults?|problems?|issues?|questions?|reasons?|observations?|options?|proposals?|"
    r"propose|changes?|things|differences?|limitations?)\b.{0,60}$",
    re.I | re.S,
)
_RUNS = re.compile(
    r"(?:.{0,200}[\s=/])?(?:python|torchrun|mpirun|srun|pytest|bash|sh|docker|\./)\S{0,10}", re.I
)

SNIPPET = "a snippet"
COMMANDS = "command lines"
STEPS = "numbered steps"
SAID = "a script or test that the text points at"
NOTHING = "no snippet, command or steps"
REQUEST = "a request needs none"


def judge(document: Document, kind: Kind, sums: Sums) -> tuple[Reproduction, str]:
    """Whether a reproduction is there, and what it is."""
    if kind is not Kind.BUG:
        return Reproduction.NOT_NEEDED, REQUEST
    reason = _found(document, sums)
    return (Reproduction.PRESENT, reason) if reason else (Reproduction.MISSING, NOTHING)


def _found(document: Document, sums: Sums) -> str:
    voices = (Voice.AUTHOR, Voice.AUTHOR_LATER, Voice.OTHERS)
    if any(_is_snippet(part) for part in document.said(Zone.CODE, voices=voices)):
        return SNIPPET
    if any(_RUNS.match(line[:LOOK]) for line in _lines(document.said(Zone.COMMAND, voices=voices))):
        return COMMANDS
    if _steps(document) >= MIN_STEPS:
        return STEPS
    if sums.of("reproduction").total >= MIN_SAID:
        return SAID
    return ""


def _steps(document: Document) -> int:
    """How many items of numbered lists are steps; a list of faults or questions is none. What
    a heading of the form says announces nothing."""
    steps, before = 0, ""
    for part in document.said(*_TOLD):
        if not part.listed:
            before = "" if part.zone is Zone.FURNITURE else part.text[-LOOK:]
        elif not _ANNOUNCED.search(before):
            steps += 1
    return steps


def _is_snippet(part: Segment) -> bool:
    if part.language in _NOT_TO_RUN:
        return False
    lines = [line[:LOOK] for line in _lines([part])]
    statements = [line for line in lines if _STATEMENT.match(line)]
    return len(statements) >= MIN_STATEMENTS and any(_CALL.match(line) for line in statements)


def _lines(parts: Iterable[Segment]) -> list[str]:
    found: list[str] = []
    for part in parts:
        found += [line for line in part.text.split("\n") if line.strip()][: MAX_LINES - len(found)]
    return found
