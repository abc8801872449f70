"""Git sources over real repositories: added, taken, kept; the lock made by policy's command, and
what is said where it is not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from nightshift.errors import HostError
from nightshift.ports import TreeView
from nightshift.sync.reconcile import SourceTools
from nightshift.values import Ran
from support.candidates import TOOLS, Made, candidate_of, sync_policy
from support.commands import FakeCommands
from support.file_trees import FakeTree
from support.repos import Content, diverged

TRIPLE = ("pyproject.toml", "uv.lock", "docker/Dockerfile.ci.dev")
HEAD = '[project]\nname = "lib"\nversion = "1"  # ours\n\n[tool.uv.sources]\n# with care\n'
EXT = 'ext = {{ git = "https://example.com/ext.git", rev = "{}" }}\n'
OTHER = 'other = { git = "https://example.com/other.git", rev = "1" } # why\n'
TAIL = "\n[tool.black]\nline-length = 100\n"
BASE: dict[str, Content] = {
    "pyproject.toml": HEAD + TAIL,
    "uv.lock": "lock 0\n",
    "docker/Dockerfile.ci.dev": "FROM base\n",
    "lib/a.py": '"""A."""\n',
}
PROJECT = b'[project]\nname = "ext"\nversion = "1"\n'


class FakeRevisions:
    """`ports.Revisions` over dicts of files: revision -> path -> text; others cannot be fetched."""

    def __init__(self, revisions: Mapping[str, Mapping[str, bytes]]) -> None:
        self._revisions = revisions
        self.asked: list[tuple[str, str]] = []

    def __call__(self, url: str, revision: str) -> TreeView:
        self.asked.append((url, revision))
        if revision not in self._revisions:
            raise HostError("no network")
        return FakeTree({"pyproject.toml": PROJECT, **self._revisions[revision]})


def _made(
    path: Path,
    target: str,
    source: str,
    tools: SourceTools = SourceTools(),
    command: str | None = None,
    **more: Content,
) -> Made:
    """Both sides' tables; the source brings another lock and another image too."""
    ours: dict[str, Content] = {"pyproject.toml": target, "uv.lock": "lock dev\n"}
    theirs: dict[str, Content] = {
        "pyproject.toml": source,
        "uv.lock": "lock main\n",
        "docker/Dockerfile.ci.dev": "FROM other\n",
        **more,
    }
    rules: dict[str, Any] = {"lock-command": command} if command else {}
    paths = {"always-target": [f"/{name}" for name in TRIPLE]}
    policy = sync_policy(paths=paths, sources=rules)
    repo = diverged(path / "repo", BASE, ours, theirs)
    return candidate_of(repo, policy, tools=replace(TOOLS, sources=tools))


def _told(made: Made) -> list[tuple[str, str]]:
    found = [(f.rule, f.disposition.value) for f in made.candidate.findings]
    return [item for item in found if item[0].startswith(("git-source", "always-target"))]


def test_a_source_is_added_and_the_triple_is_the_targets_otherwise(tmp_path: Path) -> None:
    made = _made(tmp_path, HEAD + TAIL, HEAD.replace("ours", "theirs") + OTHER)
    assert made.tree["pyproject.toml"].decode() == HEAD + OTHER + TAIL
    assert made.tree["uv.lock"] == b"lock dev\n"
    assert made.tree["docker/Dockerfile.ci.dev"] == b"FROM base\n"
    assert _told(made) == [("git-source-added", "repaired"), ("git-source-lock", "open")]
    (lock,) = made.findings("git-source-lock")
    assert "must be regenerated" in lock.message and "no command" in lock.message
    assert not [step for step in made.candidate.steps_not_done if "sources" in step]


def test_the_lock_comes_from_policys_command_into_the_merge_commit(tmp_path: Path) -> None:
    commands = FakeCommands(Ran(changes={"uv.lock": b"lock new\n"}))
    made = _made(tmp_path, HEAD + TAIL, HEAD + OTHER, SourceTools(commands), "make lock")
    assert made.tree["uv.lock"] == b"lock new\n"
    assert made.tree["docker/Dockerfile.ci.dev"] == b"FROM base\n"
    assert _told(made) == [("git-source-added", "repaired"), ("git-source-lock", "repaired")]
    ((command, wanted, files),) = commands.asked
    assert (command, tuple(wanted or ())) == ("make lock", ("uv.lock",))
    assert files["pyproject.toml"].decode() == HEAD + OTHER + TAIL
    assert files["uv.lock"] == b"lock dev\n" and files["lib/a.py"] == b'"""A."""\n'


def test_a_lock_command_that_fails_leaves_the_targets_lock_and_says_so(tmp_path: Path) -> None:
    answers = {
        "it ended with exit code 2: no / such / host": Ran(
            "it ended with exit code 2", "x\nno\nsuch\nhost"
        ),
        "it ended well and left the lock as it was": Ran(),
    }
    for number, (words, answer) in enumerate(answers.items()):
        tools = SourceTools(FakeCommands(answer))
        made = _made(tmp_path / str(number), HEAD + TAIL, HEAD + OTHER, tools, "make lock")
        assert made.tree["uv.lock"] == b"lock dev\n"
        (lock,) = made.findings("git-source-lock")
        assert lock.open and words in lock.message
        assert _told(made)[0] == ("git-source-added", "repaired") and len(_told(made)) == 2


def test_nothing_to_reconcile_runs_nothing(tmp_path: Path) -> None:
    commands, revisions = FakeCommands(), FakeRevisions({})
    tools = SourceTools(commands, revisions)
    made = _made(tmp_path, HEAD + OTHER + TAIL, HEAD + OTHER, tools, "make lock")
    assert not commands.asked and not revisions.asked and not _told(made)
    assert made.tree["pyproject.toml"].decode() == HEAD + OTHER + TAIL


USES = (
    "try:\n    from ext.core import queue, start\nexcept ImportError:\n    queue = start = None\n"
)


def _two_revisions(path: Path, revisions: Mapping[str, Mapping[str, bytes]]) -> Made:
    tools = SourceTools(FakeCommands(), FakeRevisions(revisions))
    ours, theirs = HEAD + EXT.format("old") + TAIL, HEAD + EXT.format("new")
    return _made(path, ours, theirs, tools, **{"lib/b.py": USES})


def test_a_revision_that_lacks_what_is_imported_gives_way(tmp_path: Path) -> None:
    made = _two_revisions(
        tmp_path,
        {
            "old": {"src/ext/__init__.py": b"", "src/ext/core.py": b"def start(): ...\n"},
            "new": {"ext/__init__.py": b"", "ext/core.py": b"def start(): ...\nqueue = 1\n"},
        },
    )
    assert made.tree["pyproject.toml"].decode() == HEAD + EXT.format("new") + TAIL
    (finding,) = made.findings("git-source-taken")
    assert "has no ext.core.queue, which the merged tree imports" in finding.message
    assert _told(made) == [("git-source-taken", "repaired"), ("git-source-lock", "open")]


def test_a_revision_whose_metadata_does_not_parse_gives_way(tmp_path: Path) -> None:
    sound = {"ext/__init__.py": b""}
    bad = {**sound, "pyproject.toml": b'[project]\nname = "ext"\ndependencies = ["a >>= 1"]\n'}
    made = _two_revisions(tmp_path / "1", {"old": bad, "new": sound})
    assert made.tree["pyproject.toml"].decode() == HEAD + EXT.format("new") + TAIL
    both = _two_revisions(tmp_path / "2", {"old": bad, "new": bad})
    assert both.tree["pyproject.toml"].decode() == HEAD + EXT.format("old") + TAIL
    assert _told(both) == [("git-source-conflict", "open")]


def test_a_sound_revision_stays(tmp_path: Path) -> None:
    files = {"ext/__init__.py": b"", "ext/core.py": b"from ext.deep import *\nqueue = 1\n"}
    made = _two_revisions(tmp_path, {"old": files, "new": {**files, "ext/more.py": b""}})
    assert made.tree["pyproject.toml"].decode() == HEAD + EXT.format("old") + TAIL
    assert made.tree["uv.lock"] == b"lock dev\n"
    assert _told(made) == [("git-source-conflict", "intended")]


def test_a_revision_that_nobody_can_look_at_stays_and_is_reported(tmp_path: Path) -> None:
    for number, seen in enumerate(({}, {"old": {}}, {"new": {}})):
        made = _two_revisions(tmp_path / str(number), seen)
        assert made.tree["pyproject.toml"].decode() == HEAD + EXT.format("old") + TAIL
        (finding,) = made.findings("git-source-conflict")
        assert finding.open and "could not be checked: no network" in finding.message


def test_a_file_that_cannot_be_edited_is_reported(tmp_path: Path) -> None:
    target = (HEAD + TAIL).replace("\n", "\r\n")
    made = _made(tmp_path, target, HEAD + OTHER)
    assert made.tree["pyproject.toml"].decode() == target
    assert _told(made) == [("git-sources-unreadable", "open")]


def test_a_run_without_network_says_so(tmp_path: Path) -> None:
    made = _made(tmp_path, HEAD + EXT.format("old") + TAIL, HEAD + EXT.format("new"))
    (finding,) = made.findings("git-source-conflict")
    assert finding.open and "could not be checked" in finding.message
