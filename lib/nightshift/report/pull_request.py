"""The sync pull request's title and body, and the part of the body that follows CI. Wording only.

The body holds facts first. Where it would be over the platform's size it shrinks in tiers: the
diff of the merge goes first, then lists get shorter, and every fence and fold stays closed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nightshift.policy.texts import filled
from nightshift.report import sections
from nightshift.report.ledger import AcceptedRow, MergeView
from nightshift.report.markdown import code, cut, details, escape, fence
from nightshift.values import Commit

BODY_BYTES = 62_000
"""GitHub takes 65,536 characters. Bytes of UTF-8 are never fewer than characters, however it
counts."""

STATUS_BYTES = 3_000
"""For the part that is rewritten while CI runs: with it the body is below the limit still."""

SMALLEST_DIFF = 2_000
FRAME_BYTES = 400
"""For what stands around a diff."""

LANDING = (
    "**Land this with a merge commit, never by squash or rebase**: a squash loses the ancestry, "
    "and the next sync meets every one of these conflicts again."
)
OLD_GIT = (
    "git is too old for `--remerge-diff` here. The merge was made by `git merge-tree`, and each "
    "conflict was then decided as listed above."
)
DIFF_CUT = "*The diff is longer than this body may be: see `git show --remerge-diff`.*"
LABELS_ABSENT = "The repository has no label {labels}: what it starts did not run."


@dataclass(frozen=True, slots=True)
class _Tier:
    """How many rows of each list are shown."""

    conflicts: int
    findings: int
    files: int
    commits: int


_TIERS = (
    _Tier(400, 200, 400, 300),
    _Tier(200, 120, 150, 60),
    _Tier(80, 60, 50, 0),
    _Tier(20, 20, 10, 0),
)


def title(template: str, source: str, target: str, date: str) -> str:
    """The pull request's title, as policy has it."""
    return filled(template, source=source, target=target, date=date)


def body(view: MergeView, head: str) -> str:
    """The whole body.

    :param head: the hidden lines that it begins with.
    """
    for tier in _TIERS:
        facts = "\n\n".join([head, *_facts(view, tier)])
        room = BODY_BYTES - len(facts.encode("utf-8", "replace"))
        if room >= SMALLEST_DIFF:
            return f"{facts}\n\n{_diff(view, room - 2)}\n"
    return cut(facts, BODY_BYTES)


def status(absent_labels: Sequence[str], accepted: Sequence[AcceptedRow]) -> str:
    """The part of the body that follows CI: missing labels, failures that are the target's own."""
    parts = []
    if absent_labels:
        names = ", ".join(code(label) for label in absent_labels)
        parts.append(LABELS_ABSENT.format(labels=names))
    if accepted:
        parts += ["### Failures that the target has too", sections.accepted(accepted)]
    return cut("\n\n".join(parts), STATUS_BYTES)


def _facts(view: MergeView, tier: _Tier) -> list[str]:
    """Summary first, then what a reviewer must look at, then the lists."""
    blocks = [
        _summary(view),
        view.python_line,
        LANDING,
        _headed("Steps that were not done", _bullets(view.steps_not_done)),
        _headed("Findings", _findings(view, tier, of_sources=False)),
        _headed("Git sources", _findings(view, tier, of_sources=True)),
        _headed(
            "Workflow files, submodules and modes that change",
            sections.notable(view.notable, tier.files),
        ),
        _headed("Conflicts", _conflicts(view, tier)),
        _headed(
            f"Files taken from {escape(view.source_ref)}",
            sections.paths(view.taken_from_source, tier.files),
        ),
        _headed(
            f"Files deleted in {escape(view.target_ref)} and restored",
            sections.restored(view.restored, tier.files),
        ),
        _headed("Files formatted", sections.paths(view.formatted, tier.files)),
        _headed("What git could not merge by itself", _words(view, tier)),
        _headed("Commits", _commits(view, tier.commits)),
    ]
    return [block for block in blocks if block]


def _summary(view: MergeView) -> str:
    count = sections.count(view.commit_count, "commit")
    source, target = code(view.source_ref), code(view.target_ref)
    ends = f"{sections.commit_id(view.source)} into {sections.commit_id(view.target)}"
    bases = ", ".join(sections.commit_id(base) for base in view.merge_bases)
    known = f" Merge base: {bases}." if bases else ""
    return f"Syncs {count} of {source} into {target} ({ends}).{known}"


def _findings(view: MergeView, tier: _Tier, *, of_sources: bool) -> str:
    items = [item for item in view.findings if sections.is_source(item) == of_sources]
    return sections.findings(items, tier.findings)


def _conflicts(view: MergeView, tier: _Tier) -> str:
    if not view.conflicts and not view.resolutions:
        return "None."
    count = f"{sections.count(len(view.conflicts), 'conflicted file')}."
    return "\n\n".join(
        part for part in (count, sections.resolutions(view.resolutions, tier.conflicts)) if part
    )


def _words(view: MergeView, tier: _Tier) -> str:
    lines = view.git_messages[: tier.files]
    return (
        details(sections.count(len(view.git_messages), "message"), fence("\n".join(lines)))
        if lines
        else ""
    )


def _commits(view: MergeView, limit: int) -> str:
    if not view.commits or not limit:
        return ""
    text = "\n".join(_commit(item) for item in view.commits[:limit])
    more = len(view.commits) - limit
    rest = f"\n\n{sections.MORE.format(count=more)}" if more > 0 else ""
    return details(f"{sections.count(view.commit_count, 'commit')}, newest first", f"{text}{rest}")


def _commit(item: Commit) -> str:
    return f"- {sections.commit_id(item.sha)} {escape(item.subject)} ({escape(item.author)})"


def _diff(view: MergeView, room: int) -> str:
    if view.remerge_diff is None:
        return OLD_GIT
    if not view.remerge_diff.strip():
        return ""
    shown = _first_lines(view.remerge_diff, room - FRAME_BYTES)
    notice = "" if shown == view.remerge_diff else f"\n\n{DIFF_CUT}"
    block = details("git show --remerge-diff", fence(shown, "diff") + notice)
    whole = f"### Conflict resolutions as a diff\n\n{block}"
    # A diff with endless runs of backticks needs a longer fence than was reckoned with.
    return whole if len(whole.encode("utf-8", "replace")) <= room else DIFF_CUT


def _first_lines(text: str, max_bytes: int) -> str:
    """So much of a text as fits, in whole lines."""
    data = text.encode("utf-8", "replace")
    if len(data) <= max_bytes:
        return text
    return data[:max_bytes].rpartition(b"\n")[0].decode("utf-8", "ignore")


def _headed(heading: str, text: str) -> str:
    return f"### {heading}\n\n{text}" if text else ""


def _bullets(items: Sequence[str]) -> str:
    return "\n".join(f"- {escape(item)}" for item in items)
