"""What a run ended with, and the exit code that says so. One table; README repeats it under a
test."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """The `outcome` output of the action."""

    TRIAGED = "triaged"
    ALREADY_TRIAGED = "already-triaged"
    OUT_OF_SCOPE = "out-of-scope"
    NEEDS_PEOPLE = "needs-people"
    SKIPPED = "skipped"
    UNCHANGED = "unchanged"
    PARTIAL = "partial"
    READY = "ready"
    NOTHING_TO_SYNC = "nothing-to-sync"
    NEEDS_HUMAN = "needs-human"
    TIMED_OUT = "timed-out"
    BLOCKED = "blocked"
    DRY_RUN = "dry-run"
    FAILED = "failed"


EXIT_DONE = 0
EXIT_NOT_REACHED = 1

# outcome -> (exit code, meaning). A sweep's remainder and an issue that people must look at are
# normal ends of a night; a sync that is not ready is not.
TABLE: dict[Outcome, tuple[int, str]] = {
    Outcome.TRIAGED: (EXIT_DONE, "labels or a comment were added"),
    Outcome.ALREADY_TRIAGED: (EXIT_DONE, "people had triaged the issue; only the marker was added"),
    Outcome.OUT_OF_SCOPE: (EXIT_DONE, "the issue is not about the scope; people re-route it"),
    Outcome.NEEDS_PEOPLE: (EXIT_DONE, "high priority or doubt: people decide"),
    Outcome.SKIPPED: (EXIT_DONE, "the issue or event is not ours to touch; the reason is reported"),
    Outcome.UNCHANGED: (EXIT_DONE, "everything the decision wants is there already"),
    Outcome.PARTIAL: (EXIT_DONE, "a sweep left a remainder for the next run"),
    Outcome.READY: (EXIT_DONE, "the pull request is green and marked ready"),
    Outcome.NOTHING_TO_SYNC: (EXIT_DONE, "the target holds all of the source"),
    Outcome.DRY_RUN: (EXIT_DONE, "everything was decided, nothing was written"),
    Outcome.NEEDS_HUMAN: (EXIT_NOT_REACHED, "a failure that no rule can mend; the draft stays"),
    Outcome.TIMED_OUT: (EXIT_NOT_REACHED, "the deadline came before the checks ended"),
    Outcome.BLOCKED: (EXIT_NOT_REACHED, "an invariant forbids the push"),
    Outcome.FAILED: (
        EXIT_NOT_REACHED,
        "an error ended the run; its own exit code is used (2, 3 or 70)",
    ),
}


def exit_code(outcome: Outcome) -> int:
    """The process exit code of an outcome."""
    return TABLE[outcome][0]
