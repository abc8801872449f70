"""The report of a triage run: outputs, step summary, JSON. Wording only; it decides nothing.

Whatever came from an issue (its title, the words found in it) is escaped in the summary and never
stands in an output that a script might run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from nightshift.effects.applied import Applied, Result
from nightshift.effects.values import AddLabels, PostComment
from nightshift.report.markdown import code, details, escape, table
from nightshift.step import Ending, Report

SCHEMA_VERSION = 1
SHOWN_ROWS = 300
SHOWN_DETAILS = 60
SHOWN_REMAINDER = 50
TITLE_CHARACTERS = 120


@dataclass(frozen=True, slots=True)
class Reason:
    """A piece of evidence: what was found where, and how much it weighed. `words` are foreign."""

    source: str
    where: str
    weight: float
    words: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A judgement on one question, with what made it."""

    about: str
    verdict: str
    confidence: str
    evidence: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One issue of the run. `title` is foreign."""

    number: int
    title: str
    outcome: str
    add_labels: tuple[str, ...]
    comment: str | None
    sub_oncall: str
    modules: tuple[str, ...]
    reasons: tuple[str, ...]
    findings: tuple[Finding, ...]


def report(
    rows: Sequence[Row],
    skipped: Mapping[str, int],
    settled: int,
    remainder: Sequence[int],
    ending: Ending,
) -> Report:
    """The report of a run.

    :param skipped: how many issues were left alone, by reason.
    :param settled: how many had all they need already.
    :param remainder: numbers of the issues that are left for the next run.
    """
    data: dict[str, object] = {
        "schema_version": SCHEMA_VERSION,
        "mode": "triage",
        "outcome": ending.outcome.value,
        "reason": ending.reason,
        "dry_run": ending.dry_run,
        "issues": [asdict(row) for row in rows],
        "skipped": dict(skipped),
        "settled": settled,
        "remainder": list(remainder),
        "written": _written(ending.applied),
    }
    return Report(
        _outputs(rows, data, ending), _summary(rows, skipped, settled, remainder, ending), data
    )


def _outputs(rows: Sequence[Row], data: Mapping[str, object], ending: Ending) -> dict[str, str]:
    added = [
        label
        for item in ending.applied
        if isinstance(item.effect, AddLabels) and item.result is Result.DONE
        for label in item.effect.labels
    ]
    single = rows[0] if len(rows) == 1 else None
    return {
        "labels-added": json.dumps(list(dict.fromkeys(added))),
        "sub-oncall": single.sub_oncall if single else "",
        "modules": json.dumps(list(single.modules) if single else []),
        "issues": json.dumps([row.number for row in rows]),
        "report": json.dumps(data, ensure_ascii=True),
    }


def _written(applied: Sequence[Applied]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for item in applied:
        what: dict[str, object] = {
            "result": item.result.value,
            "detail": item.detail,
            "url": item.url,
        }
        match item.effect:
            case AddLabels(number, labels):
                what |= {"number": number, "labels": list(labels)}
            case PostComment(number, _, template):
                what |= {"number": number, "comment": template}
            case _:
                continue
        found.append(what)
    return found


def _summary(
    rows: Sequence[Row],
    skipped: Mapping[str, int],
    settled: int,
    remainder: Sequence[int],
    ending: Ending,
) -> str:
    parts = [f"## Triage: {ending.outcome.value}"]
    if ending.reason:
        parts.append(escape(ending.reason))
    if ending.dry_run:
        parts.append("Dry run: what follows is the plan; nothing was written.")
    if rows:
        heading = ("issue", "outcome", "labels", "comment")
        parts.append(table([heading, *(_row(row) for row in rows[:SHOWN_ROWS])]))
    parts.append("\n".join(_left(rows, skipped, settled, remainder)))
    parts += [details(f"#{row.number}: why", _details(row)) for row in rows[:SHOWN_DETAILS]]
    return "\n\n".join(part for part in parts if part) + "\n"


def _row(row: Row) -> tuple[str, ...]:
    title = escape(row.title[:TITLE_CHARACTERS])
    labels = ", ".join(code(label) for label in row.add_labels) or "none"
    return (
        f"#{row.number} {title}",
        row.outcome,
        labels,
        code(row.comment) if row.comment else "none",
    )


def _left(
    rows: Sequence[Row], skipped: Mapping[str, int], settled: int, remainder: Sequence[int]
) -> Iterator[str]:
    if len(rows) > SHOWN_ROWS:
        yield f"- {len(rows) - SHOWN_ROWS} more issues are in the JSON report"
    if settled:
        yield f"- {settled} issues have all that their decision wants"
    for reason, count in sorted(skipped.items()):
        yield f"- {count} left alone: {escape(reason)}"
    if remainder:
        numbers = ", ".join(f"#{number}" for number in remainder[:SHOWN_REMAINDER])
        more = " …" if len(remainder) > SHOWN_REMAINDER else ""
        yield f"- {len(remainder)} left for the next run: {numbers}{more}"


def _details(row: Row) -> str:
    return "\n".join([f"- {escape(reason)}" for reason in row.reasons] + list(_findings(row)))


def _findings(row: Row) -> Iterator[str]:
    for finding in row.findings:
        sure = f" ({finding.confidence})" if finding.confidence else ""
        yield f"- {escape(finding.about)}: {code(finding.verdict)}{sure}"
        for item in finding.evidence:
            words = f": {code(item.words)}" if item.words else ""
            yield f"  - {item.weight:+.1f} {escape(item.source)} in {escape(item.where)}{words}"
