"""The hidden line in a pull request's body that says: this is a sync, of these commits.

A killed run is continued by what stands here, never by today's date. Text to text only. The line
and the part below it that is rewritten while CI runs stand above all else in the body, so that
foreign text further down (a diff that holds such a line) is never read as ours.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from nightshift.refs import is_commit_id

OPEN = "<!-- nightshift:sync "
CLOSE = " -->"
STATUS_START = "<!-- nightshift:status -->"
STATUS_END = "<!-- /nightshift:status -->"
COMMENT = "<!-- nightshift:{kind} {sha} -->"


@dataclass(frozen=True, slots=True)
class Marker:
    """What a sync pull request holds.

    :param source, target: the branches; `source_sha`, `target_sha`: the commits that were merged.
    :param merge: the merge commit that the branch was made with.
    :param absent_labels: of the policy's labels those that the repository lacks; None until the
        labels were added, which happens once: one that a person takes off stays off.
    """

    source: str
    target: str
    source_sha: str
    target_sha: str
    merge: str
    absent_labels: tuple[str, ...] | None = None


def write(marker: Marker) -> str:
    """The hidden line. No character of a name can end the HTML comment."""
    data = {
        "source": marker.source,
        "target": marker.target,
        "source_sha": marker.source_sha,
        "target_sha": marker.target_sha,
        "merge": marker.merge,
        "absent_labels": marker.absent_labels,
    }
    text = json.dumps(data).replace("<", "\\u003c").replace(">", "\\u003e")
    return f"{OPEN}{text}{CLOSE}"


def read(body: str) -> Marker | None:
    """What a body's first hidden line says; None where there is none, or it is not of our form."""
    _, found, rest = body.partition(OPEN)
    text, closed, _ = rest.partition(CLOSE)
    if not found or not closed:
        return None
    try:
        data = json.loads(text)
        labels = data["absent_labels"]
        marker = Marker(
            source=str(data["source"]),
            target=str(data["target"]),
            source_sha=str(data["source_sha"]),
            target_sha=str(data["target_sha"]),
            merge=str(data["merge"]),
            absent_labels=None if labels is None else tuple(str(label) for label in labels),
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    commits = (marker.source_sha, marker.target_sha, marker.merge)
    return marker if all(is_commit_id(commit) for commit in commits) else None


def head(marker: Marker, status: str = "") -> str:
    """The body's head: the hidden line, then what is rewritten while CI runs (Markdown)."""
    lines = [write(marker), STATUS_START, *([status.strip("\n")] if status else []), STATUS_END]
    return "\n".join(lines)


def with_head(body: str, marker: Marker, status: str) -> str:
    """A body with another head; what people wrote above or below stays."""
    text = body.replace("\r\n", "\n")
    before, found, rest = text.partition(OPEN)
    if not found:
        return f"{head(marker, status)}\n\n{text}"
    _, end, below = rest.partition(STATUS_END)
    if not end:
        below = rest.partition(CLOSE)[2]
    return f"{before}{head(marker, status)}{below}"


def for_comment(kind: str, sha: str) -> str:
    """The hidden line of a comment that is posted once for a commit."""
    return COMMENT.format(kind=kind, sha=sha)
