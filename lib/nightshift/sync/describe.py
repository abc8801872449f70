"""A candidate as data for JSON reports. The keys are a contract: README and checks rely on them."""

from __future__ import annotations

from nightshift.merge.resolution import Resolution
from nightshift.sync.candidate import Candidate, NotableChange
from nightshift.sync.findings import Finding
from nightshift.values import Entry

Data = dict[str, object]


def candidate_data(candidate: Candidate) -> Data:
    """The whole candidate. `target` and `source` are commit ids, `…_ref` the names that were
    merged."""
    stats = candidate.stats
    return {
        "target": candidate.target,
        "source": candidate.source,
        "target_ref": candidate.target_ref,
        "source_ref": candidate.source_ref,
        "merge_bases": list(candidate.merge_bases),
        "commit": candidate.commit,
        "tree": candidate.tree,
        "conflicts": list(candidate.conflicts),
        "resolutions": [resolution_data(item) for item in candidate.resolutions],
        "findings": [finding_data(item) for item in candidate.findings],
        "taken_from_source": list(candidate.taken_from_source),
        "kept_from_target": list(candidate.kept_from_target),
        "restored": [item.path for item in candidate.restored],
        "formatted": list(candidate.formatted),
        "notable": [_notable(item) for item in candidate.notable],
        "stats": {
            "commits": stats.commits,
            "python_lines_added": stats.python_lines_added,
            "python_lines_deleted": stats.python_lines_deleted,
            "python_files": stats.python_files,
        },
        "seconds": dict(candidate.seconds),
        "steps_not_done": list(candidate.steps_not_done),
        "git_messages": list(candidate.git_messages),
    }


def resolution_data(item: Resolution) -> Data:
    """One decision. `lines` are the first and last line in the result, null for a whole file."""
    return {
        "path": item.path,
        "method": item.method.value,
        "side": item.side.value,
        "lines": list(item.span) if item.span is not None else None,
        "evidence": list(item.evidence),
        "confidence": item.confidence.value,
        "note": item.note,
    }


def finding_data(item: Finding) -> Data:
    """One finding with what became of it."""
    return {
        "rule": item.rule,
        "severity": item.severity.value,
        "path": item.path,
        "line": item.line,
        "message": item.message,
        "disposition": item.disposition.value,
        "evidence": list(item.evidence),
    }


def _notable(item: NotableChange) -> Data:
    return {
        "kind": item.kind.value,
        "path": item.path,
        "target": _entry(item.target),
        "merged": _entry(item.merged),
    }


def _entry(entry: Entry | None) -> Data | None:
    return None if entry is None else {"mode": entry.mode, "oid": entry.oid}
