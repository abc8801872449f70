"""The loop and people: their commits are kept, their decisions respected, earlier syncs
superseded."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from nightshift.sync import marker
from support.hub import US, Job
from support.night import BASE, MAIN, MERGED, Night

TEST = "FAILED tests/test_a.py::test_sum - AssertionError"


def wants_fix(files: Mapping[str, str]) -> Sequence[Job]:
    return [Job("unit")] if "FIX" in files else [Job("unit", "FAILURE", TEST)]


def source_moves_on(night: Night) -> None:
    main = night.git.branches["main"]
    night.git.make({**MAIN, "more.py": "y = 1\n"}, main, branch="main", subject="more")


def test_a_persons_push_while_we_wait_is_gone_on_from() -> None:
    night = Night(wants_fix)
    pushed: list[str] = []
    night.clock.at(90, lambda: pushed.append(night.person_pushes({"FIX": "x\n"})))
    ended = night.run()
    assert ended.outcome == "ready"
    assert night.head == pushed[0]
    assert night.said("/ok to test")[-1] == f"/ok to test {pushed[0]}"
    assert len(night.said("Failed checks")) == 1


def test_a_fix_after_a_persons_commit_is_a_new_one_on_top() -> None:
    def plan(files: Mapping[str, str]) -> Sequence[Job]:
        bad = [path for path, text in files.items() if " \n" in text]
        log = "\n".join(f"would reformat {path}" for path in bad)
        return [Job("lint", "FAILURE" if bad else "SUCCESS", log, seconds=600)]

    night = Night(plan, merged={**MERGED, "pkg/new.py": "x = 1 \n"})
    pushed: list[str] = []
    night.clock.at(15, lambda: pushed.append(night.person_pushes({"by_hand.py": "z = 1 \n"})))
    assert night.run().outcome == "ready"
    fix = night.git.commit(night.head)
    assert fix.parents == (pushed[0],)
    assert fix.subject.endswith("(round 2)")
    first = night.git.commit(night.git.commit(pushed[0]).parents[0])
    assert first.subject.endswith("(round 1)")
    assert " \n" not in "".join(night.git.files(night.head).values())


def test_a_push_that_lands_between_look_and_push_is_never_overwritten() -> None:
    night = Night(lambda files: [Job("lint", "FAILURE", "would reformat pkg/new.py")])
    night.hub.plan = lambda files: (
        [Job("lint", "FAILURE", "would reformat pkg/new.py")]
        if " \n" in files["pkg/new.py"]
        else [Job("lint")]
    )
    night.merged["pkg/new.py"] = "x = 1 \n"
    raced: list[str] = []
    read = night.hub.job_log

    def job_log(job_id: int) -> str:
        if not raced:
            raced.append(night.person_pushes({"by_hand.py": "z = 1\n"}))
        return read(job_id)

    night.hub.job_log = job_log  # type: ignore[method-assign]
    ended = night.run()
    assert ended.outcome == "ready"
    assert night.git.is_ancestor(raced[0], night.head)
    assert any("moved" in line for line in ended.runner.lines)


def test_a_held_pull_request_is_left_alone() -> None:
    night = Night()
    night.clock.at(
        1,
        lambda: night.hub.pulls.update(
            {night.pull: replace(night.hub.pulls[night.pull], labels=("Hold",))}
        ),
    )
    ended = night.run()
    assert (ended.code, ended.outcome) == (0, "skipped")
    assert night.hub.pulls[night.pull].draft


@pytest.mark.parametrize("merged", [False, True])
def test_a_pull_request_that_a_person_ends_is_not_opened_again(merged: bool) -> None:
    night = Night(wants_fix)

    def close() -> None:
        number = night.pull
        night.hub.pulls[number] = replace(night.hub.pull_of(number), open=False, merged=merged)

    night.clock.at(60, close)
    ended = night.run()
    assert ended.outcome == "skipped"
    assert ("merged" if merged else "closed") in ended.reason
    assert len(night.hub.pulls) == 1


def test_the_same_commits_are_not_offered_again_after_a_person_refused_them() -> None:
    night = Night()
    assert night.run().outcome == "ready"
    number = night.pull
    night.hub.pulls[number] = replace(night.hub.pull_of(number), open=False)
    del night.git.branches[night.hub.pulls[number].head_ref]
    ended = night.run()
    assert ended.outcome == "skipped"
    assert f"#{number}" in ended.reason and "reopen" in ended.reason
    source_moves_on(night)
    assert night.run().outcome == "ready"


def test_a_branch_that_a_person_deletes_is_not_pushed_again() -> None:
    night = Night(wants_fix)
    night.clock.at(60, lambda: night.git.branches.pop(night.branch))
    ended = night.run()
    assert ended.outcome == "skipped"
    assert len(night.git.pushes) == 1


def test_a_label_that_a_person_takes_off_stays_off() -> None:
    night = Night(wants_fix)
    night.clock.at(
        60,
        lambda: night.hub.pulls.update(
            {night.pull: replace(night.hub.pulls[night.pull], labels=())}
        ),
    )
    night.run(hours=3)
    assert night.run(hours=1).outcome == "needs-human"
    assert night.hub.pulls[night.pull].labels == ()


def test_the_next_night_supersedes_a_sync_that_nobody_touched_once_the_new_one_stands() -> None:
    night = Night(wants_fix)
    assert night.run(hours=1).outcome == "needs-human"
    old = night.pull
    source_moves_on(night)
    night.merged["FIX"] = ""
    ended = night.run()
    assert ended.outcome == "ready"
    assert night.pull != old
    assert not night.hub.pulls[old].open
    writes = night.hub.writes
    assert writes.index(f"close {old}") > writes.index(f"open {night.branch}")
    assert night.branch != night.hub.pulls[old].head_ref, "a branch of its own on the same day"
    assert json.loads(ended.runner.outputs["report"])["superseded"] == [old]


def test_a_sync_that_a_person_committed_to_is_gone_on_with_though_the_source_moved_on() -> None:
    night = Night(wants_fix)
    assert night.run(hours=1).outcome == "needs-human"
    old, pushed = night.pull, night.person_pushes({"FIX": "x\n"})
    source_moves_on(night)
    assert night.run().outcome == "ready"
    assert (night.pull, night.head) == (old, pushed)
    assert len(night.hub.pulls) == 1


def test_an_open_sync_of_the_same_source_is_gone_on_with_on_another_day() -> None:
    night = Night(wants_fix)
    assert night.run(hours=1).outcome == "needs-human"
    old, pushed = night.pull, night.person_pushes({"FIX": "x\n"})
    night.clock.advance(48 * 3600)
    assert night.run().outcome == "ready"
    assert (night.pull, night.head) == (old, pushed)


def test_a_branch_with_commits_of_people_and_no_pull_request_is_theirs() -> None:
    night = Night()
    theirs = night.git.make(BASE, night.git.branches["dev"], branch="main2dev/2026-03-02")
    ended = night.run()
    assert ended.outcome == "needs-human"
    assert night.git.branches["main2dev/2026-03-02"] == theirs
    assert not night.hub.pulls


def test_a_pull_request_whose_hidden_line_a_person_deleted_is_not_fought_over() -> None:
    night = Night(wants_fix)
    assert night.run(hours=1).outcome == "needs-human"
    number = night.pull
    night.hub.pulls[number] = replace(night.hub.pulls[number], body="Mine now.")
    ended = night.run()
    assert ended.outcome == "needs-human"
    assert f"#{number}" in ended.reason
    assert len(night.hub.pulls) == 1


def test_a_forks_pull_request_that_claims_to_be_ours_is_not() -> None:
    night = Night()
    claim = marker.Marker(
        "main", "dev", night.git.branches["main"], night.git.branches["dev"], "f" * 40, ()
    )
    fake = night.hub.add_pull(
        body=marker.head(claim),
        head_ref="main2dev/2026-03-02",
        head_sha="f" * 40,
        from_fork=True,
        author="mallory",
    )
    assert night.run().outcome == "ready"
    assert night.hub.pulls[fake.number].open
    assert night.hub.writes and not [w for w in night.hub.writes if w.endswith(str(fake.number))]


def test_a_strangers_command_is_not_taken_for_ours_and_a_maintainers_is() -> None:
    night = Night()
    night.hub.starts_ci = False
    night.run(hours=0.05)
    assert len(night.said("/ok to test")) == 1
    pushed = night.person_pushes({"n": "1\n"})
    night.hub.say(night.pull, f"/ok to test {pushed}", "mallory", "NONE")
    night.run(hours=0.05)
    ours = [one for one in night.hub.threads[night.pull] if one.author == US]
    assert ours[-1].body == f"/ok to test {pushed}"
    again = night.person_pushes({"n": "2\n"})
    night.hub.say(night.pull, f"/ok to test {again}", "ada", "MEMBER")
    before = len(night.hub.threads[night.pull])
    night.run(hours=0.05)
    assert len(night.hub.threads[night.pull]) == before


def test_a_draft_that_a_person_wants_again_stays_one() -> None:
    night = Night()
    assert night.run().outcome == "ready"
    number = night.pull
    night.hub.pulls[number] = replace(night.hub.pulls[number], draft=True)
    ended = night.run()
    assert ended.outcome == "skipped"
    assert night.hub.pulls[number].draft


def test_a_stranger_cannot_make_us_believe_that_we_have_spoken() -> None:
    night = Night()

    def forge() -> None:
        night.hub.say(night.pull, marker.for_comment("ready", night.head), "mallory", "NONE")

    night.clock.at(1, forge)
    assert night.run().outcome == "ready"
    assert not night.hub.pulls[night.pull].draft


def test_another_account_goes_on_without_repeating_commands() -> None:
    night = Night(lambda _: [Job("unit", seconds=7200)])
    night.run(hours=1)
    number = night.pull
    night.hub.pulls[number] = replace(night.hub.pulls[number], author="earlier[bot]")
    bot = [replace(one, is_bot=one.author == US) for one in night.hub.threads[number]]
    night.hub.threads[number] = bot
    assert night.run().outcome == "ready"
    assert len(night.said("/ok to test")) == 1


def test_what_a_person_writes_into_the_body_stays() -> None:
    night = Night()

    def edit() -> None:
        pull = night.hub.pulls[night.pull]
        night.hub.pulls[pull.number] = replace(pull, body=f"Hello.\n\n{pull.body}\nNotes.\r\n")

    night.clock.at(1, edit)
    assert night.run().outcome == "ready"
    body = night.hub.pulls[night.pull].body
    assert body.startswith("Hello.") and "Notes." in body
    assert night.run().outcome == "ready"
    assert len(night.hub.pulls) == 1
