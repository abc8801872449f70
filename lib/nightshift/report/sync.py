"""The report of a sync run: outputs, step summary, JSON. Wording only; it decides nothing.

What came from the repository or its CI is escaped in the summary, and stands in no output that a
script might run but as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from nightshift.effects.applied import Applied
from nightshift.effects.values import describe
from nightshift.report import sections
from nightshift.report.chart import chart
from nightshift.report.comments import failure_lines
from nightshift.report.ledger import ChecksView, MergeView, PullView, SyncView
from nightshift.report.links import link
from nightshift.report.markdown import code, escape, table
from nightshift.step import Ending, Report

SCHEMA_VERSION = 1
SHOWN_ROWS = 50
SHOWN_CONFLICTS = 40
SHOWN_FAILURES = 10
REPORT_CHARACTERS = 400_000
"""GitHub takes 1 MB of outputs of a job, counted as UTF-16."""


def report(view: SyncView, ending: Ending, candidate: Mapping[str, object]) -> Report:
    """The report of a run.

    :param candidate: the merge as data, with its ledger.
    """
    found = within(data(view, ending, candidate), REPORT_CHARACTERS)
    outputs = {**_outputs(view), "report": json.dumps(found, ensure_ascii=True)}
    return Report(outputs, summary(view, ending), found)


def summary(view: SyncView, ending: Ending) -> str:
    """The step summary."""
    merge = view.merge
    branches = f"{code(merge.source_ref)} into {code(merge.target_ref)}"
    blocks = [
        f"## Sync of {branches}: {ending.outcome.value}",
        escape(ending.reason),
        _pull(view.pull),
        merge.python_line,
        _headed("Timeline", chart(ending.began, merge.seconds, ending.passages)),
        _headed("What happened", _timeline(merge, ending.applied)),
        _headed("Checks", _checks(view.checks)),
        _headed("Conflicts", _conflicts(merge)),
        _headed("Findings", _findings(merge)),
        _headed(
            "Workflow files, submodules and modes that change",
            sections.notable(merge.notable, SHOWN_ROWS),
        ),
        _headed("Not done", "\n".join(f"- {escape(step)}" for step in merge.steps_not_done)),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def data(view: SyncView, ending: Ending, candidate: Mapping[str, object]) -> dict[str, object]:
    """The whole report as JSON data."""
    return {
        "schema_version": SCHEMA_VERSION,
        "mode": "sync",
        "outcome": ending.outcome.value,
        "reason": ending.reason,
        "dry_run": ending.dry_run,
        "rounds": ending.rounds,
        "run_seconds": ending.seconds,
        "passages": [asdict(item) for item in ending.passages],
        "branch": view.branch,
        "superseded": list(view.superseded),
        "pull_request": asdict(view.pull) if view.pull else None,
        "checks": asdict(view.checks) if view.checks else None,
        **candidate,
        "written": [_written(item) for item in ending.applied],
        "left_out": [],
    }


def within(found: dict[str, object], limit: int) -> dict[str, object]:
    """The data in at most so many characters of JSON: its longest lists are left out by name."""
    left_out: list[str] = []
    while len(json.dumps(found)) > limit:
        lists = {key: len(json.dumps(item)) for key, item in found.items() if _is_long(key, item)}
        if not lists:
            return found
        longest = max(sorted(lists), key=lambda key: lists[key])
        left_out.append(longest)
        found = {**found, longest: [], "left_out": left_out}
    return found


def _is_long(key: str, item: object) -> bool:
    return key != "left_out" and isinstance(item, list) and bool(item)


def _outputs(view: SyncView) -> dict[str, str]:
    pull = view.pull
    open_ones = [item for item in view.merge.findings if item.disposition == "open"]
    return {
        "pr-number": str(pull.number) if pull else "",
        "pr-url": pull.url if pull else "",
        "sync-branch": pull.branch if pull else view.branch,
        "head-sha": pull.head if pull else view.merge.commit,
        "conflicts": str(len(view.merge.conflicts)),
        "findings": str(len(open_ones)),
    }


def _written(item: Applied) -> dict[str, object]:
    return {
        "effect": type(item.effect).__name__,
        "what": describe(item.effect),
        "result": item.result.value,
        "detail": item.detail,
        "url": item.url,
    }


def _pull(pull: PullView | None) -> str:
    if pull is None:
        return ""
    where = link(f"Pull request {pull.number}", pull.url)
    people = f", {sections.count(pull.people, 'commit')} by people" if pull.people else ""
    rounds = sections.count(pull.fix_rounds, "round")
    fixes = f", {rounds} of fixes" if pull.fix_rounds else ""
    return f"{where} from {code(pull.branch)} at {sections.commit_id(pull.head)}{fixes}{people}"


def _timeline(merge: MergeView, applied: Sequence[Applied]) -> str:
    """The phases in order: the steps of the merge with their seconds, then every write."""
    rows = [["phase", "what", "result"]]
    rows += [["merge", escape(step), f"{took:.1f} s"] for step, took in merge.seconds.items()]
    rows += [
        [
            "pull request",
            link(describe(item.effect), item.url),
            escape(f"{item.result.value} {item.detail}"),
        ]
        for item in applied
    ]
    return table(rows) if len(rows) > 1 else ""


def _checks(checks: ChecksView | None) -> str:
    if checks is None:
        return ""
    groups = (
        ("failed", sections.checks(checks.failed, SHOWN_ROWS)),
        ("pending", sections.checks(checks.pending, SHOWN_ROWS)),
        ("never reported", "\n".join(f"- {escape(name)}" for name in checks.missing)),
        ("the target's own failures", sections.accepted(checks.accepted)),
        ("passed", sections.checks(checks.passed, SHOWN_ROWS)),
        ("exempt", sections.checks(checks.exempt, SHOWN_ROWS)),
    )
    parts = [f"Verdict: **{escape(checks.state)}**"]
    parts += [f"**{name}**\n\n{text}" for name, text in groups if text]
    return "\n\n".join([*parts, failure_lines(checks.failures, SHOWN_FAILURES)]).rstrip()


def _conflicts(merge: MergeView) -> str:
    if not merge.conflicts and not merge.resolutions:
        return "None."
    files = sections.count(len(merge.conflicts), "conflicted file")
    count = f"{files}, {sections.count(len(merge.resolutions), 'resolution')}."
    rows = sections.resolutions(merge.resolutions, SHOWN_CONFLICTS)
    return "\n\n".join(part for part in (count, rows) if part)


def _findings(merge: MergeView) -> str:
    counts = sections.dispositions(merge.findings)
    return f"{counts}.\n\n{sections.findings(merge.findings, SHOWN_ROWS)}" if counts else ""


def _headed(heading: str, text: str) -> str:
    return f"### {heading}\n\n{text}" if text else ""
