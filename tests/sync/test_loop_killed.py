"""A run is killed before or after every single call of a port; the next run reaches the same end.

One pull request, one command for each head, one final comment, no commit lost: the world that a run
leaves which nobody disturbed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pytest

from nightshift.sync import marker
from support.fakes import Killed
from support.hub import Job
from support.night import BASE, MERGED, Night

TEST = "FAILED tests/test_a.py::test_sum - AssertionError"
IMPORT = "ImportError: cannot import name 'gather' from 'pkg.ops' (/w/pkg/ops.py)"


def fixed(files: Mapping[str, str]) -> Sequence[Job]:
    """Two failures one after the other, both mended."""
    if "def gather" not in files["pkg/ops.py"]:
        return [Job("unit", "FAILURE", IMPORT)]
    bad = " \n" in files["pkg/new.py"]
    return [Job("lint", "FAILURE" if bad else "SUCCESS", "would reformat pkg/new.py")]


def flaky(_: Mapping[str, str]) -> Sequence[Job]:
    """The network fails once."""
    return [Job("unit", ("FAILURE", "SUCCESS"), ("Could not resolve host: x", ""))]


def accepted(_: Mapping[str, str]) -> Sequence[Job]:
    """A failure that the target has too."""
    return [Job("unit", "FAILURE", TEST)]


def fixed_night() -> Night:
    files = {**MERGED, "pkg/ops.py": BASE["pkg/ops.py"], "pkg/new.py": "x = 1 \n"}
    return Night(fixed, merged=files)


def accepted_night() -> Night:
    night = Night(accepted)
    sha = night.git.make({"a": "b"}, subject="a feature")
    night.hub.add_pull(open=False, merged=True, head_sha=sha, head_ref="feature")
    night.hub.start(sha, [Job("unit", "FAILURE", TEST)])
    night.clock.advance(3600)
    return night


def superseding_night() -> Night:
    """An earlier sync stands that nobody touched."""
    night = Night(accepted)
    night.run(hours=0.5)
    main = night.git.branches["main"]
    night.git.make({**night.git.files(main), "more.py": "y\n"}, main, branch="main")
    night.hub.plan = lambda files: [Job("unit")]
    night.switch.calls = 0
    return night


NIGHTS: dict[str, Callable[[], Night]] = {
    "green at once": Night,
    "two fixes": fixed_night,
    "network": lambda: Night(flaky),
    "accepted": accepted_night,
    "superseding": superseding_night,
}


@dataclass(frozen=True)
class Left:
    """What a night leaves, without what depends on when it happened."""

    open_pulls: int
    draft: bool
    labels: tuple[str, ...]
    files: tuple[tuple[str, str], ...]
    subjects: tuple[str, ...]
    commands: int
    final_comments: int
    evidence: bool


def left(night: Night) -> Left:
    """The state of the world."""
    pull = night.hub.pulls[night.pull]
    since = [night.git.branches[name] for name in ("dev", "main")]
    commits = night.git.commits(since, night.head)
    commands = night.said("/ok to test")
    assert len(commands) == len(set(commands)), "one command for each head"
    mark = marker.read(pull.body)
    assert mark is not None and mark.merge in {commit.sha for commit in commits}
    return Left(
        open_pulls=sum(pull.open for pull in night.hub.pulls.values()),
        draft=pull.draft,
        labels=pull.labels,
        files=tuple(sorted(night.git.files(night.head).items())),
        subjects=tuple(commit.subject for commit in commits),
        commands=len(commands),
        final_comments=len(night.said("ready for review")),
        evidence="Failures that the target has too" in pull.body,
    )


def kill(make: Callable[[], Night], at: int, after: bool) -> Night:
    """A night in which the first run dies at a call, and a second one is started some time
    later."""
    night = make()
    night.switch.at, night.switch.after = at, after
    with pytest.raises(Killed):
        night.run()
    night.switch.at = None
    night.clock.advance(600)
    assert night.run().outcome == "ready"
    return night


@pytest.mark.parametrize("name", list(NIGHTS))
def test_killed_at_every_call_the_next_run_reaches_the_same_end(name: str) -> None:
    make = NIGHTS[name]
    whole = make()
    assert whole.run().outcome == "ready"
    wanted, calls = left(whole), whole.switch.calls
    assert calls > 20
    print(f"{name}: {2 * calls} kill points")
    for at in range(1, calls + 1):
        for after in (False, True):
            found = left(kill(make, at, after))
            assert found == wanted, f"{name}: killed {'after' if after else 'before'} call {at}"


def test_a_leftover_of_a_killed_run_that_is_another_merge_is_replaced() -> None:
    night = Night()
    target, source = (night.git.branches[name] for name in ("dev", "main"))
    leftover = night.git.make(
        {**MERGED, "other": "x"},
        target,
        source,
        author="nightshift",
        subject="Merge main",
        branch="main2dev/2026-03-02",
    )
    assert night.run().outcome == "ready"
    assert night.head != leftover
    assert night.git.files(night.head) == MERGED


def test_killed_again_and_again_it_still_ends() -> None:
    night = fixed_night()
    for _ in range(200):
        night.switch.calls, night.switch.at = 0, 9
        try:
            ended = night.run()
            break
        except Killed:
            night.clock.advance(300)
    else:
        raise AssertionError("it never got on")
    assert ended.outcome == "ready"
    assert left(night).final_comments == 1
