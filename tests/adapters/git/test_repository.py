"""The port `Git` against real repositories: reads, merges, writes, history."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from nightshift.adapters.git.repository import GitRepository
from nightshift.errors import HostError, UserError
from nightshift.values import Entry, Identity
from support.repos import Executable, Link, Repo, Submodule, diverged

WHO = Identity("Night", "night@example.com")
WHEN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
STRANGE = [
    "with space.txt",
    "new\nline.txt",
    'quo"te.txt',
    "t\tab.txt",
    "not-utf8-\udcff.txt",
    "-dash",
]


@pytest.fixture(name="repo")
def fixture_repo(tmp_path: Path) -> Repo:
    """A repository with one commit on dev."""
    repo = Repo(tmp_path / "work")
    repo.commit({"a.txt": "one\n", "dir/b.txt": "two\n"}, "base")
    return repo


@pytest.fixture(name="git")
def fixture_git(repo: Repo) -> Iterator[GitRepository]:
    """The port over it."""
    with GitRepository.of_checkout(repo.path) as git:
        yield git


def opened(repo: Repo) -> GitRepository:
    """The port over a repository, for tests that make their own."""
    return GitRepository.of_checkout(repo.path)


class TestResolve:
    """What a name means in a checkout."""

    def test_branch_tag_commit_and_head(self, repo: Repo, git: GitRepository) -> None:
        commit = repo.git("rev-parse", "HEAD")
        repo.git("tag", "-a", "-m", "words", "v1")
        assert [git.resolve(ref) for ref in ("dev", "v1", commit, commit[:10], "HEAD")] == [
            commit
        ] * 5

    def test_a_branch_comes_before_a_tag_and_a_path_of_its_name(
        self, repo: Repo, git: GitRepository
    ) -> None:
        tagged = repo.git("rev-parse", "HEAD")
        repo.git("tag", "dir")
        repo.branch("dir")
        commit = repo.commit({"a.txt": "on the branch\n"})
        assert git.resolve("dir") == commit != tagged

    def test_remote_branches_by_their_name(self, repo: Repo, git: GitRepository) -> None:
        commit = repo.git("rev-parse", "HEAD")
        repo.git("update-ref", "refs/remotes/origin/main", commit)
        assert git.resolve("origin/main") == commit

    @pytest.mark.parametrize("ref", ["nowhere", "a" * 40])
    def test_what_does_not_exist(self, git: GitRepository, ref: str) -> None:
        with pytest.raises(UserError, match="there is no branch, tag or commit"):
            git.resolve(ref)

    @pytest.mark.parametrize("ref", ["--help", "-x", "dev~1", "dev^{tree}", "a b", ""])
    def test_options_and_expressions_are_refused(self, git: GitRepository, ref: str) -> None:
        with pytest.raises(UserError, match="no valid name"):
            git.resolve(ref)

    def test_no_repository(self, tmp_path: Path) -> None:
        with GitRepository.of_checkout(tmp_path) as git, pytest.raises(UserError, match="no git"):
            git.tree("a" * 40).entries()


class TestTrees:
    """Reads of trees and blobs."""

    def test_every_kind_of_entry_and_every_byte_of_a_path(
        self, repo: Repo, git: GitRepository
    ) -> None:
        files = {path: path for path in STRANGE[:-2]}
        repo.commit(
            {
                **files,
                "not-utf8-\udcff.txt": b"\xff\x00",
                "run.sh": Executable("#!/bin/sh\n"),
                "link": Link("a.txt"),
                "sub": Submodule("1" * 40),
            }
        )
        tree = git.tree(git.resolve("dev"))
        entries = tree.entries()
        assert {path for path in STRANGE if path != "-dash"} <= entries.keys()
        assert tree.read("not-utf8-\udcff.txt") == b"\xff\x00"
        assert entries["run.sh"].mode == "100755"
        assert (entries["link"].mode, tree.read("link")) == ("120000", b"a.txt")
        assert (entries["sub"], tree.read("sub")) == (Entry("160000", "1" * 40), None)
        assert tree.read("not there") is None

    def test_many_blobs_at_once_and_one_by_one(self, repo: Repo, git: GitRepository) -> None:
        repo.commit({f"f{n}": f"{n}\n" * n for n in range(30)})
        entries = git.tree(git.resolve("dev")).entries()
        oids = [entries[f"f{n}"].oid for n in range(30)]
        blobs = git.blobs(oids)
        assert [blobs[oid] for oid in oids] == [f"{n}\n".encode() * n for n in range(30)]
        assert git.blobs(oids[:2]) == {oid: blobs[oid] for oid in oids[:2]}

    @pytest.mark.parametrize("count", [1, 20])
    def test_an_object_that_is_not_there(self, git: GitRepository, count: int) -> None:
        with pytest.raises(HostError, match="no object"):
            git.blobs([f"{n:040x}" for n in range(1, count + 1)])


class TestWrites:
    """Trees and commits, written to the clone of our own."""

    def test_a_tree_with_paths_replaced_added_and_removed(self, git: GitRepository) -> None:
        base = git.resolve("dev")
        same = git.tree(base).entries()["a.txt"]
        changes = {
            **{path: ("100644", path.encode("utf-8", "surrogateescape")) for path in STRANGE},
            "a.txt": None,
            "moved.txt": same,
            "dir/b.txt": ("100755", b"\r\nno newline at the end"),
            "sub": Entry("160000", "2" * 40),
        }
        written = git.tree(git.write_tree(base, changes))
        assert set(written.entries()) == {*STRANGE, "moved.txt", "dir/b.txt", "sub"}
        assert written.entries()["dir/b.txt"].mode == "100755"
        assert written.read("dir/b.txt") == b"\r\nno newline at the end"
        assert written.read("new\nline.txt") == b"new\nline.txt"

    def test_a_file_takes_a_folders_place_and_the_other_way_round(self, git: GitRepository) -> None:
        base = git.resolve("dev")
        changes = {
            "dir/b.txt": None,
            "dir": ("100644", b"x"),
            "a.txt": None,
            "a.txt/c": ("100644", b"y"),
        }
        assert set(git.tree(git.write_tree(base, changes)).entries()) == {"dir", "a.txt/c"}

    def test_no_change_is_the_tree_itself(self, repo: Repo, git: GitRepository) -> None:
        assert git.write_tree(git.resolve("dev"), {}) == repo.git("rev-parse", "HEAD^{tree}")

    def test_a_commit_is_the_same_every_time(self, repo: Repo, git: GitRepository) -> None:
        base = git.resolve("dev")
        other_side = repo.commit({"a.txt": "more\n"})
        tree = repo.git("rev-parse", "HEAD^{tree}")
        parents = [other_side, base]
        one = git.commit_tree(tree, parents, "Merge\n\nwords ü\n", WHO, WHEN)
        with opened(repo) as other:
            assert other.commit_tree(tree, parents, "Merge\n\nwords ü\n", WHO, WHEN) == one
        facts = git.commit(one)
        assert (facts.parents, facts.tree, facts.author) == (tuple(parents), tree, "Night")
        assert (facts.committed_at, facts.subject) == (WHEN, "Merge")

    def test_who_committed_and_the_trailers_of_a_message(self, git: GitRepository) -> None:
        base = git.resolve("dev")
        tree = git.commit(base).tree
        message = "Fix\n\n- a: b\n\nOne: 1\nTwo: a\n  b\n"
        facts = git.commit(git.commit_tree(tree, [base], message, WHO, WHEN))
        assert (facts.author, facts.author_email) == (WHO.name, WHO.email)
        assert (facts.committer, facts.committer_email) == (WHO.name, WHO.email)
        assert facts.trailers == ("One: 1", "Two: a b")
        assert (
            git.commits([base], git.commit_tree(tree, [base], "No\n", WHO, WHEN))[0].trailers == ()
        )

    def test_nothing_is_written_to_the_checkout(self, repo: Repo, git: GitRepository) -> None:
        before = {p: p.stat().st_mtime_ns for p in sorted((repo.path / ".git").rglob("*"))}
        base = git.resolve("dev")
        tree = git.write_tree(base, {"new": ("100644", b"new")})
        git.commit_tree(tree, [base], "words", WHO, WHEN)
        assert {p: p.stat().st_mtime_ns for p in sorted((repo.path / ".git").rglob("*"))} == before

    def test_the_clone_is_gone_when_it_is_closed(self, repo: Repo) -> None:
        git = opened(repo)
        git.tree(git.resolve("dev")).entries()
        folder = git._clone.folder  # pylint: disable=protected-access
        assert folder.exists()
        git.close()
        assert not folder.parent.exists()


class TestMerging:
    """What git merges by itself, and what it says of differences."""

    def test_clean(self, tmp_path: Path) -> None:
        repo = diverged(tmp_path / "r", {"a": "1\n"}, {"b": "2\n"}, {"c": "3\n"})
        with opened(repo) as git:
            merge = git.merge_tree(git.resolve("dev"), git.resolve("main"))
            assert not merge.conflicts and set(git.tree(merge.tree).entries()) == {"a", "b", "c"}

    def test_conflicts_with_their_stages(self, tmp_path: Path) -> None:
        body = "".join(f"line {n}\n" for n in range(20))
        repo = diverged(
            tmp_path / "r",
            {"both": body, "gone": body + "g\n", "sp ace\n": body + "s\n"},
            {"both": body + "target\n", "gone": None, "sp ace\n": body + "t\n", "new": "t\n"},
            {
                "both": body + "source\n",
                "gone": body + "changed\n",
                "sp ace\n": body + "u\n",
                "new": "s\n",
            },
        )
        with opened(repo) as git:
            merge = git.merge_tree(git.resolve("dev"), git.resolve("main"))
        stages = {c.path: (bool(c.base), bool(c.target), bool(c.source)) for c in merge.conflicts}
        assert stages == {
            "both": (True, True, True),
            "gone": (True, False, True),
            "new": (False, True, True),
            "sp ace\n": (True, True, True),
        }
        kinds = {note.kind: note.paths for note in merge.notes}
        assert kinds["CONFLICT (modify/delete)"] == ("gone",)

    def test_several_merge_bases(self, tmp_path: Path) -> None:
        repo = Repo(tmp_path / "r")
        repo.commit({"a": "1\n", "b": "1\n"})
        repo.branch("main")
        one = repo.commit({"a": "2\n"})
        repo.switch("dev")
        two = repo.commit({"b": "2\n"})
        repo.merge(one)
        repo.switch("main")
        repo.merge(two)
        repo.commit({"c": "main\n"})
        repo.switch("dev")
        repo.commit({"d": "dev\n"})
        with opened(repo) as git:
            ends = git.resolve("dev"), git.resolve("main")
            assert set(git.merge_bases(*ends)) == {one, two}
            assert not git.merge_tree(*ends).conflicts

    def test_unrelated_histories(self, repo: Repo, git: GitRepository) -> None:
        repo.git("switch", "-q", "--orphan", "main")
        repo.commit({"other": "x\n"})
        with pytest.raises(UserError, match="no common commit"):
            git.merge_bases(git.resolve("dev"), git.resolve("main"))

    def test_numstat_counts_what_the_other_changed(self, tmp_path: Path) -> None:
        body = "".join(f"line {n}\n" for n in range(20))
        repo = diverged(
            tmp_path / "r",
            {"old.py": body, "x.bin": b"\0"},
            {"t.py": "1\n"},
            {"old.py": None, "new name.py": body + "more\n", "x.bin": b"\0\1"},
        )
        with opened(repo) as git:
            assert git.numstat(git.resolve("dev"), git.resolve("main")) == [(1, 0, "new name.py")]

    def test_remerge_diff_shows_what_was_settled_by_hand(self, tmp_path: Path) -> None:
        repo = diverged(tmp_path / "r", {"a": "1\n"}, {"a": "2\n"}, {"a": "3\n"})
        repo.merge("main", {"a": "by hand\n"})
        with opened(repo) as git:
            diff = git.remerge_diff(git.resolve("dev"))
        assert diff is not None and "+by hand" in diff and "-<<<<<<<" in diff


class TestHistory:
    """Versions, deletions, commits."""

    def test_versions_of_a_path_newest_first_without_the_base(self, tmp_path: Path) -> None:
        repo = Repo(tmp_path / "r")
        base = repo.commit({"a": "0\n", "b": "0\n"})
        one = repo.commit({"a": "1\n"})
        two = repo.commit({"a": "2\n", "b": "2\n"})
        with opened(repo) as git:
            found = git.versions(["a", "b", "c"], [base], two)
            assert [v.commit for v in found["a"]] == [two, one]
            assert [git.blobs([v.oid])[v.oid] for v in found["a"]] == [b"2\n", b"1\n"]
            assert [v.commit for v in found["b"]] == [two] and found["c"] == ()

    def test_versions_inside_merged_branches_and_those_that_a_merge_makes(
        self, tmp_path: Path
    ) -> None:
        repo = Repo(tmp_path / "r")
        base = repo.commit({"a": "0\n"})
        repo.branch("feature")
        one = repo.commit({"a": "feature 1\n"})
        two = repo.commit({"a": "feature 2\n"})
        repo.switch("dev")
        three = repo.commit({"a": "dev\n"})
        merge = repo.merge("feature", {"a": "both\n"})
        with opened(repo) as git:
            commits = [version.commit for version in git.versions(["a"], [base], merge)["a"]]
        assert commits[0] == merge and set(commits) == {merge, one, two, three}
        assert commits.index(two) < commits.index(one)

    def test_a_merge_that_takes_a_side_makes_no_version(self, tmp_path: Path) -> None:
        repo = Repo(tmp_path / "r")
        base = repo.commit({"a": "0\n", "b": "0\n"})
        repo.branch("feature")
        one = repo.commit({"a": "1\n"})
        repo.switch("dev")
        repo.commit({"b": "1\n"})
        merge = repo.merge("feature")
        with opened(repo) as git:
            assert [v.commit for v in git.versions(["a"], [base], merge)["a"]] == [one]

    def test_paths_of_any_bytes(self, tmp_path: Path) -> None:
        repo = Repo(tmp_path / "r")
        base = repo.commit({"a": "0\n"})
        tip = repo.commit({path: "x\n" for path in (*STRANGE, ":colon")})
        with opened(repo) as git:
            found = git.versions([*STRANGE, ":colon"], [base], tip)
        assert all(len(versions) == 1 for versions in found.values())

    def test_deletions(self, tmp_path: Path) -> None:
        repo = Repo(tmp_path / "r")
        base = repo.commit({"a": "0\n", "b": "0\n"})
        gone = repo.commit({"a": None})
        with opened(repo) as git:
            assert git.deletions(["a", "b"], [base], gone) == {"a": gone}
            assert git.versions(["a"], [base], gone)["a"] == ()

    def test_commits_and_ancestry(self, repo: Repo, git: GitRepository) -> None:
        base = git.resolve("dev")
        one = repo.commit({"a.txt": "1\n"}, "first: \N{SNOWMAN}")
        two = repo.commit({"a.txt": "2\n"}, "second")
        found = git.commits([base], two)
        assert [(c.sha, c.subject) for c in found] == [(two, "second"), (one, "first: \N{SNOWMAN}")]
        assert git.is_ancestor(base, two) and not git.is_ancestor(two, base)
        assert git.commits([two], two) == []


class TestShallow:
    """Histories that are cut off."""

    @pytest.fixture(name="origin")
    def fixture_origin(self, tmp_path: Path) -> Repo:
        """A repository whose branches met some commits ago."""
        repo = diverged(tmp_path / "origin", {"a": "0\n"}, {"t": "0\n"}, {"s": "0\n"})
        for n in range(3):
            repo.commit({"t": f"{n}\n"})
        return repo

    def shallow(self, origin: Repo, folder: Path, *branches: str) -> Repo:
        """A clone with the tips of two branches only."""
        repo = Repo(folder)
        repo.git("remote", "add", "origin", f"file://{origin.path}")
        refs = [f"+refs/heads/{name}:refs/remotes/origin/{name}" for name in branches]
        repo.git("fetch", "-q", "--depth=1", "origin", *refs)
        repo.git("reset", "-q", "--hard", "origin/dev")
        return repo

    def test_is_deepened_in_the_clone_of_our_own(self, origin: Repo, tmp_path: Path) -> None:
        repo = self.shallow(origin, tmp_path / "shallow", "dev", "main")
        boundary = (repo.path / ".git/shallow").read_text("ascii")
        with opened(repo) as git:
            ends = git.resolve("origin/dev"), git.resolve("origin/main")
            bases = git.merge_bases(*ends)
            assert list(bases) == [origin.git("merge-base", "dev", "main")]
            assert set(git.tree(git.merge_tree(*ends).tree).entries()) == {"a", "t", "s"}
            assert len(git.versions(["t"], bases, ends[0])["t"]) == 3
        assert (repo.path / ".git/shallow").read_text("ascii") == boundary

    def test_local_commits_that_the_remote_does_not_know(
        self, origin: Repo, tmp_path: Path
    ) -> None:
        repo = self.shallow(origin, tmp_path / "shallow", "dev", "main")
        repo.commit({"local": "x\n"})
        with opened(repo) as git:
            ends = git.resolve("HEAD"), git.resolve("origin/main")
            assert list(git.merge_bases(*ends)) == [origin.git("merge-base", "dev", "main")]

    def test_is_left_shallow_where_that_is_deep_enough(self, origin: Repo, tmp_path: Path) -> None:
        repo = self.shallow(origin, tmp_path / "shallow", "dev", "main")
        repo.git("fetch", "-q", "--depth=5", "origin", "dev", "main")
        repo.git("remote", "remove", "origin")
        tips = origin.git("rev-parse", "dev"), origin.git("rev-parse", "main")
        with opened(repo) as git:
            assert list(git.merge_bases(*tips)) == [origin.git("merge-base", "dev", "main")]

    def test_without_a_remote_it_says_what_to_do(self, origin: Repo, tmp_path: Path) -> None:
        repo = self.shallow(origin, tmp_path / "shallow", "dev", "main")
        tips = repo.git("rev-parse", "origin/dev"), repo.git("rev-parse", "origin/main")
        repo.git("remote", "remove", "origin")
        with opened(repo) as git, pytest.raises(UserError, match="shallow") as caught:
            git.merge_bases(*tips)
        assert "fetch-depth: 0" in caught.value.mend

    def test_a_filtered_clone_is_refused(self, origin: Repo, tmp_path: Path) -> None:
        repo = Repo(tmp_path / "filtered")
        origin.git("config", "uploadpack.allowFilter", "true")
        repo.git("remote", "add", "origin", f"file://{origin.path}")
        repo.git("fetch", "-q", "--filter=blob:none", "origin", "dev")
        repo.git("update-ref", "refs/heads/dev", "FETCH_HEAD")
        with opened(repo) as git, pytest.raises(UserError, match="filter"):
            git.commit(git.resolve("dev"))


def test_a_linked_work_tree(repo: Repo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    with GitRepository.of_checkout(tmp_path / "linked") as git:
        assert git.tree(git.resolve("linked")).read("a.txt") == b"one\n"
