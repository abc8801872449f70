"""The policy's fix-command: when it is run, what it is told, and what becomes of what it writes."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nightshift.policy.sync import SyncPolicy
from nightshift.ports import TreeView
from nightshift.sync.fix_command import FAILURES
from nightshift.values import Ran
from support.hub import Job
from support.night import MERGED, POLICY, Night

TEST = "FAILED tests/test_a.py::test_sum - AssertionError"
NETWORK = "E: Failed to fetch http://mirror.invalid/x  Connection timed out"
NEW = "pkg/new.py"
MENDED = "x = 2\n"


@dataclass
class Commands:
    """`ports.Commands` that writes what a test wants, and keeps what it was given."""

    answer: Callable[[TreeView], Ran]
    told: list[dict[str, Any]] = field(default_factory=list)
    wanted: list[Collection[str]] = field(default_factory=list)

    def __call__(self, command: str, tree: TreeView, wanted: Collection[str] | None = None) -> Ran:
        assert command == "mend"
        self.told.append(json.loads(tree.read(FAILURES) or b""))
        self.wanted.append(wanted or ())
        return self.answer(tree)


def policy(**ci: object) -> SyncPolicy:
    data = POLICY.model_dump(by_alias=True)
    data["ci"].update({"fix-command": "mend", **ci})
    return SyncPolicy.model_validate(data)


def wants_two(files: Mapping[str, str]) -> Sequence[Job]:
    good = files[NEW] == MENDED
    return [Job("unit", "SUCCESS" if good else "FAILURE", f"setting up\n{TEST}"), Job("lint")]


def mends(_: TreeView) -> Ran:
    return Ran(changes={NEW: MENDED.encode()})


def test_what_no_rule_can_mend_is_mended_in_the_rolling_fix_commit() -> None:
    night, commands = Night(wants_two, policy=policy()), Commands(mends)
    ended = night.run(commands=commands)
    assert ended.outcome == "ready"
    assert night.git.files(night.head) == {**MERGED, NEW: MENDED}
    fix = night.git.commit(night.head)
    assert fix.subject.endswith("(round 1)")
    assert any("fix-command" in line for line in ended.runner.lines)
    assert not night.said("Failed checks")


def test_it_is_told_what_failed_in_json() -> None:
    night, commands = Night(wants_two, policy=policy()), Commands(mends)
    night.run(commands=commands)
    (told,) = commands.told
    assert told["schema_version"] == 1
    assert (told["source"], told["target"]) == ("main", "dev")
    assert told["head"] == night.git.commit(night.head).parents[0]
    (check,) = told["checks"]
    assert (check["name"], check["workflow"], check["conclusion"]) == ("unit", "CI", "failure")
    assert check["failures"][0]["cause"] == "test"
    assert check["failures"][0]["lines"] == ["setting up", TEST]
    assert set(commands.wanted[0]) == set(MERGED) - {"CODEOWNERS"}


def test_what_rules_can_mend_is_mended_by_them_first() -> None:
    def plan(files: Mapping[str, str]) -> Sequence[Job]:
        if " \n" in files[NEW]:
            return [Job("lint", "FAILURE", f"would reformat {NEW}"), Job("unit", "FAILURE", TEST)]
        return wants_two(files)

    night = Night(plan, policy=policy(), merged={**MERGED, NEW: "x = 1 \n"})
    commands = Commands(mends)
    assert night.run(commands=commands).outcome == "ready"
    assert len(commands.told) == 1
    assert night.git.commit(night.head).subject.endswith("(round 2)")


def test_it_is_run_once_for_the_same_failures_and_a_person_is_told_why_it_did_not_help() -> None:
    night = Night(wants_two, policy=policy())
    commands = Commands(lambda _: Ran("it ended with exit code 3", "no idea\n``` @team"))
    ended = night.run(hours=2, commands=commands)
    assert ended.outcome == "needs-human"
    assert len(commands.told) == 1
    (comment,) = night.said("Failed checks")
    assert "it ended with exit code 3" in comment and "no idea" in comment
    assert "````text" in comment
    assert len(night.git.pushes) == 1


def test_a_command_that_changes_nothing_does_not_push() -> None:
    night = Night(wants_two, policy=policy())
    ended = night.run(hours=1, commands=Commands(lambda _: Ran()))
    assert ended.outcome == "needs-human"
    assert "it changed nothing" in night.said("Failed checks")[0]


def test_its_rounds_are_bounded() -> None:
    night = Night(wants_two, policy=policy(**{"max-fix-rounds": 3}))
    count = iter(range(100, 200))
    commands = Commands(lambda _: Ran(changes={NEW: f"x = {next(count)}\n".encode()}))
    assert night.run(commands=commands).outcome == "needs-human"
    assert len(night.git.pushes) == 4


def test_what_it_breaks_is_not_pushed() -> None:
    night = Night(wants_two, policy=policy())
    ended = night.run(commands=Commands(lambda _: Ran(changes={NEW: b"x = (\n"})))
    assert ended.outcome == "blocked"
    assert len(night.git.pushes) == 1


def test_a_file_that_it_removes_goes() -> None:
    def plan(files: Mapping[str, str]) -> Sequence[Job]:
        return [Job("unit", "FAILURE" if NEW in files else "SUCCESS", TEST)]

    night = Night(plan, policy=policy())
    assert night.run(commands=Commands(lambda _: Ran(removed=(NEW,)))).outcome == "ready"
    assert NEW not in night.git.files(night.head)


def test_it_is_not_run_for_what_is_not_ours() -> None:
    """The network, a failure that the target has too, a gate that fails alone."""
    night = Night(lambda _: [Job("unit", ("FAILURE", "SUCCESS"), (NETWORK, ""))], policy=policy())
    commands = Commands(mends)
    assert night.run(commands=commands).outcome == "ready"
    night = Night(lambda _: [Job("unit", "FAILURE", TEST)], policy=policy())
    sha = night.git.make({"a": "b"}, subject="a feature")
    night.hub.add_pull(open=False, merged=True, head_sha=sha, head_ref="feature")
    night.hub.start(sha, [Job("unit", "FAILURE", TEST)])
    night.clock.advance(3600)
    assert night.run(commands=commands).outcome == "ready"
    night = Night(lambda _: [Job("unit"), Job("Gate", "FAILURE")], policy=policy())
    assert night.run(hours=1, commands=commands).outcome == "needs-human"
    assert not commands.told
