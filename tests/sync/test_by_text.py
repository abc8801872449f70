"""What goes to the merge engine, with which history, and what is thrown away of what comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from nightshift.adapters.git.repository import GitRepository
from nightshift.merge.cascade import FileConflict, Merged, Options
from nightshift.policy.model import Side
from nightshift.sync import by_text, by_tree
from nightshift.sync.by_text import new_markers
from nightshift.sync.sides import sides
from support.repos import Repo, diverged

BODY = "".join(f"line {n}\n" for n in range(12))
MARKED = b"a\n<<<<<<< one\nb\n=======\nc\n>>>>>>> two\n"


@pytest.mark.parametrize(
    ("data", "known", "expected"),
    [
        (MARKED, (), True),
        (MARKED, (MARKED,), False),
        (MARKED, (b"x", MARKED.replace(b"\n", b"\r\n")), False),
        (b"a <<<<<<< one\n", (), False),
        (b"<<<<<<<\n", (), False),
        (b"||||||| base\n", (), True),
        (b"=======\n", (), False),
        (b"", (), False),
    ],
)
def test_new_markers(data: bytes, known: tuple[bytes, ...], expected: bool) -> None:
    assert new_markers(data, *known) is expected


def handed(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, answer: Merged | None = None
) -> tuple[list[FileConflict], list[object]]:
    """What the engine is handed for a repository's conflicts, and the changes that come of it."""
    seen: list[FileConflict] = []

    def merge_file(conflict: FileConflict, _: Options) -> Merged:
        assert conflict.history.target() and conflict.history.source()
        seen.append(conflict)
        return answer or Merged(conflict.target)

    monkeypatch.setattr(by_text, "merge_file", merge_file)
    with GitRepository.of_checkout(repo.path) as git:
        both = sides(git, Side.SOURCE, git.resolve("dev"), git.resolve("main"))
        texts = by_tree.decide(both, frozenset()).texts
        changes = [decision.change for decision in by_text.decide(both, texts, None)]
    return seen, changes


def test_each_side_comes_with_its_versions_under_each_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = diverged(tmp_path / "r", {"old": BODY}, {"old": "t1\n" + BODY}, {"old": "s1\n" + BODY})
    repo.commit({"old": "t2\n" + BODY})
    repo.switch("main")
    repo.commit({"old": None, "new": "s2\n" + BODY})
    repo.switch("dev")
    (conflict,), _ = handed(repo, monkeypatch)
    assert (conflict.path, conflict.base) == ("new", BODY.encode())
    assert conflict.target == f"t2\n{BODY}".encode() and conflict.source == f"s2\n{BODY}".encode()
    target = [past.data.partition(b"\n")[0] for past in conflict.history.target()]
    source = [past.data.partition(b"\n")[0] for past in conflict.history.source()]
    assert (target, source) == ([b"t2", b"t1"], [b"s2", b"s1"])


def test_an_answer_with_markers_is_thrown_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = diverged(tmp_path / "r", {"p": "0\n"}, {"p": "target\n"}, {"p": "source\n"})
    _, (change,) = handed(repo, monkeypatch, Merged(MARKED))
    assert change is not None and not isinstance(change, tuple)


def test_an_answer_that_deletes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = diverged(tmp_path / "r", {"p": "0\n"}, {"p": "target\n"}, {"p": "source\n"})
    assert handed(repo, monkeypatch, Merged(None))[1] == [None]


def test_what_is_no_text_is_not_handed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = diverged(tmp_path / "r", {"p": "0\n"}, {"p": b"\0target\n"}, {"p": "source\n"})
    assert not handed(repo, monkeypatch)[0]
