"""A rollup as `gh pr view --json headRefOid,statusCheckRollup` prints it, read into values.

Reads data that is parsed already; opens no file. What it cannot read it refuses, naming the entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from nightshift.errors import UserError
from nightshift.values import Check, CheckKind, Rollup

MEND = "Give the output of `gh pr view --json headRefOid,statusCheckRollup`, or the list in it."
NO_ROLLUP = "this is no status-check rollup."
NO_ENTRY = "this entry is no check run or status context."
NO_TEXT = "this field is no text."


def parse(data: object, *, name: str) -> Rollup:
    """The rollup in gh's form: the list of entries, or the object around it.

    :param name: how errors name the input.
    :returns: its `sha` is "" where the input does not say which commit it is of.
    :raises UserError: it is something else; `where` names the entry and field.
    """
    sha, entries = "", data
    if isinstance(data, Mapping):
        if "statusCheckRollup" not in data:
            raise UserError(NO_ROLLUP, where=name, mend=MEND)
        sha = _text(data, "headRefOid", name)
        entries = data["statusCheckRollup"] or []
    if not isinstance(entries, list):
        raise UserError(NO_ROLLUP, where=name, mend=MEND)
    return Rollup(sha, tuple(_check(item, f"{name}[{n}]") for n, item in enumerate(entries)))


def _check(entry: object, where: str) -> Check:
    if not isinstance(entry, Mapping):
        raise UserError(NO_ENTRY, where=where, mend=MEND)
    return _context(entry, where) if _is_context(entry) else _run(entry, where)


def _is_context(entry: Mapping[str, object]) -> bool:
    kind = entry.get("__typename")
    if kind in ("CheckRun", "StatusContext"):
        return kind == "StatusContext"
    return "status" not in entry and ("context" in entry or "state" in entry)


def _run(entry: Mapping[str, object], where: str) -> Check:
    return Check(
        CheckKind.RUN,
        _name(entry, ("name", "context"), where),
        status=_text(entry, "status", where),
        conclusion=_text(entry, "conclusion", where),
        workflow=_text(entry, "workflowName", where),
        url=_text(entry, "detailsUrl", where),
        started_at=_time(entry, "startedAt", where),
        completed_at=_time(entry, "completedAt", where),
    )


def _context(entry: Mapping[str, object], where: str) -> Check:
    started = _time(entry, "startedAt", where) or _time(entry, "createdAt", where)
    return Check(
        CheckKind.CONTEXT,
        _name(entry, ("context", "name"), where),
        status="",
        conclusion=_text(entry, "state", where),
        url=_text(entry, "targetUrl", where),
        started_at=started,
        required=entry.get("isRequired") is True,
    )


def _name(entry: Mapping[str, object], keys: tuple[str, str], where: str) -> str:
    return _text(entry, keys[0], where) or _text(entry, keys[1], where) or "?"


def _text(entry: Mapping[str, object], key: str, where: str) -> str:
    value = entry.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise UserError(NO_TEXT, where=f"{where}.{key}", mend=MEND)
    return value


def _time(entry: Mapping[str, object], key: str, where: str) -> datetime | None:
    """A time; None where it cannot be read or is none, which gh writes as the year 1."""
    try:
        time = datetime.fromisoformat(_text(entry, key, where))
    except ValueError:
        return None
    aware = time if time.tzinfo else time.replace(tzinfo=UTC)
    return aware if aware.year > 1 else None
