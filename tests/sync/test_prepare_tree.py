"""Conflicts that no text can settle: each is decided, explained, and leaves nothing behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from nightshift.policy.sync import SyncPolicy
from support.candidates import candidate_of, merged, sync_policy
from support.repos import Executable, Link, Repo, Submodule, diverged

BODY = "".join(f"line {n}\n" for n in range(12))
SOURCE, TARGET = sync_policy(wins="source"), sync_policy(wins="target")
WINNERS = pytest.mark.parametrize(
    ("policy", "winner"), [(SOURCE, "source"), (TARGET, "target")], ids=["source", "target"]
)


class TestDeletions:
    """One side deleted what the other changed."""

    @WINNERS
    def test_a_deletion_stands_with_the_commit_that_made_it(
        self, tmp_path: Path, policy: SyncPolicy, winner: str
    ) -> None:
        repo = diverged(
            tmp_path / "r",
            {"p": BODY, "q": BODY},
            {"p": None, "q": BODY + winner},
            {"p": BODY + "s"},
        )
        repo.switch("main")
        deleting = repo.commit({"q": None})
        made = candidate_of(repo, policy)
        assert "p" not in made.tree and "q" not in made.tree
        (entry,) = [item for item in made.candidate.resolutions if item.path == "q"]
        assert entry.evidence == (deleting,)
        assert entry.note == "deleted by the source, changed by the target"

    def test_a_renamed_file_that_the_other_side_deleted(self, tmp_path: Path) -> None:
        made = merged(tmp_path, {"p": BODY, "o": "0\n"}, {"p": None, "new": BODY}, {"p": None})
        assert set(made.tree) == {"o"}
        assert made.notes("new") == ["history source: deleted by the source, changed by the target"]

    def test_a_file_of_the_source_comes_back_where_what_came_with_it_needs_it(
        self, tmp_path: Path
    ) -> None:
        base = {"pkg/cp.py": "A = 1\n", "pkg/data.py": "B = 1\n"}
        source = {"pkg/cp.py": "A = 2\n", "pkg/data.py": "from pkg.cp import A\n\nB = A\n"}
        made = merged(tmp_path, base, {"pkg/cp.py": None}, source)
        assert made.tree["pkg/cp.py"] == b"A = 2\n"
        (restored,) = made.candidate.restored
        assert restored.path == "pkg/cp.py" and "pkg/data.py" in restored.why and restored.evidence
        (finding,) = made.findings("deleted-file")
        assert finding.disposition == "restored"

    def test_a_file_that_only_the_target_deleted_comes_back_on_the_same_terms(
        self, tmp_path: Path
    ) -> None:
        base = {"pkg/cp.py": "A = 1\n", "pkg/data.py": "B = 1\n"}
        needs = merged(
            tmp_path / "1", base, {"pkg/cp.py": None}, {"pkg/data.py": "from .cp import A\n"}
        )
        assert needs.tree["pkg/cp.py"] == b"A = 1\n"
        needs_not = merged(
            tmp_path / "2", base, {"pkg/cp.py": None}, {"pkg/data.py": "# cp is gone\nB = 2\n"}
        )
        assert "pkg/cp.py" not in needs_not.tree and not needs_not.candidate.restored


class TestRenames:
    """Files and folders that moved."""

    @WINNERS
    def test_each_side_gave_it_another_name(
        self, tmp_path: Path, policy: SyncPolicy, winner: str
    ) -> None:
        target = {"old": None, "of-target": BODY.replace("line 1\n", "line 1 target\n")}
        source = {"old": None, "of-source": BODY.replace("line 9\n", "line 9 source\n")}
        made = merged(tmp_path, {"old": BODY}, target, source, policy)
        assert set(made.tree) == {f"of-{winner}"}
        text = made.tree[f"of-{winner}"]
        assert b"line 1 target" in text and b"line 9 source" in text

    def test_names_that_policy_guards_stay_and_nothing_holds_a_marker(self, tmp_path: Path) -> None:
        target = {"old": None, "of-target": BODY.replace("line 5\n", "line 5 target\n")}
        source = {"old": None, "of-source": BODY.replace("line 5\n", "line 5 source\n")}
        policy = sync_policy(paths={"always-target": ["/of-target"]})
        made = merged(tmp_path, {"old": BODY}, target, source, policy)
        assert made.tree == {
            "of-target": str(target["of-target"]).encode(),
            "of-source": str(source["of-source"]).encode(),
        }

    def test_an_edit_follows_the_rename(self, tmp_path: Path) -> None:
        edited = BODY.replace("line 9\n", "line 9 source\n")
        renamed = BODY.replace("line 1\n", "line 1 target\n")
        made = merged(tmp_path, {"old": BODY}, {"old": None, "new": renamed}, {"old": edited})
        assert (
            set(made.tree) == {"new"}
            and b"source" in made.tree["new"]
            and b"target" in made.tree["new"]
        )

    def test_a_new_file_goes_with_the_folder_that_the_other_side_renamed(
        self, tmp_path: Path
    ) -> None:
        base = {f"dir/{name}": BODY + name for name in "abc"}
        source = {f"dir/{name}": None for name in "abc"} | {
            f"moved/{name}": BODY + name for name in "abc"
        }
        made = merged(tmp_path, base, {"dir/new": "new\n"}, source)
        assert made.tree["moved/new"] == b"new\n" and "dir/new" not in made.tree
        assert made.notes("moved/new") == ["history target: moved with its folder"]

    def test_renames_that_collide_leave_no_nested_markers(self, tmp_path: Path) -> None:
        base = {"one": BODY + "one\n", "two": BODY.upper() + "two\n"}
        target = {
            "one": None,
            "both": BODY + "one, target\n",
            "two": BODY.upper() + "two, target\n",
        }
        source = {
            "two": None,
            "both": BODY.upper() + "two, source\n",
            "one": BODY + "one, source\n",
        }
        made = merged(tmp_path, base, target, source)
        assert not any(b"<<<<<<<" in data or b">>>>>>>" in data for data in made.tree.values())


class TestTypes:
    """What is of one type on one side and of another on the other."""

    @WINNERS
    def test_a_file_against_a_link(self, tmp_path: Path, policy: SyncPolicy, winner: str) -> None:
        made = merged(
            tmp_path, {"p": BODY, "o": "0\n"}, {"p": Link("o")}, {"p": BODY + "source\n"}, policy
        )
        assert set(made.tree) == {"p", "o"}
        assert made.modes["p"] == ("100644" if winner == "source" else "120000")

    def test_a_file_against_a_folder(self, tmp_path: Path) -> None:
        made = merged(tmp_path, {"o": "0\n"}, {"p/inner": "1\n"}, {"p": "file\n"})
        assert set(made.tree) == {"o", "p/inner"}
        (finding,) = made.findings("file-or-folder")
        assert finding.path == "p" and finding.open

    @WINNERS
    def test_links(self, tmp_path: Path, policy: SyncPolicy, winner: str) -> None:
        made = merged(
            tmp_path, {"p": Link("a")}, {"p": Link("target")}, {"p": Link("source")}, policy
        )
        assert (made.tree["p"], made.modes["p"]) == (winner.encode(), "120000")

    @WINNERS
    def test_modes(self, tmp_path: Path, policy: SyncPolicy, winner: str) -> None:
        made = merged(tmp_path, {"o": "0\n"}, {"p": "same\n"}, {"p": Executable("same\n")}, policy)
        assert made.modes["p"] == ("100755" if winner == "source" else "100644")

    def test_a_mode_that_one_side_changed_stays_with_a_text_that_both_changed(
        self, tmp_path: Path
    ) -> None:
        made = merged(tmp_path, {"p": "0\n"}, {"p": Executable("target\n")}, {"p": "source\n"})
        assert made.modes["p"] == "100755"


class TestOpaque:
    """Submodules, binary files, pointers to files elsewhere: whole, by history, else by policy."""

    @WINNERS
    def test_a_submodule(self, tmp_path: Path, policy: SyncPolicy, winner: str) -> None:
        base, target, source = (Submodule(digit * 40) for digit in "123")
        repo = diverged(tmp_path / "r", {"m": base, "o": "0\n"}, {"m": target}, {"m": source})
        made = candidate_of(repo, policy)
        oid = "3" if winner == "source" else "2"
        with_oid = [c.merged.oid for c in made.candidate.notable if c.path == "m" and c.merged]
        assert with_oid == ([oid * 40] if winner == "source" else [])
        assert made.modes["m"] == "160000"

    def test_a_submodule_that_the_target_moved_on_is_not_moved_back(self, tmp_path: Path) -> None:
        base, old, new = (Submodule(digit * 40) for digit in "123")
        repo = diverged(tmp_path / "r", {"m": base}, {"m": old}, {"m": old, "s": "1\n"})
        repo.switch("dev")
        repo.commit({"m": new})
        made = candidate_of(repo, SOURCE)
        assert not [change for change in made.candidate.notable if change.path == "m"]

    @WINNERS
    @pytest.mark.parametrize(
        "stamp",
        [b"\0", b"version https://git-lfs.github.com/spec/v1\noid sha256:"],
        ids=["binary", "lfs"],
    )
    def test_files_that_are_not_merged_by_line(
        self, tmp_path: Path, policy: SyncPolicy, winner: str, stamp: bytes
    ) -> None:
        made = merged(
            tmp_path,
            {"p": stamp + b"0"},
            {"p": stamp + b"target"},
            {"p": stamp + b"source"},
            policy,
        )
        assert made.tree["p"] == stamp + winner.encode()

    def test_history_shows_who_is_further_on(self, tmp_path: Path) -> None:
        """The source squashed what the target had, and the target has gone on since."""
        repo = Repo(tmp_path / "r")
        repo.commit({"p": b"\0base"})
        repo.branch("main")
        repo.switch("dev")
        first = repo.commit({"p": b"\0first"})
        repo.commit({"p": b"\0second"})
        repo.switch("main")
        repo.commit({"p": b"\0first"})
        repo.switch("dev")
        made = candidate_of(repo, SOURCE)
        assert made.tree["p"] == b"\0second"
        (entry,) = made.candidate.resolutions
        assert (entry.method, entry.side, entry.evidence) == ("lineage", "target", (first,))
