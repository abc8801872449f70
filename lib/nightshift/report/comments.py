"""The comments on the sync pull request: that it is ready, that a person is needed. Wording only.

Each carries a hidden line that keeps it from being posted twice; log lines stand in closed fences.
"""

from __future__ import annotations

from collections.abc import Sequence

from nightshift.report import sections
from nightshift.report.ledger import ChecksView, FailureRow, FindingRow, MergeView, PullView
from nightshift.report.markdown import code, cut, details, escape

COMMENT_BYTES = 60_000
SHOWN_FAILURES = 10
SHOWN_ROWS = 100

READY = "This sync is green at {head} and ready for review."
NEEDS_HUMAN = (
    "CI fails at {head} for a reason that no rule can mend. The pull request stays a draft."
)
GO_ON = "Push a fix to {branch}: it is taken up from there and nothing of it is overwritten."
MAINTAINER = (
    "A gate failed because these jobs were skipped: {jobs}. They are skipped where the author is "
    "no maintainer. There is nothing to repair; a maintainer must start them."
)
EXTERNAL = "Checks of other systems have no log here; look at their addresses."


def ready(view: MergeView, pull: PullView, checks: ChecksView, marker: str) -> str:
    """The final comment."""
    parts = [
        marker,
        READY.format(head=sections.commit_id(pull.head)),
        _headed("Checks that passed", sections.checks(checks.passed, SHOWN_ROWS)),
        _headed("Failures that the target has too", sections.accepted(checks.accepted)),
        _headed("Files", _files(view)),
        _headed("API mismatches fixed", _fixed(view.findings, pull.fix_rounds)),
        _headed("Git sources", _sources(view)),
        _headed("Not done", "\n".join(f"- {escape(step)}" for step in view.steps_not_done)),
    ]
    return cut("\n\n".join(part for part in parts if part), COMMENT_BYTES)


def needs_human(
    pull: PullView, checks: ChecksView, marker: str, skipped: Sequence[str] = ()
) -> str:
    """The comment that asks for a person.

    :param skipped: jobs that only a maintainer can start.
    """
    if skipped:
        jobs = ", ".join(code(name) for name in skipped)
        return cut(f"{marker}\n\n{MAINTAINER.format(jobs=jobs)}", COMMENT_BYTES)
    external = any(not item.lines for item in checks.failures)
    parts = [
        marker,
        NEEDS_HUMAN.format(head=sections.commit_id(pull.head)),
        _headed("Failed checks", sections.checks(checks.failed, SHOWN_ROWS)),
        _headed("What their logs say", sections.failures(checks.failures, SHOWN_FAILURES)),
        EXTERNAL if external else "",
        GO_ON.format(branch=code(pull.branch)),
    ]
    return cut("\n\n".join(part for part in parts if part), COMMENT_BYTES)


def failure_lines(items: Sequence[FailureRow], limit: int) -> str:
    """Failures with their lines, folded, for a summary."""
    text = sections.failures(items, limit)
    return details(f"{sections.count(len(items), 'cause')}, with log lines", text) if text else ""


def _files(view: MergeView) -> str:
    """Which side the files came from; nothing of a merge whose ledger is not at hand."""
    if not view.commit_count:
        return ""
    merged = set(view.conflicts) - set(view.taken_from_source) - set(view.kept_from_target)
    lines = [
        f"- {len(view.taken_from_source)} wholly from {escape(view.source_ref)}",
        f"- {len(view.kept_from_target)} wholly kept from {escape(view.target_ref)}",
        f"- {len(merged)} merged from both",
    ]
    lists = (
        (f"From {view.source_ref}", sorted(view.taken_from_source)),
        ("Merged", sorted(merged)),
    )
    folds = [
        details(name, "\n".join(f"- {code(path)}" for path in items[:SHOWN_ROWS]))
        for name, items in lists
        if items
    ]
    return "\n\n".join(["\n".join(lines), *folds])


def _fixed(findings: Sequence[FindingRow], rounds: int) -> str:
    done = [item for item in findings if item.disposition in ("repaired", "restored")]
    after = f"{sections.count(rounds, 'round')} of fixes after CI." if rounds else ""
    return "\n\n".join(part for part in (sections.findings(done, SHOWN_ROWS), after) if part)


def _sources(view: MergeView) -> str:
    done = [item for item in view.findings if sections.is_source(item)]
    return sections.findings(done, SHOWN_ROWS)


def _headed(heading: str, text: str) -> str:
    return f"### {heading}\n\n{text}" if text else ""
