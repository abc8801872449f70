"""What a run looks at, and what starts nothing."""

from __future__ import annotations

import pytest

from nightshift.errors import UserError
from nightshift.inputs import Shard, TriageInputs
from nightshift.triage import collect as room
from nightshift.triage.collect import Target, collect
from nightshift.values import Issue, IssueEvent
from support.triage import EXAMPLES, SCOPE, FakeReader, harbour, issue, pytorch


def inputs(**more: object) -> TriageInputs:
    given: dict[str, object] = {
        "issue_number": None,
        "sweep": False,
        "max_issues": 100,
        "shard": None,
        "force": False,
        "event": None,
    }
    return TriageInputs(**(given | more))  # type: ignore[arg-type]


def event(action: str = "labeled", label: str = SCOPE, sender: str = "ann") -> IssueEvent:
    return IssueEvent(action, 7, label, sender)


def test_one_issue_by_number() -> None:
    reader = FakeReader([issue(number=7), issue(number=8)])
    facts = collect(reader, pytorch(), Target(inputs(issue_number=8)))
    assert [found.number for found in facts.issues] == [8]
    assert reader.calls == ["issue 8"]


@pytest.mark.parametrize("action", ["opened", "labeled"])
def test_one_issue_by_event(action: str) -> None:
    facts = collect(FakeReader([issue()]), pytorch(), Target(inputs(event=event(action))))
    assert [found.number for found in facts.issues] == [7] and not facts.idle


@pytest.mark.parametrize(
    ("happened", "reason"),
    [
        (event("closed"), room.OTHER_ACTION),
        (event("unlabeled"), room.OTHER_ACTION),
        (event(label="module: fsdp"), room.OTHER_LABEL),
        (event(label=SCOPE + " infra"), room.OTHER_LABEL),
    ],
)
def test_events_that_start_nothing(happened: IssueEvent, reason: str) -> None:
    reader = FakeReader([issue()])
    assert collect(reader, pytorch(), Target(inputs(event=happened))).idle == reason
    assert not reader.calls


def test_own_events_start_nothing() -> None:
    for policy in (pytorch(), harbour()):
        for label in policy.allowed:
            target = Target(inputs(event=event(label=label)))
            assert collect(FakeReader([issue()]), policy, target).idle == room.OTHER_LABEL


def test_a_label_of_another_case_is_the_scope_label() -> None:
    target = Target(inputs(event=event(label=SCOPE.upper())))
    assert not collect(FakeReader([issue()]), pytorch(), target).idle


def test_an_issue_that_does_not_exist() -> None:
    with pytest.raises(UserError, match="does not exist"):
        collect(FakeReader(), pytorch(), Target(inputs(issue_number=1)))


def test_an_issue_that_has_moved() -> None:
    class Moved(FakeReader):
        """Follows a transfer, as GitHub does."""

        def issue(self, number: int) -> Issue:
            return issue(number=number + 1)

    assert collect(Moved(), pytorch(), Target(inputs(issue_number=7))).idle == room.MOVED


def test_a_sweep_is_newest_first_and_each_once() -> None:
    pages = [issue(number=n) for n in (3, 9, 5, 9, 3)]
    facts = collect(FakeReader(pages), pytorch(), Target(inputs(sweep=True)))
    assert [found.number for found in facts.issues] == [9, 5, 3] and facts.sweep


def test_shards_part_a_sweep_among_jobs() -> None:
    backlog = [issue(number=n) for n in range(1, 21)]
    parts = [
        {
            i.number
            for i in collect(
                FakeReader(backlog), pytorch(), Target(inputs(sweep=True, shard=s))
            ).issues
        }
        for s in (Shard(1, 3), Shard(2, 3), Shard(3, 3))
    ]
    assert set.union(*parts) == set(range(1, 21))
    assert sum(len(part) for part in parts) == 20


def test_a_sweep_that_an_event_started_is_a_sweep() -> None:
    target = Target(inputs(sweep=True, event=event("closed")))
    assert collect(FakeReader([issue()]), pytorch(), target).sweep


def test_the_target_repositorys_own_files() -> None:
    policy = harbour().model_copy(
        update={"labels_file": ".github/labels.json", "templates_file": ".github/templates.json"}
    )
    reader = FakeReader(
        [issue()],
        files={
            ".github/labels.json": (EXAMPLES / "labels.json").read_bytes(),
            ".github/templates.json": (EXAMPLES / "templates.json").read_bytes(),
        },
    )
    facts = collect(reader, policy, Target(inputs(issue_number=7), ref="abc"))
    assert "file .github/labels.json@abc" in reader.calls
    assert "component: http" not in facts.policy.allowed
    assert facts.policy.templates.reproduction.comment.startswith("Which commands")
