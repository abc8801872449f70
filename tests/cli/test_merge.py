"""`nightshift merge` in real repositories."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nightshift.cli.main import main
from support.repos import Content, Repo, diverged

BODY = "".join(f"line {n}\n" for n in range(12))
REFS = ("--target", "dev", "--source", "main")


@pytest.fixture(name="repo")
def fixture_repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A repository on dev with one conflict to merge from main."""
    repo = diverged(
        tmp_path / "r",
        {"p.txt": BODY, "a.py": "x = 1\n"},
        {"p.txt": BODY.replace("line 3", "target"), "t": "1\n"},
        {"p.txt": BODY.replace("line 3", "source"), "s": "1\n", "a.py": "x = 2\n"},
    )
    monkeypatch.chdir(repo.path)
    return repo


def report_of(path: Path, *arguments: str) -> dict[str, Any]:
    """The report of a merge that is done."""
    assert main(["merge", *REFS, "--report", str(path), *arguments]) == 0
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def test_head_moves_to_a_merge_commit_and_the_work_tree_follows(repo: Repo, tmp_path: Path) -> None:
    ends = repo.git("rev-parse", "dev"), repo.git("rev-parse", "main")
    data = report_of(tmp_path / "report.json")
    assert repo.git("rev-parse", "dev", "HEAD") == f"{data['commit']}\n{data['commit']}"
    assert (
        repo.git("log", "-1", "--format=%P").split()
        == list(ends)
        == [data["target"], data["source"]]
    )
    assert repo.git("status", "--porcelain") == ""
    assert (repo.path / "s").read_text(encoding="utf-8") == "1\n"
    assert "source" in (repo.path / "p.txt").read_text(encoding="utf-8")


def test_the_report_has_the_keys_that_checks_rely_on(repo: Repo, tmp_path: Path) -> None:
    data = report_of(tmp_path / "report.json")
    assert data["schema_version"] == 1 and data["outcome"] == "merged"
    assert data["merge_bases"] == [repo.git("merge-base", "HEAD^1", "HEAD^2")]
    assert {
        "formatted",
        "restored",
        "findings",
        "kept_from_target",
        "steps_not_done",
    } <= data.keys()
    assert data["taken_from_source"] == ["p.txt"] and data["conflicts"] == ["p.txt"]
    (entry,) = data["resolutions"]
    assert entry.keys() == {"path", "method", "side", "lines", "evidence", "confidence", "note"}
    assert data["stats"] == {
        "commits": 1,
        "python_lines_added": 1,
        "python_lines_deleted": 1,
        "python_files": 1,
    }
    assert all(seconds >= 0 for seconds in data["seconds"].values())


def test_twice_the_same_commit(repo: Repo, tmp_path: Path) -> None:
    before = repo.git("rev-parse", "HEAD")
    one = report_of(tmp_path / "one.json")
    repo.git("reset", "-q", "--hard", before)
    two = report_of(tmp_path / "two.json")
    del one["seconds"], two["seconds"]
    assert one == two


def test_json_on_standard_output(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["merge", *REFS, "--json", "--until", "merge"]) == 0
    assert json.loads(capsys.readouterr().out)["commit"] == repo.git("rev-parse", "HEAD")


def test_nothing_to_sync(repo: Repo, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report_of(tmp_path / "one.json")
    head = repo.git("rev-parse", "HEAD")
    capsys.readouterr()
    assert report_of(tmp_path / "two.json")["outcome"] == "nothing-to-sync"
    assert "nothing to sync" in capsys.readouterr().out and repo.git("rev-parse", "HEAD") == head


def test_a_finding_that_aborts_leaves_head_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        "mode: sync\npaths:\n  always-source: [/gone]\ninvariants:\n  open-findings: abort\n",
        encoding="utf-8",
    )
    repo = diverged(tmp_path / "r", {"gone": "0\n", "o": "0\n"}, {"t": "1\n"}, {"gone": None})
    monkeypatch.chdir(repo.path)
    head = repo.git("rev-parse", "HEAD")
    report = tmp_path / "report.json"
    assert main(["merge", *REFS, "--policy", str(policy), "--report", str(report)]) == 1
    data = json.loads(report.read_text(encoding="utf-8"))
    assert (
        data["outcome"] == "blocked" and repo.git("rev-parse", "HEAD", "dev") == f"{head}\n{head}"
    )
    assert repo.git("rev-parse", f"{data['commit']}^1") == head
    assert repo.git("status", "--porcelain") == ""


class TestRefusals:
    """Bad input: exit code 2, and nothing is written."""

    @pytest.fixture(autouse=True)
    def fixture_nothing_is_written(self, repo: Repo) -> Any:
        """The refs and the work tree, before and after."""
        before = repo.git("for-each-ref"), repo.git("rev-parse", "HEAD")
        yield
        assert (repo.git("for-each-ref"), repo.git("rev-parse", "HEAD")) == before

    def refused(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
        """What a merge that is refused says."""
        assert main(["merge", *arguments]) == 2
        return capsys.readouterr().err

    def test_head_on_another_branch(self, repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
        repo.switch("main")
        assert "HEAD is not on dev" in self.refused(capsys, *REFS)
        repo.switch("dev")

    def test_a_detached_head_and_another_branch_at_the_targets_commit(
        self, repo: Repo, capsys: pytest.CaptureFixture[str]
    ) -> None:
        repo.git("switch", "-q", "--detach")
        assert "it is on a detached commit" in self.refused(capsys, *REFS)
        repo.branch("other")
        assert "it is on other" in self.refused(capsys, *REFS)
        repo.switch("dev")
        repo.git("branch", "-q", "-D", "other")

    def test_a_work_tree_with_changes(self, repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
        (repo.path / "t").write_text("edited\n", encoding="utf-8")
        assert "the work tree has changes" in self.refused(capsys, *REFS)
        assert (repo.path / "t").read_text(encoding="utf-8") == "edited\n"
        repo.git("checkout", "-q", "--", "t")

    @pytest.mark.parametrize(
        ("target", "source", "words"),
        [
            ("dev", "nowhere", "there is no branch"),
            ("nowhere", "main", "there is no branch"),
            ("dev", "dev", "the same"),
            ("dev", "--upload-pack=touch x", "no valid name"),
            ("dev", "main^{tree}", "no valid name"),
        ],
    )
    def test_names(
        self, target: str, source: str, words: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert words in self.refused(capsys, f"--target={target}", f"--source={source}")

    def test_policies(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert "no preset" in self.refused(capsys, *REFS, "--policy", "nobody")
        bad = tmp_path / "bad.yaml"
        bad.write_text("mode: sync\nwins: nobody\n", encoding="utf-8")
        assert f"{bad}:2: wins" in self.refused(capsys, *REFS, "--policy", str(bad))
        assert "for mode triage" in self.refused(capsys, *REFS, "--policy", "pytorch-distributed")

    def test_a_report_that_cannot_be_written(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        report = str(tmp_path / "nowhere" / "report.json")
        assert "cannot be written" in self.refused(capsys, *REFS, "--report", report)


def test_no_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["merge", *REFS]) == 2
    assert "no git repository" in capsys.readouterr().err


def test_a_remote_branch_into_a_local_one_that_stands_at_the_target(repo: Repo) -> None:
    repo.git("update-ref", "refs/remotes/origin/dev", "dev")
    repo.git("update-ref", "refs/remotes/origin/main", "main")
    dev = repo.git("rev-parse", "dev")
    repo.branch("main2dev/02_01_2026")
    assert main(["merge", "--target", "origin/dev", "--source", "origin/main"]) == 0
    assert repo.git("rev-parse", "main2dev/02_01_2026^1") == dev == repo.git("rev-parse", "dev")


def test_a_shallow_clone_is_deepened_from_its_origin(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shallow = Repo(tmp_path / "shallow")
    shallow.git("remote", "add", "origin", f"file://{repo.path}")
    shallow.git("fetch", "-q", "--depth=1", "origin", "dev:refs/heads/dev2", "main:refs/heads/main")
    shallow.git("switch", "-q", "dev2")
    monkeypatch.chdir(shallow.path)
    assert main(["merge", "--target", "dev2", "--source", "main"]) == 0
    assert shallow.read("s") == b"1\n" and shallow.git("status", "--porcelain") == ""
    assert (shallow.path / ".git/shallow").exists()


def test_names_of_files_start_no_command_of_a_workflow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = "\n::set-output name=x::y"
    files: dict[str, Content] = {"pkg/data.py": "x = 1\n", "o": "0\n"}
    repo = diverged(tmp_path / "r", files, {"t": "1\n", path: "1\n"}, {f"{path}/x": "1\n"})
    monkeypatch.chdir(repo.path)
    assert main(["merge", *REFS]) == 0
    out = capsys.readouterr().out
    assert "set-output" in out
    assert not any(line.lstrip().startswith("::") for line in out.splitlines())


def test_end_of_line_settings_of_the_user_hold_in_their_work_tree(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config"
    config.write_text("[core]\nautocrlf = true\n", encoding="utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    assert main(["merge", *REFS]) == 0
    assert repo.read("s") == b"1\n"
