"""The report of a sync that found nothing to do."""

from __future__ import annotations

import json

from nightshift.outcome import Outcome
from nightshift.report.markdown import code
from nightshift.step import Report

SCHEMA_VERSION = 1


def nothing_report(target: str, source: str) -> Report:
    """The target holds all of the source: said in every output that sync has."""
    outcome = Outcome.NOTHING_TO_SYNC.value
    data = {"schema_version": SCHEMA_VERSION, "mode": "sync", "outcome": outcome}
    empty = ("pr-number", "pr-url", "sync-branch", "head-sha")
    outputs = {**dict.fromkeys(empty, ""), "conflicts": "0", "findings": "0"}
    summary = f"## Sync: {outcome}\n\n{code(target)} holds all of {code(source)} already.\n"
    return Report({**outputs, "report": json.dumps(data)}, summary, data)
