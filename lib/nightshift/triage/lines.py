"""Lines of code blocks and prose told apart: stack frames, the raised error, logs, commands, the
rest.

Knows the shapes that runtimes and shells print, no project's names. Every pattern is anchored at
the line's start and sees a bounded piece of the line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from nightshift.policy.triage import Zone

LOOK = 400
"""How many characters of a line decide what it is."""

# What launchers and test runners put before a line: [rank0]:, pytest's E, docker compose.
_PREFIX = re.compile(
    r"(?:\s{0,40}(?:\[?(?:rank|worker|trainer|default|node|gpu)[ _]?\d{1,5}\]?\s{0,3}[:|]|"
    r"\[\d{1,5}\][: ]|E(?= {2,10}\S))){1,3}",
    re.IGNORECASE,
)
_TRACE = re.compile(r"\s{0,60}Traceback \(most recent call last\)")
_FRAME = re.compile(
    r"\s{0,60}(?:File \"[^\"]{1,300}\", line \d|at \S{1,200} \([^)]{0,200}\)$|"
    r"(?:frame )?#\d{1,4}[: ]\s{0,4}(?:0x[0-9a-f]{1,16}|\S.{0,80}? [+(]|[\w:<>~]{2,})|"
    r"\S{1,200}\.(?:py|cpp|cu|h):\d{1,6}: (?:in |\w{1,60}(?:Error|Exception)))"
)
_ERROR = re.compile(
    r"\s{0,60}(?:(?:[A-Za-z_]\w{0,60}\.){0,8}\w{0,60}"
    r"(?:Error|Exception|Interrupt|Failure|Timeout|Warning)(?:\(.{0,40}\))?(?::|$| raised)|"
    r"AssertionError|Fatal Python error|terminate called|what\(\)|Segmentation fault|"
    r"\*\*\* (?:Process received|Aborted)|Aborted \(|Signal:|Bus error|"
    r"CUDA (?:error|driver error)|NCCL (?:error|failure)|undefined symbol|fatal error|"
    r"\S{1,200}: (?:fatal )?error:|error:|ERROR:? |FAILED )"
)
# In what a program printed an error may stand in the middle of a line; in prose that is a sentence.
_ERROR_WITHIN = re.compile(
    r".{0,200}(?:\bRuntimeError: |INTERNAL ASSERT FAILED|undefined symbol|Segmentation fault|"
    r"core dumped)"
)
_LOG = re.compile(
    r"\s{0,60}(?:\[?[IWEF]\d{4} \d\d:\d\d|\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d|\d\d:\d\d:\d\d|"
    r"(?:INFO|WARNING|DEBUG|ERROR|WARN|W|E|I)[:|\]] ?\S|\[(?:INFO|WARNING|DEBUG|ERROR)\]|"
    r"\S{1,80}:\d{1,8}:\d{1,8} \[\d{1,3}\] |.{0,80}\bNCCL (?:INFO|WARN) |\[\S{1,60}\] \S{1,60}:\d)"
)
_COMMAND = re.compile(
    r"\s{0,20}(?:\$ |> (?=python|torchrun|pip))?"
    r"(?:(?:export |sudo )|(?:[A-Z][A-Z0-9_]{1,60}=\S{0,200}\s{1,4}){1,10}|)"
    r"(?:python[\d.]{0,5} (?:-|\S{1,200}\.py|\S{1,200}/)|torchrun |mpirun |mpiexec |srun |pytest |"
    r"bash \S|sh \S|\./\S|docker |kubectl |pip3? install |conda |git (?:clone|checkout)|"
    r"accelerate launch|deepspeed |cmake |make |ninja |curl |wget |source \S|cd \S|"
    r"[A-Z][A-Z0-9_]{2,60}=\S{1,200}\s{0,4}$)"
)
# The first that matches decides. Backticks and list marks before an error or command do not count.
_SHAPES: tuple[tuple[re.Pattern[str], str, Zone], ...] = (
    (_TRACE, "", Zone.FRAME),
    (_FRAME, "", Zone.FRAME),
    (_ERROR, "`* ", Zone.ERROR),
    (_LOG, "", Zone.LOG),
    (_COMMAND, "`", Zone.COMMAND),
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its zone."""

    zone: Zone
    text: str


def undecorated(line: str) -> str:
    """The line without what a launcher or test runner puts before it."""
    match = _PREFIX.match(line[:LOOK])
    return line[match.end() :] if match else line


def zone_of(line: str, default: Zone) -> Zone:
    """The zone of a single line, by its shape."""
    look = line[:LOOK].rstrip()
    if not look:
        return default
    if default is Zone.CODE and not _FRAME.match(look) and _ERROR_WITHIN.match(look):
        return Zone.ERROR
    found = (zone for shape, marks, zone in _SHAPES if shape.match(_without(look, marks)))
    return next(found, default)


def _without(look: str, marks: str) -> str:
    return look.lstrip(marks) if marks else look


def classify(text: str, default: Zone, is_own: Callable[[str], bool]) -> Iterator[Line]:
    """The lines of a block with their zones.

    :param default: what a line is that has no shape of its own.
    :param is_own: whether a frame is in the project's own code and not merely passed through.
    """
    trace: list[Line] = []
    after_frame = False
    for raw in text.split("\n"):
        line = undecorated(raw)
        zone = zone_of(line, default)
        if after_frame and zone not in {Zone.FRAME, Zone.ERROR} and line[:2].isspace():
            zone = Zone.FRAME
        after_frame = zone is Zone.FRAME and (not after_frame or bool(_FRAME.match(line[:LOOK])))
        if zone is Zone.FRAME:
            trace.append(Line(zone, line))
            continue
        yield from _with_cause(trace, is_own)
        trace = []
        yield Line(zone, line)
    yield from _with_cause(trace, is_own)


def _with_cause(trace: list[Line], is_own: Callable[[str], bool]) -> Iterator[Line]:
    """The trace with its cause marked: the last frame of the project's own code, else the last
    one."""
    heads = [at for at, line in enumerate(trace) if _FRAME.match(line.text[:LOOK])]
    own = [at for at in heads if is_own(trace[at].text[:LOOK])]
    cause = (own or heads or [-1])[-1]
    for at, line in enumerate(trace):
        source = at == cause + 1 and cause >= 0 and at not in heads
        yield replace(line, zone=Zone.CAUSE) if at == cause or source else line
