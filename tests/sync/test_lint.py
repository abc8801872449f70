"""What a linter says of files that the merge changed: mended where certain, else reported; what the
target had already is not the merge's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nightshift.adapters.tools.pylint import Pylint
from nightshift.policy.model import Severity
from nightshift.ports import Linter
from nightshift.sync.findings import Finding
from nightshift.sync.lint_settings import settings
from support.candidates import TOOLS, Made, candidate_of, sync_policy
from support.file_trees import FakeTree
from support.linting import FakeLinter
from support.repos import Content, diverged

MESSAGES = ["missing-class-docstring", "missing-function-docstring", "line-too-long"]
COMMENT = "# " + "word " * 30 + "end"
CODE = "value = '" + "x" * 120 + "'"
BASE: dict[str, Content] = {
    "lib/a.py": '"""A."""\n',
    "lib/b.py": '"""B."""\n',
    "other.py": "x = 1\n",
}


def _linted(
    path: Path,
    target: dict[str, Content],
    source: dict[str, Content],
    linter: Linter | None = None,
    more: dict[str, Any] | None = None,
    **rules: Any,
) -> Made:
    given = {"paths": ["/lib/"], "messages": MESSAGES, "missing-docstring": "stub", **rules}
    policy = sync_policy(lint=given, **(more or {}))
    repo = diverged(path / "repo", BASE, {"t.txt": "1\n", **target}, {"s.txt": "1\n", **source})
    return candidate_of(repo, policy, tools=replace(TOOLS, linter=linter or FakeLinter()))


def _told(made: Made) -> list[tuple[str, str, int, str]]:
    def row(item: Finding) -> tuple[str, str, int, str]:
        return item.rule, item.disposition.value, item.line, item.message

    return [row(item) for item in made.candidate.findings if item.path.startswith("lib/")]


def _not_done(made: Made) -> list[str]:
    return [step for step in made.candidate.steps_not_done if "pylint" in step]


def test_a_docstring_comes_from_the_side_that_has_it(tmp_path: Path) -> None:
    """The target documents what the source rewrites without a word."""
    base = 'def shut(a):\n    return a\n\n\ndef lid():\n    """The lid."""\n    return 1\n'
    target = base.replace("    return a", '    """Shut it."""\n    return a')
    source = base.replace('    """The lid."""\n', "")
    repo = diverged(
        tmp_path / "repo", {"lib/a.py": base}, {"lib/a.py": target}, {"lib/a.py": source}
    )
    policy = sync_policy(lint={"paths": ["/lib/"], "messages": MESSAGES})
    made = candidate_of(repo, policy, tools=replace(TOOLS, linter=FakeLinter()))
    assert made.tree["lib/a.py"].decode() == target
    (finding,) = [f for f in made.candidate.findings if f.rule.startswith("missing-")]
    assert not finding.open and "lid was taken from the side that has it" in finding.message
    assert not _not_done(made)


def test_a_stub_is_written_where_policy_wants_one_and_listed(tmp_path: Path) -> None:
    text = '"""A."""\n\n\nclass Lid:\n    def shut_it(self):\n        return 1\n'
    made = _linted(tmp_path, {}, {"lib/a.py": text})
    assert made.tree["lib/a.py"].decode() == (
        '"""A."""\n\n\nclass Lid:\n    """Lid."""\n\n    def shut_it(self):\n'
        '        """Shut it."""\n        return 1\n'
    )
    assert _told(made) == [
        ("missing-class-docstring", "repaired", 4, 'a stub was written for Lid: """Lid."""'),
        (
            "missing-function-docstring",
            "repaired",
            5,
            'a stub was written for Lid.shut_it: """Shut it."""',
        ),
    ]


def test_else_it_is_reported_only(tmp_path: Path) -> None:
    text = '"""A."""\n\n\ndef shut():\n    return 1\n'
    rules = {"missing-docstring": "report", "severity": "abort"}
    made = _linted(tmp_path, {}, {"lib/a.py": text}, **rules)
    assert made.tree["lib/a.py"].decode() == text
    expected = ("missing-function-docstring", "open", 4, "Missing function docstring")
    assert _told(made) == [expected]
    assert [f.severity for f in made.candidate.blocking] == [Severity.ABORT]


def test_a_long_comment_is_wrapped_and_long_code_reported(tmp_path: Path) -> None:
    made = _linted(tmp_path, {}, {"lib/a.py": f'"""A."""\n\n{COMMENT}\n{CODE}\n'})
    lines = made.tree["lib/a.py"].decode().split("\n")
    assert [len(line) <= 100 for line in lines] == [True] * 4 + [False, True]
    assert " ".join(line.removeprefix("# ") for line in lines[2:4]) == COMMENT[2:]
    assert _told(made) == [
        ("line-too-long", "repaired", 3, "the line was wrapped."),
        ("line-too-long", "open", 5, "Line too long (130/100)"),
    ]


def test_what_the_target_had_already_is_not_the_merges(tmp_path: Path) -> None:
    """Neither where it stands lower now; a second one of the same text is."""
    old = f'"""A."""\n\n\ndef shut():\n    return 1\n\n\n{CODE}\n'
    new = old.replace('"""A."""', f'"""A."""\n\nimport os\n\n{CODE}\nprint(os.sep)')
    path = tmp_path / "repo"
    repo = diverged(path, {"lib/a.py": old}, {"t.txt": "1\n"}, {"lib/a.py": new})
    rules = {"paths": ["/lib/"], "messages": MESSAGES, "missing-docstring": "stub"}
    tools = replace(TOOLS, linter=FakeLinter())
    made = candidate_of(repo, sync_policy(lint=rules), tools=tools)
    assert made.tree["lib/a.py"].decode() == new
    assert [(rule, line) for rule, _, line, _ in _told(made)] == [("line-too-long", 13)]


def test_what_the_linter_doubts_and_the_source_has_is_left_out(tmp_path: Path) -> None:
    """Its own checks, which know what is inherited, have let it pass."""
    text = '"""A."""\n\n\ndef shut():\n    return 1\n'
    made = _linted(tmp_path / "1", {}, {"lib/a.py": text}, FakeLinter(doubtful=True))
    assert made.tree["lib/a.py"].decode() == text and not _told(made)
    made = _linted(tmp_path / "2", {}, {"lib/a.py": text}, FakeLinter())
    assert [row[1] for row in _told(made)] == ["repaired"]


def test_what_the_linter_doubts_and_only_the_merge_has_counts(tmp_path: Path) -> None:
    base = '"""A."""\n\n\ndef shut():\n    """Shut."""\n    return 1\n'
    target = base.replace("    return 1", "    return 2")
    source = base.replace('    """Shut."""\n', "")
    path = tmp_path / "repo"
    repo = diverged(path, {"lib/a.py": base}, {"lib/a.py": target}, {"lib/a.py": source})
    policy = sync_policy(lint={"paths": ["/lib/"], "messages": MESSAGES})
    linter = FakeLinter(doubtful=True)
    made = candidate_of(repo, policy, tools=replace(TOOLS, linter=linter))
    assert not _told(made), "the source has it too"
    gone = {"lib/a.py": base.replace("def shut", "def lid")}
    repo = diverged(tmp_path / "two", {"lib/a.py": base}, {"lib/a.py": target}, gone)
    assert not _told(candidate_of(repo, policy, tools=replace(TOOLS, linter=linter)))


def test_only_changed_files_on_the_named_paths_are_looked_at(tmp_path: Path) -> None:
    linter = FakeLinter()
    text = "def shut():\n    return 1\n"
    source: dict[str, Content] = {
        "lib/a.py": text,
        "lib/own.py": text,
        "lib/data.txt": text,
        "other.py": text,
    }
    more = {"paths": {"always-target": ["/lib/own.py"]}}
    made = _linted(tmp_path, {"lib/b.py": text, "lib/own.py": "x = 1\n"}, source, linter, more)
    assert [asked[0] for asked in linter.asked] == [["lib/a.py"], ["lib/a.py"]]
    assert made.tree["other.py"].decode() == text == made.tree["lib/b.py"].decode()


def test_the_repositorys_own_width_holds(tmp_path: Path) -> None:
    linter = FakeLinter()
    rc = "[MAIN]\nload-plugins=evil\ninit-hook=evil()\nmax-line-length=40\n"
    comment = "# " + "word " * 10 + "end"
    source: dict[str, Content] = {"lib/a.py": f'"""A."""\n\n{comment}\nx = 1\n', ".pylintrc": rc}
    made = _linted(tmp_path, {}, source, linter)
    assert max(map(len, made.tree["lib/a.py"].decode().split("\n"))) <= 40
    assert linter.asked[0][1:] == (tuple(MESSAGES), {"max-line-length": "40"})


def test_what_was_in_style_comes_into_it_again_and_what_was_not_stays(tmp_path: Path) -> None:
    """The second file is not formatted by this merge: it is the source's as it stands."""
    text = '"""A."""\n\nimport os\nimport abc\n\n\ndef shut():\n    return os, abc\n'
    more = {"format": {"scope": "changed"}}
    made = _linted(tmp_path / "1", {}, {"lib/a.py": text}, None, more)
    assert made.tree["lib/a.py"].decode() == (
        '"""A."""\n\nimport abc\nimport os\n\n\ndef shut():\n    """Shut."""\n    return os, abc\n'
    )
    more = {"format": {"scope": "merged"}}
    made = _linted(tmp_path / "2", {}, {"lib/a.py": text}, None, more)
    assert "import os\nimport abc\n" in made.tree["lib/a.py"].decode()
    assert '    """Shut."""\n' in made.tree["lib/a.py"].decode()


@pytest.mark.parametrize("text", [b"def shut():\r\n    return 1\r\n", b"def shut(): return 1\n"])
def test_what_cannot_be_edited_for_certain_stays(tmp_path: Path, text: bytes) -> None:
    made = _linted(tmp_path, {}, {"lib/a.py": text})
    assert made.tree["lib/a.py"] == text
    assert [(row[0], row[1]) for row in _told(made)] == [("missing-function-docstring", "open")]


def test_a_linter_that_cannot_be_run_is_a_step_that_was_not_done(tmp_path: Path) -> None:
    made = _linted(tmp_path / "1", {}, {"lib/a.py": CODE}, FakeLinter(fails=True))
    assert _not_done(made) == [
        "pylint was not run on the paths that policy names: it did not start."
    ]
    off = _linted(tmp_path / "2", {}, {"lib/a.py": CODE}, FakeLinter(fails=True), severity="off")
    assert not _not_done(off) and not _told(off)


def test_the_real_one(tmp_path: Path) -> None:
    text = f'"""A."""\n\n{COMMENT}\n\n\ndef shut():\n    return 1\n\n\ndef _lid():\n    return 2\n'
    made = _linted(tmp_path, {}, {"lib/a.py": text}, Pylint())
    assert [(row[0], row[1]) for row in _told(made)] == [
        ("line-too-long", "repaired"),
        ("missing-function-docstring", "repaired"),
    ]
    assert '    """Shut."""\n' in made.tree["lib/a.py"].decode()


@pytest.mark.parametrize(
    ("files", "want"),
    [
        (
            {"pylintrc": "[FORMAT]\nmax-line-length = 79\n", "pyproject.toml": "x"},
            {"max-line-length": "79"},
        ),
        (
            {".pylintrc": "[x]\nmax_line_length=90\nno-docstring-rgx=^_\n"},
            {"max-line-length": "90", "no-docstring-rgx": "^_"},
        ),
        (
            {
                ".pylintrc": "no section\n",
                "pyproject.toml": "[tool.pylint]\nmax-line-length = 88\n",
            },
            {"max-line-length": "88"},
        ),
        (
            {
                "pyproject.toml": "[tool.pylint.format]\n"
                "max-line-length = '120'\nignore-long-lines = '^x'\n"
            },
            {"max-line-length": "120", "ignore-long-lines": "^x"},
        ),
        (
            {
                "pyproject.toml": "[tool.pylint.main]\nload-plugins = ['x']\n"
                "[tool.pylint.format]\nmax-line-length = 'wide'\n"
            },
            {},
        ),
        ({"pyproject.toml": "[tool.black]\nline-length = 88\n"}, {}),
        ({"pyproject.toml": "tool = 1\n"}, {}),
        ({}, {}),
    ],
)
def test_settings_are_read_as_values(files: dict[str, str], want: dict[str, str]) -> None:
    assert settings(FakeTree({path: text.encode() for path, text in files.items()})) == want


def test_the_file_of_settings_may_be_named() -> None:
    tree = FakeTree(
        {"ci/rc": b"[x]\nmax-line-length=60\n", ".pylintrc": b"[x]\nmax-line-length=70\n"}
    )
    assert settings(tree, "ci/rc") == {"max-line-length": "60"}
    assert settings(tree, "none") == {}
