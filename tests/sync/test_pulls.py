"""Which open sync is gone on with, and which ones it supersedes."""

from __future__ import annotations

from nightshift.sync.facts import OurPull
from nightshift.sync.marker import Marker
from nightshift.sync.pulls import choose, superseded
from nightshift.values import Commit, PullRequest
from support.clock import START

NOW, OLD = "a" * 40, "b" * 40


def pull(number: int, source: str, *, people: bool = False) -> OurPull:
    request = PullRequest(number, "", "", "", "", True, True, False, "x", "h", "dev")
    person = Commit("p", (), "", "ada", START, "by hand")
    mark = Marker("main", "dev", source, "c" * 40, "d" * 40)
    return OurPull(request, mark, "h", people=(person,) if people else ())


def covers(mark: Marker) -> bool:
    return mark.source_sha == NOW


def test_the_newest_that_holds_all_of_the_source() -> None:
    pulls = [pull(1, NOW), pull(3, NOW), pull(2, NOW), pull(4, OLD)]
    current = choose(pulls, covers)
    assert current is not None and current.pull.number == 3
    rest = [item for item in pulls if item is not current]
    assert [item.pull.number for item in superseded(current, rest, covers)] == [1, 2, 4]


def test_else_the_newest_that_people_have_committed_to_and_then_nothing_is_superseded() -> None:
    pulls = [pull(1, OLD, people=True), pull(2, OLD, people=True), pull(3, OLD)]
    current = choose(pulls, covers)
    assert current is not None and current.pull.number == 2
    assert not superseded(current, pulls, covers)


def test_a_sync_with_commits_of_people_is_never_superseded() -> None:
    kept = pull(1, OLD, people=True)
    assert not superseded(pull(2, NOW), [kept], covers)


def test_none_where_the_source_has_left_all_behind() -> None:
    assert choose([pull(1, OLD)], covers) is None
    assert choose([], covers) is None
