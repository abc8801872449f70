"""Bad input gets a clear error, exit code 2, and nothing is written anywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from nightshift.demo import issues, repository
from nightshift.sandbox import Sandbox
from nightshift.sandbox.repository import Repository
from support.action import Starter

SYNC = {"mode": "sync", "policy": repository.POLICY_PATH}
TRIAGE = {"mode": "triage"}


class Bad(NamedTuple):
    """What is wrong, and the words that must be in the log."""

    inputs: dict[str, str]
    said: tuple[str, ...]
    event: dict[str, Any] | None = None
    spoil: Callable[[Repository], None] | None = None


def labelled(number: int, **issue: Any) -> dict[str, Any]:
    return {
        "action": "labeled",
        "label": {"name": issues.SCOPE},
        "issue": {"number": number, **issue},
    }


def no_review_label(made: Repository) -> None:
    del made.labels["triage review"]
    del made.labels["ptd-bot-triaged"]


def deleted(made: Repository) -> None:
    made.issues[1].gone = "deleted"


def transferred(made: Repository) -> None:
    made.issues[1].gone = "example/elsewhere#7"


def policy_of(text: str) -> Callable[[Repository], None]:
    def write(made: Repository) -> None:
        put(made, repository.SOURCE, repository.POLICY_PATH, text)

    return write


def unrelated(made: Repository) -> None:
    stream = b"commit refs/heads/island\ncommitter K <k@example.org> 1 +0000\ndata 1\nx\n\n"
    made.git.git("fast-import", "--quiet", stdin=stream)


def put(made: Repository, branch: str, path: str, text: str) -> None:
    """A commit on a branch that writes one file."""
    data = text.encode()
    stream = (
        f"commit refs/heads/{branch}\ncommitter K <k@example.org> 9000000 +0000\ndata 1\nx\n"
        f"from refs/heads/{branch}^0\nM 100644 inline {path}\ndata {len(data)}\n"
    ).encode()
    made.git.git("fast-import", "--quiet", stdin=stream + data + b"\n")


CASES: dict[str, Bad] = {
    "unknown mode": Bad({"mode": "tidy"}, ("input mode", "'tidy'", "triage, sync")),
    "missing token": Bad({**TRIAGE, "token": "", "issue-number": "1"}, ("input token", "missing")),
    "several at once": Bad(
        {"mode": "sync", "token": "", "dry-run": "maybe", "deadline-minutes": "soon"},
        ("input token", "input dry-run", "input deadline-minutes"),
    ),
    "event without an issue": Bad(TRIAGE, ("the event has no issue",), {"action": "labeled"}),
    "pull request": Bad(TRIAGE, ("#1 is a pull request",), labelled(1, pull_request={"url": "x"})),
    "issue that does not exist": Bad({**TRIAGE, "issue-number": "4711"}, ("4711",)),
    "deleted issue": Bad({**TRIAGE, "issue-number": "1"}, ("deleted",), spoil=deleted),
    "transferred issue": Bad({**TRIAGE, "issue-number": "1"}, ("transferred",), spoil=transferred),
    "missing labels, all named": Bad(
        {**TRIAGE, "sweep": "true"}, ("ptd-bot-triaged, triage review",), spoil=no_review_label
    ),
    "no such preset": Bad({**TRIAGE, "issue-number": "1", "policy": "nope"}, ("no preset 'nope'",)),
    "policy of the other mode": Bad(
        {"mode": "sync", "policy": "pytorch-distributed"}, ("mode triage",)
    ),
    "policy file that is not there": Bad({"mode": "sync", "policy": "no/such.yaml"}, ("no/such",)),
    "policy path that leaves": Bad({"mode": "sync", "policy": "../x.yaml"}, ("'../x.yaml'",)),
    "unknown policy key, with its line": Bad(
        SYNC,
        (f"{repository.POLICY_PATH}:4", "paths.kepe", "unknown key"),
        spoil=policy_of("mode: sync\nsource: main\npaths:\n  kepe: [x]\n"),
    ),
    "policy that is no YAML": Bad(SYNC, ("YAML",), spoil=policy_of("mode: [sync\n")),
    "source and target the same": Bad(
        {**SYNC, "source": "dev"}, ("source and target are the same",)
    ),
    "both given and the same": Bad({**SYNC, "source": "dev", "target": "dev"}, ("both 'dev'",)),
    "ref like an option": Bad({**SYNC, "source": "--upload-pack=touch x"}, ("input source",)),
    "sync branch like an option": Bad({**SYNC, "sync-branch": "-f"}, ("input sync-branch",)),
    "sync branch that is the target": Bad({**SYNC, "sync-branch": "dev"}, ("dev",)),
    "branch that does not exist": Bad({**SYNC, "source": "mian"}, ("mian",)),
    "no merge base": Bad({**SYNC, "source": "island"}, ("no common commit",), spoil=unrelated),
}


@pytest.mark.parametrize("name", CASES)
def test_bad_input(name: str, box: Sandbox, made: Repository, starter: Starter) -> None:
    bad = CASES[name]
    if bad.spoil:
        bad.spoil(made)
    before = snapshot(made)
    head = made.git.head(repository.SOURCE) or ""
    event_name = "issues" if bad.event is not None else "schedule"
    runner = starter.prepare(bad.inputs, event_name, bad.event, sha=head)
    done = runner.run()
    log = done.stdout + done.stderr
    assert done.returncode == 2, log
    for words in bad.said:
        assert words in log
    assert "Traceback" not in log
    assert runner.outputs()["outcome"] == "failed"
    assert snapshot(made) == before
    assert not writes(box)
    assert not list(runner.workspace.iterdir())


def snapshot(made: Repository) -> tuple[bytes, list[tuple[list[str], int]]]:
    """All refs, and each issue's labels and number of comments."""
    state = [
        ([label.name for label in issue.labels], len(issue.comments))
        for issue in made.issues.values()
    ]
    return made.git.git("for-each-ref"), state


def writes(box: Sandbox) -> list[str]:
    """The requests that could have written something."""
    return [
        f"{seen.method} {seen.path}"
        for seen in box.requests
        if (seen.method != "GET" and not seen.path.endswith(("graphql", "git-upload-pack")))
        or b"mutation" in seen.body
    ]
