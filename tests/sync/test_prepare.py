"""The candidate: what it is made of, what it says, and that it is the same each time."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nightshift.adapters.git.repository import GitRepository
from nightshift.errors import UserError
from nightshift.sync.candidate import Candidate
from nightshift.sync.prepare import Until, merge_date, prepare
from support.candidates import AT, TOOLS, candidate_of, merged, sync_policy
from support.repos import Repo, diverged

BODY = "".join(f"line {n}\n" for n in range(12))


def made(repo: Repo, **keys: object) -> Candidate | None:
    """A candidate with all that a caller may leave out."""
    with GitRepository.of_checkout(repo.path) as git:
        return prepare(git, sync_policy(**keys), "dev", "main", at=AT, tools=TOOLS)


def test_a_merge_commit_of_both_sides_with_the_policys_words(tmp_path: Path) -> None:
    repo = diverged(tmp_path / "r", {"a": "0\n"}, {"t": "1\n"}, {"s": "1\n"})
    commit = {
        "name": "Bot",
        "email": "bot@example.com",
        "message": "sync {source} to {target}, {date}",
    }
    policy = sync_policy(commit=commit, **{"date-format": "%d_%m_%Y"})
    with GitRepository.of_checkout(repo.path) as git:
        candidate = prepare(git, policy, "dev", "main", at=AT, tools=TOOLS)
        assert candidate is not None
        facts = git.commit(candidate.commit)
    ends = repo.git("rev-parse", "dev"), repo.git("rev-parse", "main")
    assert facts.parents == ends == (candidate.target, candidate.source)
    assert (facts.subject, facts.author) == ("sync main to dev, 02_01_2026", "Bot")
    assert (facts.committed_at, facts.tree) == (AT, candidate.tree)
    assert candidate.merge_bases == (repo.git("merge-base", "dev", "main"),)


def test_nothing_to_sync(tmp_path: Path) -> None:
    repo = diverged(tmp_path / "r", {"a": "0\n"}, {"t": "1\n"}, {"s": "1\n"})
    repo.merge("main")
    assert made(repo) is None


def test_a_target_that_has_nothing_of_its_own_still_gets_a_merge_commit(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "r")
    repo.commit({"a": "0\n"})
    repo.branch("main")
    repo.commit({"a": "1\n"})
    repo.switch("dev")
    candidate = made(repo)
    assert candidate is not None and candidate.commit not in (candidate.target, candidate.source)


def test_source_and_target_the_same(tmp_path: Path) -> None:
    repo = diverged(tmp_path / "r", {"a": "0\n"}, {"t": "1\n"}, {"s": "1\n"})
    with GitRepository.of_checkout(repo.path) as git, pytest.raises(UserError, match="the same"):
        prepare(git, sync_policy(), "dev", "dev", at=AT, tools=TOOLS)


def test_unrelated_histories(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "r")
    repo.commit({"a": "0\n"})
    repo.git("switch", "-q", "--orphan", "main")
    repo.commit({"b": "0\n"})
    with pytest.raises(UserError, match="no common commit"):
        made(repo)


def test_the_same_input_gives_the_same_commit(tmp_path: Path) -> None:
    files = {f"p{n}": f"{n}\n" + BODY for n in range(6)}
    repo = diverged(
        tmp_path / "r",
        files,
        {path: text.replace("line 3", "target") for path, text in files.items()},
        {path: text.replace("line 3", "source") for path, text in files.items()},
    )
    one, two = made(repo), made(repo)
    assert one == two


def test_the_date_is_the_later_tips(tmp_path: Path) -> None:
    repo = diverged(tmp_path / "r", {"a": "0\n"}, {"t": "1\n"}, {"s": "1\n"})
    with GitRepository.of_checkout(repo.path) as git:
        assert merge_date(git, "main", "dev") == git.commit(git.resolve("dev")).committed_at


def test_what_the_report_counts(tmp_path: Path) -> None:
    repo = diverged(
        tmp_path / "r", {"a.py": "0\n"}, {"t.py": "1\n"}, {"a.py": "1\n2\n", "new.txt": "1\n"}
    )
    repo.switch("main")
    repo.commit({"b.py": "1\n"})
    candidate = made(repo)
    assert candidate is not None
    assert candidate.stats.commits == 2
    assert candidate.stats.line == "Python lines: +3 / -1 across 2 files"


def test_what_a_reviewer_should_not_miss(tmp_path: Path) -> None:
    result = merged(
        tmp_path,
        {"a": "0\n", ".github/workflows/x.yml": "a: 1\n"},
        {"t": "1\n"},
        {"a": "0\n", ".github/workflows/x.yml": "a: 2\n", ".github/workflows/y.yml": "b: 1\n"},
    )
    found = [(change.kind.value, change.path) for change in result.candidate.notable]
    assert found == [
        ("workflow", ".github/workflows/x.yml"),
        ("workflow", ".github/workflows/y.yml"),
    ]


def test_steps_that_are_not_done_are_named(tmp_path: Path) -> None:
    repo = diverged(tmp_path / "r", {"a": "0\n"}, {"t": "1\n"}, {"s": "1\n"})
    policy = sync_policy(format={"scope": "merged"})
    early = candidate_of(repo, policy, until=Until.MERGE).candidate
    assert any("Formatting" in step for step in early.steps_not_done)
    assert set(early.seconds) >= {"git", "policy", "tree", "text", "invariants", "commit"}


def test_an_earlier_sync_that_landed_by_squash_is_noticed(tmp_path: Path) -> None:
    repo = diverged(tmp_path / "r", {"a": "0\n"}, {"t": "1\n"}, {"s": "1\n"})
    squashed = repo.commit({"s": "1\n"}, "chore: nightly sync main into dev (2026-01-01) (#7)")
    repo.switch("main")
    repo.commit({"s": "2\n"})
    repo.switch("dev")
    (finding,) = [f for f in candidate_of(repo, sync_policy()).candidate.findings if not f.path]
    assert finding.rule == "landed-by-squash" and finding.evidence == (squashed,)


def test_paths_of_any_bytes(tmp_path: Path) -> None:
    paths = ["sp ace", "new\nline", 'quo"te', "\udcff\udcfe", "-dash", "ünï", ":colon"]
    result = merged(
        tmp_path,
        {path: BODY for path in paths},
        {path: BODY.replace("line 3", "target") for path in paths},
        {path: BODY.replace("line 3", "source") for path in paths},
    )
    assert set(result.tree) == set(paths)
    assert all(data == BODY.replace("line 3", "source").encode() for data in result.tree.values())


CHANGES = st.dictionaries(
    st.sampled_from(["a.py", "b.txt", "dir/c.py", "dir", "d"]),
    st.one_of(
        st.none(),
        st.sampled_from(["x = 1\n", "x = 1\ny = 2\n", "def f():\n    return 1\n", "\0bin", BODY]),
        st.text(alphabet="ab=\n> ", max_size=12),
    ),
    max_size=4,
)


def fitting(changes: dict[str, str | None], base: dict[str, str | None]) -> dict[str, str | None]:
    """Changes that a work tree can hold: no file where a folder is, nothing deleted that is not
    there."""
    if changes.get("dir") is not None:
        changes = {**changes, "dir/c.py": None}
    elif changes.get("dir/c.py") is not None:
        changes = {**changes, "dir": None}
    return {p: t for p, t in changes.items() if t is not None or base.get(p) is not None}


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(base=CHANGES, target=CHANGES, source=CHANGES)
def test_any_two_sides_merge_without_a_marker(
    tmp_path_factory: pytest.TempPathFactory,
    base: dict[str, str | None],
    target: dict[str, str | None],
    source: dict[str, str | None],
) -> None:
    base = fitting({**base, "keep": "0\n"}, {})
    result = merged(
        tmp_path_factory.mktemp("any"),
        base,
        {**fitting(target, base), "t": "1\n"},
        {**fitting(source, base), "s": "1\n"},
    )
    assert result.tree["t"] == b"1\n" and result.tree["s"] == b"1\n"
    for data in result.tree.values():
        assert not any(line.startswith(b"<<<<<<< ") for line in data.split(b"\n"))
    assert not any("~" in path for path in result.tree)
