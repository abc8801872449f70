"""Parts of a sync's report that the pull request, its comments and the step summary share.

Each gives a Markdown block without a heading, "" where there is nothing to tell. Foreign text is
inert.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from nightshift.merge.resolution import Confidence, Resolution
from nightshift.report.ledger import (
    AcceptedRow,
    CheckRow,
    FailureRow,
    FindingRow,
    NotableRow,
    RestoredRow,
)
from nightshift.report.links import link
from nightshift.report.markdown import code, details, escape, fence, table

SHORT = 12
"""Characters of a commit id that are shown."""

OPEN_ROWS = 25
"""A list that is longer opens on a click."""

MORE = "*… and {count} more, in the step summary's report.*"

_ORDER = {Confidence.LOW: 0, Confidence.MEDIUM: 1, Confidence.HIGH: 2}
_DISPOSITIONS = {"open": 0, "repaired": 1, "restored": 2, "intended": 3}
_SEVERITIES = {"abort": 0, "warn": 1, "off": 2}


def commit_id(sha: str) -> str:
    """A commit's short id."""
    return code(sha[:SHORT])


def count(number: int, noun: str) -> str:
    """So many of something."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def paths(items: Sequence[str], limit: int) -> str:
    """A list of files."""
    lines = [code(path) for path in items[:limit]]
    return _listed(lines, len(items), limit, count(len(items), "file"))


def resolutions(items: Sequence[Resolution], limit: int) -> str:
    """How each conflict was decided, the least certain first."""
    ordered = sorted(
        items, key=lambda item: (_ORDER[item.confidence], item.path, item.span or (0, 0))
    )
    rows = [
        [
            code(_place(item)),
            item.method.value,
            item.side.value,
            item.confidence.value,
            _evidence(item.evidence),
            escape(item.note),
        ]
        for item in ordered[:limit]
    ]
    heading = ["where", "method", "kept", "confidence", "evidence", "note"]
    title = f"{count(len(items), 'resolution')}, the least certain first"
    return _rows(heading, rows, len(items), limit, title)


def findings(items: Sequence[FindingRow], limit: int) -> str:
    """Each finding with what became of it, the open ones first."""
    ordered = sorted(
        items,
        key=lambda item: (
            _DISPOSITIONS.get(item.disposition, 9),
            _SEVERITIES.get(item.severity, 9),
            item.rule,
            item.path,
            item.line,
        ),
    )
    rows = [
        [
            item.disposition,
            code(item.rule),
            code(item.place) if item.place else "",
            escape(item.message),
            _evidence(item.evidence),
        ]
        for item in ordered[:limit]
    ]
    heading = ["disposition", "rule", "where", "what", "evidence"]
    title = f"{count(len(items), 'finding')}, the open ones first"
    return _rows(heading, rows, len(items), limit, title)


def is_source(item: FindingRow) -> bool:
    """Whether a finding tells of git sources and their lock, which have a place of their own."""
    return item.rule.startswith("git-source")


def dispositions(items: Iterable[FindingRow]) -> str:
    """How many findings have each disposition."""
    counts = Counter(item.disposition for item in items)
    return ", ".join(f"{counts[name]} {name}" for name in _DISPOSITIONS if counts[name])


def restored(items: Sequence[RestoredRow], limit: int) -> str:
    """Files that were brought back, and why."""
    rows = [[code(item.path), escape(item.why), _evidence(item.evidence)] for item in items[:limit]]
    return _rows(["file", "why", "evidence"], rows, len(items), limit, count(len(items), "file"))


def notable(items: Sequence[NotableRow], limit: int) -> str:
    """Workflow files, submodules and modes that the merge changes."""
    rows = [
        [escape(item.kind), code(item.path), code(item.before or "-"), code(item.after or "-")]
        for item in items[:limit]
    ]
    return _rows(
        ["kind", "path", "before", "after"], rows, len(items), limit, count(len(items), "change")
    )


def checks(items: Sequence[CheckRow], limit: int) -> str:
    """Checks with their addresses."""
    lines = [f"{link(item.name, item.url)}: {escape(item.state.lower())}" for item in items[:limit]]
    return _listed(lines, len(items), limit, count(len(items), "check"))


def accepted(items: Sequence[AcceptedRow], limit: int = 50) -> str:
    """Failures that are the target's own, with their evidence."""
    rows = [
        [
            link(item.name, item.url),
            link(f"pull request {item.number}", item.pull_url),
            link("the same failure there", item.run_url),
        ]
        for item in items[:limit]
    ]
    return _rows(["check", "seen on", "run"], rows, len(items), limit, count(len(items), "failure"))


def failures(items: Sequence[FailureRow], limit: int) -> str:
    """What went wrong, with the lines of the logs."""
    blocks = []
    for item in items[:limit]:
        title = f"**{link(item.check, item.url)}**: {escape(item.help)} ({code(item.cause)})"
        lines = fence("\n".join(item.lines), "text") if item.lines else ""
        blocks.append("\n\n".join(part for part in (title, lines) if part))
    if len(items) > limit:
        blocks.append(MORE.format(count=len(items) - limit))
    return "\n\n".join(blocks)


def _evidence(commits: Sequence[str]) -> str:
    return " ".join(commit_id(item) if len(item) == 40 else code(item) for item in commits[:4])


def _place(item: Resolution) -> str:
    return f"{item.path}:{item.span[0]}-{item.span[1]}" if item.span else item.path


def _listed(lines: Sequence[str], total: int, limit: int, title: str) -> str:
    return _folded("\n".join(f"- {line}" for line in lines), total, limit, title)


def _rows(heading: list[str], rows: Sequence[list[str]], total: int, limit: int, title: str) -> str:
    return _folded(table([heading, *rows]) if rows else "", total, limit, title)


def _folded(text: str, total: int, limit: int, title: str) -> str:
    """A list of at most `limit` of `total` entries, with a word on the rest."""
    if not total:
        return ""
    more = MORE.format(count=total - limit) if total > limit else ""
    body = "\n\n".join(part for part in (text, more) if part)
    return details(title, body) if total > OPEN_ROWS else body
