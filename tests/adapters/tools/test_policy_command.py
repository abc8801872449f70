"""Commands of a policy, as real processes: what they can reach, what comes back, how they end."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from nightshift.adapters.tools.account import Account
from nightshift.adapters.tools.policy_command import PolicyCommand, reduced
from nightshift.values import Entry, Ran
from support.file_trees import FakeTree

UNPRIVILEGED = "nobody"
FILES = FakeTree({"a.txt": b"old\n", "lib/b.txt": b"b\n", "c.txt": b"c\n"})

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can run something as another")


@dataclass(frozen=True)
class Modes:
    """A tree with modes: path -> (mode, bytes)."""

    files: Mapping[str, tuple[str, bytes]]

    def entries(self) -> Mapping[str, Entry]:
        return {path: Entry(mode, "") for path, (mode, _) in self.files.items()}

    def read(self, path: str) -> bytes | None:
        return self.files[path][1] if path in self.files else None


def _account(tmp_path: Path) -> Account:
    """An account for whoever runs the tests; a machine's own variables are none of theirs."""
    return Account(UNPRIVILEGED, holds_token=False, proc=tmp_path / "no-proc")


def _run(tmp_path: Path, command: str, wanted: list[str] | None = None, seconds: float = 60) -> Ran:
    return PolicyCommand(_account(tmp_path), seconds=seconds)(command, FILES, wanted)


def test_files_that_it_writes_come_back_and_nothing_else(tmp_path: Path) -> None:
    ran = _run(tmp_path, "echo new > a.txt && touch lib/b.txt && rm c.txt && echo x > extra.txt")
    assert ran == Ran("", "", {"a.txt": b"new\n"}, ("c.txt",))


def test_a_file_that_is_wanted_may_be_new(tmp_path: Path) -> None:
    ran = _run(tmp_path, "echo new > a.txt; echo lock > lib/x.lock", ["lib/x.lock", "none"])
    assert ran == Ran("", "", {"lib/x.lock": b"lock\n"})


def test_links_and_modes_are_laid_out(tmp_path: Path) -> None:
    files = {
        "run": ("100755", b"#!/bin/sh\ncat link\n"),
        "link": ("120000", b"dir/real"),
        "dir/real": ("100644", b"text\n"),
        "module": ("160000", b""),
        "../out": ("100644", b""),
        ".git/hooks/x": ("100755", b""),
    }
    command = PolicyCommand(_account(tmp_path), seconds=60)
    ran = command("./run; test -x dir/real || echo plain; ls -A", Modes(files))
    assert ran.output.split("\n") == ["text", "plain", "dir", "link", "run"]
    assert (ran.problem, ran.changes, ran.removed) == ("", {}, ())


def test_it_sees_neither_our_variables_nor_our_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INPUT_TOKEN", "s3cret")
    monkeypatch.setenv("SSH_AUTH_SOCK", "/somewhere")
    ran = _run(tmp_path, "env; pwd; ls /proc/self/fd")
    assert "s3cret" not in ran.output and "/somewhere" not in ran.output
    names = {line.partition("=")[0] for line in ran.output.split("\n") if "=" in line}
    allowed = "PATH HOME TMPDIR LC_ALL NO_COLOR GIT_CONFIG_NOSYSTEM GIT_TERMINAL_PROMPT PWD OLDPWD"
    assert names <= {*allowed.split(), "SHLVL", "_"}
    assert str(Path.cwd()) not in ran.output


@as_root
def test_as_root_it_is_another_user_that_cannot_read_its_parents_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INPUT_TOKEN", "s3cret")
    probe = f"id -un; id -Gn; cat /proc/{os.getpid()}/environ && echo READ; cat /proc/$PPID/environ"
    ran = _run(tmp_path, f"{probe} && echo READ; exit 0")
    name, groups, *rest = ran.output.split("\n")
    assert name == UNPRIVILEGED and groups in ("nogroup", "nobody")
    assert any("ermission denied" in line for line in rest)
    assert "READ" not in rest and "s3cret" not in ran.output


@as_root
def test_as_root_it_gains_no_privileges_by_programs_that_have_them(tmp_path: Path) -> None:
    ran = _run(tmp_path, "grep NoNewPrivs /proc/self/status")
    assert ran.output.split() == ["NoNewPrivs:", "1"]


def test_its_time_ends_all_that_it_started(tmp_path: Path) -> None:
    ran = _run(tmp_path, "(sleep 300; echo late) & echo $!; sleep 300", seconds=0.7)
    assert "did not end" in ran.problem and not ran.changes
    assert not _alive(int(ran.output.partition("\n")[0]))


def test_what_it_leaves_behind_ends_with_it(tmp_path: Path) -> None:
    ran = _run(tmp_path, "sleep 300 & echo $!; echo new > a.txt")
    assert ran.problem == "" and ran.changes == {"a.txt": b"new\n"}
    assert not _alive(int(ran.output))


def _alive(process: int) -> bool:
    """Whether a process runs: one that is dead and was not waited for does not."""
    try:
        os.kill(process, signal.SIG_DFL)
        state = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"


@pytest.mark.parametrize(
    "make",
    [
        "rm a.txt && ln -s /etc/passwd a.txt",
        "rm a.txt && mkfifo a.txt",
        "rm a.txt && mkdir a.txt",
        "rm -r lib && ln -s /etc lib",
        "ln a.txt hard.txt",
        "truncate -s 100M a.txt",
    ],
)
def test_nothing_but_plain_files_is_read_back(tmp_path: Path, make: str) -> None:
    ran = _run(tmp_path, make)
    assert "something else than a plain file" in ran.problem and not ran.changes


def test_a_failure_is_told_with_its_last_lines_and_changes_nothing(tmp_path: Path) -> None:
    ran = _run(tmp_path, "echo new > a.txt; echo out; echo err >&2; exit 3")
    assert ran == Ran("it ended with exit code 3", "out\nerr")


def test_output_is_cut_and_made_printable(tmp_path: Path) -> None:
    ran = _run(
        tmp_path,
        r"printf 'a\033[31mred\033[0m\007\000b\r\n::error::x\n\n'; yes long | head -n 99999",
    )
    assert ran.output == "\n".join(["long"] * 30)
    assert reduced(b"a\x1b[31mred\x1b[0m\x07\0b\xff\r\n\n\xe2\x80\xaex" + b"y" * 999) == (
        "ared??b\ufffd\n?x" + "y" * 298
    )


@as_root
def test_there_must_be_a_user_for_it(tmp_path: Path) -> None:
    for name in ("no-such-user-here", "root"):
        account = Account(name, holds_token=False, proc=tmp_path)
        ran = PolicyCommand(account, seconds=9)("echo ran", FILES)
        assert ran.problem.startswith("it was not run: there is no user") and not ran.output


def test_it_is_not_run_as_the_user_that_holds_the_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    account = Account(UNPRIVILEGED, holds_token=True, proc=tmp_path)
    ran = PolicyCommand(account, seconds=9)("echo ran", FILES)
    assert "as the user that holds the token" in ran.problem and not ran.output


def test_it_is_not_run_where_a_parents_environment_has_a_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(os, "getpid", lambda: 70)
    for number, parent, variables in (
        (70, 12, b"A=1\0GH_TOKEN=\0"),
        (12, 1, b"HOME=/x\0DEPLOY_TOKEN=abc\0"),
        (1, 0, b""),
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "environ").write_bytes(variables)
        (folder / "stat").write_text(f"{number} (a ) b) S {parent} 1 1", "ascii")
    ran = PolicyCommand(Account("x", False, proc=tmp_path), seconds=9)("echo ran", FILES)
    assert "could read DEPLOY_TOKEN" in ran.problem
    (tmp_path / "12" / "environ").write_bytes(b"HOME=/x\0DEPLOY_TOKEN=\0")
    assert Account("x", False, proc=tmp_path).number() is None


@pytest.mark.parametrize(
    "config",
    [
        '[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic eDp5\n',
        '[includeIf "gitdir:/w/.git"]\n\tpath = /runner_temp/git-credentials-1.config\n',
    ],
)
def test_it_is_not_run_where_the_checkout_left_its_token(tmp_path: Path, config: str) -> None:
    account = Account(UNPRIVILEGED, False, tmp_path, tmp_path / "no-proc")
    for place in (tmp_path, tmp_path / "below"):
        (place / ".git").mkdir(parents=True)
        (place / ".git" / "config").write_text(config, "utf-8")
        ran = PolicyCommand(account, seconds=9)("echo ran", FILES)
        assert "persist-credentials: false" in ran.problem and not ran.output
        (place / ".git" / "config").write_text("[core]\n\tbare = false\n", "utf-8")
    assert PolicyCommand(account, seconds=60)("echo ran", FILES).output == "ran"
