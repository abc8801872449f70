"""The report of a run that ended before there was anything to report but its error."""

from __future__ import annotations

import json

from nightshift.errors import NightshiftError, UserErrors
from nightshift.outcome import Outcome
from nightshift.report.markdown import escape
from nightshift.step import Report

SCHEMA_VERSION = 1


def failure_report(error: NightshiftError) -> Report:
    """Summary and data of an error. Its texts may quote what users wrote: they come out inert."""
    errors = error.errors if isinstance(error, UserErrors) else (error,)
    data = {
        "schema_version": SCHEMA_VERSION,
        "outcome": Outcome.FAILED.value,
        "owner": error.owner,
        "errors": [{"what": e.what, "where": e.where, "mend": e.mend} for e in errors],
    }
    lines = "".join(f"- {escape(str(e))}\n" for e in errors)
    summary = f"## nightshift failed\n\n{lines}\nNothing more was written.\n"
    return Report({"report": json.dumps(data)}, summary, data)
