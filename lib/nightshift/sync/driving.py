"""The phases of a pull request that stands: start CI, wait, fix, retry, ask for a person, mark
ready.

Pure: each takes a round and gives a step, or None where there is nothing for it to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from nightshift.effects.values import (
    EditPullRequest,
    Effect,
    MarkReady,
    PostComment,
    PushFix,
    RerunFailedJobs,
)
from nightshift.outcome import Outcome
from nightshift.report import comments as wording
from nightshift.report.pull_request import status
from nightshift.step import Step
from nightshift.sync import marker as markers
from nightshift.sync import view
from nightshift.sync.checks import Normal
from nightshift.sync.commits import fix_message, fix_subject
from nightshift.sync.findings import Finding, blocking
from nightshift.sync.gate import State
from nightshift.sync.repair import Repair
from nightshift.sync.round import LAG_SECONDS, Round, end
from nightshift.sync.trigger import command, trusted
from nightshift.values import Identity

TRIGGER, FINAL, NEEDS_HUMAN = "trigger", "ready", "needs-human"
TEMPLATES = (TRIGGER, FINAL, NEEDS_HUMAN)
"""What comments are made from."""

SHOWN = 5
"""Names in a reason of one line."""

BY_COMMAND = "the policy's fix-command"
STARTED = "CI was asked to run"
UNSETTLED = "all checks that have appeared are green; waiting whether more appear"
WAITING = "waiting for {what}"
SILENT = (
    "no check has appeared in {minutes} minutes: may the token start CI, and is the bot that "
    "starts it installed?"
)
FIXED = "a fix is pushed: {causes}"
BLOCKED_FIX = "a fix would break invariants, it was not pushed: {rules}"
BLOCKED_HEAD = "#{number} is green but breaks invariants, it is not marked ready: {rules}"
RETRIED = "failed by the network or the machine, runs again on the same commit: {what}"
MAINTAINER = "only a maintainer can start what a gate waits for: {what}"
PERSON = "no rule can mend what failed, waiting for a person's push: {what}"
READY = "#{number} is green and ready"
DRAFT_AGAIN = "#{number} is green, but a person made it a draft again: it is left so"


def trigger(now: Round) -> Step | None:
    """The comment that starts CI, once for each head."""
    text = command(now.policy.ci, now.our.head)
    if text is None or now.facts.asked:
        return None
    return now.poll(STARTED, PostComment(now.number, text, TRIGGER, ""))


def wait(now: Round) -> Step | None:
    """The gate has not decided yet."""
    verdict = now.ci.verdict
    waiting = verdict.state is State.WAITING
    if not now.policy.ci.sentinels:
        # No sentinel says that all has appeared and ended: let it settle before anything is judged.
        waiting = waiting or bool(verdict.pending)
        if verdict.state is State.GREEN and not _settled(now):
            return now.poll(UNSETTLED)
    if not waiting:
        return None
    silent = SILENT.format(minutes=now.policy.ci.silence_minutes)
    return now.poll(silent, notice=True) if _silent(now) else now.poll(_awaited(now))


def maintainer(now: Round) -> Step | None:
    """A gate failed because jobs were skipped that only a maintainer may start: nothing to
    repair."""
    skipped = now.ci.verdict.needs_maintainer
    if not skipped:
        return None
    return end(Outcome.NEEDS_HUMAN, MAINTAINER.format(what=_some(skipped)), *_ask(now))


def fix(now: Round) -> Step | None:
    """What can be mended for certain is mended, in one commit, on the head that was looked at."""
    repair, rules = now.ci.repair, now.policy.commit
    number = now.our.fix_rounds + 1
    if repair is None or not repair.changes or number > now.policy.ci.max_fix_rounds:
        return None
    if not repair.may_push:
        return end(Outcome.BLOCKED, BLOCKED_FIX.format(rules=_rules(repair.broken)))
    mark = now.our.marker
    subject = fix_subject(rules, mark.source, mark.target, now.date)
    effect = PushFix(
        branch=now.our.pull.head_ref,
        head=now.our.head,
        changes=repair.changes,
        message=fix_message(subject, _mended(repair), number),
        identity=Identity(rules.name, rules.email),
        at=now.now,
        amend=now.our.amends,
    )
    causes = sorted({failure.cause for failure in repair.mended}) or [BY_COMMAND]
    return now.then(LAG_SECONDS, FIXED.format(causes=", ".join(causes)), effect)


def retry(now: Round) -> Step | None:
    """Nothing failed but the network or the machine, and what is the target's own: the same commit
    once more, so often as policy allows. How often it was tried, GitHub knows."""
    failed = [check for check in now.ci.failed if check.item not in now.ci.verdict.accepted]
    if not failed or not all(check.transient for check in failed):
        return None
    items = [check.item for check in failed]
    why = RETRIED.format(what=_names(items))
    attempts = max(item.check.run_attempt for item in items)
    runs = sorted({item.check.run_id for item in items if item.check.run_id is not None})
    if runs and attempts <= now.policy.ci.retry.infra:
        return now.poll(why, *(RerunFailedJobs(run) for run in runs))
    text = command(now.policy.ci, now.our.head)
    if not runs and text is not None and len(now.facts.asked) <= now.policy.ci.retry.infra:
        return now.poll(why, PostComment(now.number, text, TRIGGER, ""))
    return None


def ask(now: Round) -> Step | None:
    """A person is asked once, and waited for until the deadline."""
    if now.ci.verdict.state is not State.FAILED:
        return None
    looked_into = [check.item for check in now.ci.failed]
    why = PERSON.format(what=_names(looked_into or now.ci.verdict.failed))
    effects = [*_record(now), *_ask(now)]
    if now.now >= now.request.deadline:
        return end(Outcome.NEEDS_HUMAN, why, *effects)
    return now.poll(why, *effects, late=Outcome.NEEDS_HUMAN)


def ready(now: Round) -> Step | None:
    """All is green: recorded, marked ready, told once."""
    if now.ci.verdict.state is not State.GREEN:
        return None
    if blocking(now.ci.broken):
        reason = BLOCKED_HEAD.format(number=now.number, rules=_rules(now.ci.broken))
        return end(Outcome.BLOCKED, reason)
    mark = markers.for_comment(FINAL, now.our.head)
    if _posted(now, mark):
        return _told_before(now)
    effects = [*_record(now)]
    if now.our.pull.draft:
        effects.append(MarkReady(now.number, now.our.pull.node_id))
    told = view.merge_of(now.facts), view.pull(now.our), view.checks(now.ci)
    effects.append(PostComment(now.number, wording.ready(*told, mark), FINAL, mark))
    return end(Outcome.READY, READY.format(number=now.number), *effects)


def _told_before(now: Round) -> Step:
    """The comment comes last, so that a draft which has it is one that a person wants."""
    if now.our.pull.draft:
        return end(Outcome.SKIPPED, DRAFT_AGAIN.format(number=now.number))
    return end(Outcome.READY, READY.format(number=now.number), *_record(now))


def _ask(now: Round) -> list[Effect]:
    mark = markers.for_comment(NEEDS_HUMAN, now.our.head)
    if _posted(now, mark):
        return []
    skipped = now.ci.verdict.needs_maintainer
    text = wording.needs_human(view.pull(now.our), view.checks(now.ci), mark, skipped)
    return [PostComment(now.number, text, NEEDS_HUMAN, mark)]


def _record(now: Round) -> list[Effect]:
    """The body's part that follows CI, where it is not so already."""
    pull, mark = now.our.pull, now.our.marker
    text = status(mark.absent_labels or (), view.checks(now.ci).accepted)
    after = markers.with_head(pull.body, mark, text)
    same = after == pull.body.replace("\r\n", "\n")
    return [] if same else [EditPullRequest(now.number, after)]


def _posted(now: Round, mark: str) -> bool:
    comments = now.facts.comments
    return any(mark in one.body and trusted(one, now.our.pull) for one in comments)


def _settled(now: Round) -> bool:
    """Whether the newest check ended a while ago, so that what follows it would have appeared."""
    items = now.ci.verdict.passed + now.ci.verdict.accepted
    times = [item.check.completed_at or item.check.started_at for item in items]
    latest = max((time for time in times if time is not None), default=None)
    return latest is None or now.now - latest >= timedelta(seconds=now.policy.ci.poll_seconds)


def _silent(now: Round) -> bool:
    """Whether nothing has appeared for long, since CI was asked to run or since we look on."""
    since = now.ci.since or now.request.started
    patience = timedelta(minutes=now.policy.ci.silence_minutes)
    return not now.ci.verdict.seen and now.now - since >= patience


def _awaited(now: Round) -> str:
    verdict = now.ci.verdict
    required = {item.name for item in verdict.pending if item.check.required}
    never = [
        f"{name} ({'required, ' if name in required else ''}has not reported)"
        for name in verdict.missing
    ]
    running = [item.name for item in verdict.pending if item.name not in verdict.missing]
    return WAITING.format(what=_some([*never, *running]) or verdict.note or "checks to appear")


def _mended(repair: Repair) -> str:
    """The body of a fix's commit message. Names in it are foreign: one line each, and printable."""
    if repair.by_command:
        return f"- {BY_COMMAND}"
    failures = repair.mended
    names = sorted({f"{item.cause}: {item.module or item.path} {item.symbol}" for item in failures})
    lines = ("".join(char if char.isprintable() else "?" for char in name) for name in names)
    return "\n".join(f"- {line.strip()}"[:200] for line in lines)


def _rules(findings: Iterable[Finding]) -> str:
    return ", ".join(sorted({f"{item.rule} {item.path}".strip() for item in blocking(findings)}))


def _names(items: Iterable[Normal]) -> str:
    return _some(sorted({item.name for item in items}))


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    more = f" and {len(listed) - SHOWN} more" if len(listed) > SHOWN else ""
    return ", ".join(listed[:SHOWN]) + more
