"""How a run ends that does not reach ready: the deadline, a token's end, a push that is refused."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from nightshift.sandbox.ci import NEVER, Job
from support.sandbox import commit
from support.sync_night import SyncNight, details, gated

FLOW = ".github/workflows/night.yml"
FLOW_BASE = "on: push\na: 1\nb: 2\nc: 3\n"


def test_the_deadline_ends_the_wait_and_all_is_reported(tmp_path: Path) -> None:
    with SyncNight(tmp_path, lambda _: gated(Job("slow", ends=NEVER), Job("lint"))) as night:
        ran = night.run(deadline_minutes="45")
        assert (ran.code, ran.outcome) == (1, "timed-out")
        assert night.clock.monotonic() <= 45 * 60
        assert "slow" in ran.log and "slow" in ran.summary and "lint" in ran.summary
        assert ran.outputs["pr-number"] == str(night.pull.number)
        assert details(night.pull).draft


def test_silence_is_told_after_a_quarter_of_an_hour_and_not_before(tmp_path: Path) -> None:
    notice = "no check has appeared in 15 minutes"
    with SyncNight(tmp_path, lambda _: []) as night:
        assert notice not in night.run(deadline_minutes="14").log
        ran = night.run(deadline_minutes="20")
        assert ran.outcome == "timed-out"
        assert "may the token start CI" in ran.log and notice in ran.log
        assert len(night.said("/ok to test")) == 1


def test_a_token_that_expires_while_polling_is_told_from_one_that_was_never_good(
    tmp_path: Path,
) -> None:
    with SyncNight(tmp_path, lambda _: gated(Job("slow", ends=NEVER))) as night:
        token = night.box.state.tokens[night.box.token]
        token.expires_at = night.clock.now() + timedelta(hours=1)
        ran = night.run()
        assert (ran.code, ran.outcome) == (3, "failed")
        assert "the token has expired" in ran.log
        assert "deadline-minutes" in ran.log
        assert "slow" in ran.summary
        assert night.clock.monotonic() < 3600 + 300
        before = len(night.box.requests)
        again = night.run()
        assert again.code == 3
        assert "the token is not accepted" in again.log
        assert len(night.box.requests) - before == 1


def protected(night: SyncNight) -> None:
    night.repository.protected.add("sync/*")


def ruled(night: SyncNight) -> None:
    night.repository.ruled.add("sync/*")


def no_workflows(night: SyncNight) -> None:
    # What no branch has yet: both sides have changed the file, and the merge joins them.
    commit(night.repository, "dev", {FLOW: f"dev: 1\n{FLOW_BASE}"})
    commit(night.repository, "main", {FLOW: f"{FLOW_BASE}main: 1\n"})
    night.box.state.tokens[night.box.token].permissions["workflows"] = "none"


def read_only(night: SyncNight) -> None:
    night.box.state.tokens[night.box.token].permissions["contents"] = "read"


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (protected, ("a rule of the repository refuses", "branch's protection", "ruleset")),
        (ruled, ("a rule of the repository refuses", "rule violations", "ruleset")),
        (no_workflows, ("workflow files", "workflows: write")),
        (read_only, ("does not accept the token", "contents: write")),
    ],
)
def test_a_push_that_is_refused_ends_at_once_with_cause_and_remedy(
    tmp_path: Path, spoil: Callable[[SyncNight], None], said: tuple[str, ...]
) -> None:
    with SyncNight(tmp_path, base={FLOW: FLOW_BASE}) as night:
        spoil(night)
        ran = night.run()
        assert (ran.code, ran.outcome) == (3, "failed")
        for words in said:
            assert words in ran.log
        assert not night.pulls
        pushes = [seen for seen in night.box.requests if seen.path.endswith("git-receive-pack")]
        assert len(pushes) <= 1
        assert night.clock.monotonic() < 60


def test_that_a_push_brings_workflow_files_is_said_before_it(tmp_path: Path) -> None:
    with SyncNight(tmp_path, main={FLOW: FLOW_BASE}) as night:
        ran = night.run()
        assert ran.outcome == "ready"
        assert ran.log.index("it changes workflow files") < ran.log.index("done: push")


def test_a_branch_that_moves_under_the_push_is_gone_on_from(tmp_path: Path) -> None:
    """Somebody pushes to the branch between our look and our push of a fix."""

    def plan(tree: object) -> list[Job]:
        bad = b"x=1" in (tree.read("pkg/new.py") or b"")  # type: ignore[attr-defined]
        log = "would reformat pkg/new.py\n" if bad else ""
        return [*gated(Job("lint", conclusion="failure" if bad else "success", log=log))]

    with SyncNight(tmp_path, plan, main={"pkg/new.py": "x=1\n"}) as night:
        raced: list[str] = []

        def race() -> None:
            raced.append(night.person_pushes({"by_hand": "x\n"}))

        pushes = {"count": 0}

        def second_push(request: object) -> bool:
            path = request.path  # type: ignore[attr-defined]
            pushes["count"] += path.endswith("git-receive-pack")
            return pushes["count"] == 2 and path.endswith("git-receive-pack")

        night.box.faults.before(second_push, race)
        ran = night.run()
        assert ran.outcome == "ready"
        assert "has moved" in ran.log
        assert raced and night.text("by_hand") == "x\n"
        log = night.repository.git.git("rev-list", night.head).decode().split()
        assert raced[0] in log
        assert night.text("pkg/new.py") == "x = 1\n"
