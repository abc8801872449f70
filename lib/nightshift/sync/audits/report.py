"""Faults, losses and repairs as findings of the report, one for each fault whatever the number of
its places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from nightshift.policy.model import Severity
from nightshift.sync.audits.fault import Fault
from nightshift.sync.audits.preservation.compare import Loss
from nightshift.sync.findings import Disposition, Finding
from nightshift.sync.repairs.proposal import Bench, Done
from nightshift.sync.repairs.rename import candidates

MAY_BE = "{message}; it may be {names} now"
LIKEWISE = "{message}; likewise {names}"


def open_faults(bench: Bench, faults: Iterable[Fault]) -> Iterator[Finding]:
    """Faults that nobody has mended; those of one kind in one call are one."""
    together: dict[tuple[object, ...], list[Fault]] = {}
    for fault in _first(faults):
        subject = fault.subject
        about = (subject.path, subject.owner, subject.text) if subject else (fault.message,)
        place = (fault.rule, fault.path, fault.line, fault.column, *about)
        together.setdefault(place, []).append(fault)
    for group in together.values():
        first, message = group[0], group[0].message
        names = candidates(bench, first) if first.rule == "unknown-attribute" else ()
        if len(names) > 1:
            message = MAY_BE.format(message=message, names=" or ".join(names))
        if len(group) > 1:
            others = (repr(fault.subject.name) for fault in group[1:] if fault.subject)
            message = LIKEWISE.format(message=message, names=", ".join(others))
        yield Finding(first.rule, Severity.WARN, first.path, message, first.line)


def repaired(done: Sequence[Done]) -> Iterator[Finding]:
    """Faults that were mended, with how."""
    for item in done:
        message = f"{item.fault.message}: {item.proposal.what}"
        yield _closed(item.fault, message, Disposition.REPAIRED, (item.proposal.path,))


def mended(
    before: Sequence[Fault], done: Sequence[Done], left: Sequence[Fault]
) -> Iterator[Finding]:
    """Faults that went away with the repair of others."""
    gone = {d.fault.key for d in done} | {f.key for f in left}
    for fault in _first(f for f in before if f.key not in gone):
        message = f"{fault.message}: mended with another repair"
        yield _closed(fault, message, Disposition.REPAIRED, ())


def _closed(
    fault: Fault, message: str, disposition: Disposition, evidence: tuple[str, ...]
) -> Finding:
    where = (fault.path, message, fault.line, disposition, evidence)
    return Finding(fault.rule, Severity.WARN, *where)


def loss(lost: Loss, disposition: Disposition, evidence: tuple[str, ...]) -> Finding:
    """A loss, with what became of it."""
    where = (lost.path, lost.message, lost.line, disposition, evidence)
    return Finding(lost.rule, Severity.WARN, *where)


def _first(faults: Iterable[Fault]) -> Iterator[Fault]:
    seen: set[tuple[str, str, str]] = set()
    for fault in faults:
        if fault.key not in seen:
            seen.add(fault.key)
            yield fault
