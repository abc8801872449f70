"""The sync's values as the rows that reports are worded from. Mapping only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from nightshift.report import ledger
from nightshift.sync.candidate import Candidate, NotableChange
from nightshift.sync.checks import Normal
from nightshift.sync.diagnose import CAUSES, first_causes
from nightshift.sync.facts import Ci, FailedCheck, OurPull, Story, SyncFacts
from nightshift.values import Entry

EXTERNAL_HELP = "another system reported it: no log is here"
GATE_HELP = "it collects other checks, and none of them failed: look at its own run"
NO_LOG_HELP = "its log tells nothing, or has expired"
COMMAND = "fix-command"
SHOWN_CHECKS = 3
OID = 12


def merge(candidate: Candidate, story: Story | None = None) -> ledger.MergeView:
    """The candidate."""
    return ledger.MergeView(
        source_ref=candidate.source_ref,
        target_ref=candidate.target_ref,
        source=candidate.source,
        target=candidate.target,
        commit=candidate.commit,
        merge_bases=candidate.merge_bases,
        python_line=candidate.stats.line,
        commit_count=candidate.stats.commits,
        commits=story.commits if story else (),
        conflicts=candidate.conflicts,
        resolutions=candidate.resolutions,
        findings=tuple(
            ledger.FindingRow(
                item.rule,
                item.severity.value,
                item.path,
                item.line,
                item.message,
                item.disposition.value,
                item.evidence,
            )
            for item in candidate.findings
        ),
        taken_from_source=candidate.taken_from_source,
        kept_from_target=candidate.kept_from_target,
        restored=tuple(
            ledger.RestoredRow(item.path, item.why, item.evidence) for item in candidate.restored
        ),
        formatted=candidate.formatted,
        notable=tuple(_notable(item) for item in candidate.notable),
        steps_not_done=candidate.steps_not_done,
        git_messages=candidate.git_messages,
        remerge_diff=story.remerge_diff if story else None,
        seconds=dict(candidate.seconds),
    )


def merge_of(facts: SyncFacts) -> ledger.MergeView:
    """The merge that the current pull request holds. Where it is an older one, which people have
    gone on with, this run's candidate says nothing of it."""
    candidate, current = facts.candidate, facts.current
    mark = current.marker if current else None
    here = (candidate.source, candidate.target)
    if mark is None or (mark.source_sha, mark.target_sha) == here:
        return merge(candidate, facts.story)
    return ledger.MergeView(mark.source, mark.target, mark.source_sha, mark.target_sha, mark.merge)


def pull(our: OurPull) -> ledger.PullView:
    """The pull request."""
    return ledger.PullView(
        number=our.pull.number,
        url=our.pull.url,
        branch=our.pull.head_ref,
        head=our.head or our.pull.head_sha,
        fix_rounds=our.fix_rounds,
        people=len(our.people),
    )


def checks(ci: Ci) -> ledger.ChecksView:
    """The checks by verdict."""
    verdict = ci.verdict
    return ledger.ChecksView(
        state=verdict.state.value,
        failed=_rows(verdict.failed),
        pending=_rows(verdict.pending),
        missing=verdict.missing,
        passed=_rows(verdict.passed),
        exempt=_rows(verdict.exempt),
        accepted=tuple(_accepted(ci)),
        failures=(*_grouped(row for c in ci.failed for row in _failures(c, ci)), *_command(ci)),
    )


def _rows(items: Iterable[Normal]) -> tuple[ledger.CheckRow, ...]:
    return tuple(
        ledger.CheckRow(item.name, item.conclusion or item.status, item.check.url) for item in items
    )


def _accepted(ci: Ci) -> Iterable[ledger.AcceptedRow]:
    """The accepted failures; a sentinel that they explain has no evidence of its own."""
    proofs = {item.key: item for item in ci.evidence}
    for item in ci.verdict.accepted:
        proof = proofs.get(item.key)
        if proof is not None:
            yield ledger.AcceptedRow(
                item.name, item.check.url, proof.number, proof.url, proof.run_url
            )


def _failures(check: FailedCheck, ci: Ci) -> Iterable[ledger.FailureRow]:
    """What is left to a person: the first causes of a check that is not accepted."""
    item = check.item
    if item in ci.verdict.accepted:
        return
    for failure in first_causes(check.failures):
        cause = CAUSES[failure.cause]
        yield ledger.FailureRow(
            item.name, item.check.url, failure.cause, cause.help, failure.excerpt
        )
    if not check.failures:
        known = EXTERNAL_HELP if item.external else GATE_HELP if check.gate else NO_LOG_HELP
        yield ledger.FailureRow(item.name, item.check.url, item.conclusion.lower(), known)


def _grouped(rows: Iterable[ledger.FailureRow]) -> Iterable[ledger.FailureRow]:
    """One row for what many checks tell in the same words: an import at the root of all."""
    groups: dict[tuple[str, str], list[ledger.FailureRow]] = {}
    for row in rows:
        groups.setdefault((row.cause, row.lines[-1] if row.lines else row.check), []).append(row)
    for first, *others in groups.values():
        names = sorted({row.check for row in (first, *others)})
        shown = ", ".join(names[:SHOWN_CHECKS])
        more = f" and {len(names) - SHOWN_CHECKS} more" if len(names) > SHOWN_CHECKS else ""
        yield replace(first, check=shown + more)


def _command(ci: Ci) -> Iterable[ledger.FailureRow]:
    """Why the policy's command did not help, with what it said."""
    repair = ci.repair
    if repair is not None and repair.by_command and repair.problem:
        yield ledger.FailureRow(COMMAND, "", COMMAND, repair.problem, repair.output)


def _notable(item: NotableChange) -> ledger.NotableRow:
    return ledger.NotableRow(item.kind.value, item.path, _entry(item.target), _entry(item.merged))


def _entry(entry: Entry | None) -> str:
    return f"{entry.mode} {entry.oid[:OID]}" if entry else ""
