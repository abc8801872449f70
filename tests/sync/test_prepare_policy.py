"""Policy acts on the trees after the merge, on what one side alone changed too."""

from __future__ import annotations

from pathlib import Path

import pytest

from nightshift.policy.model import Severity
from support.candidates import merged, sync_policy
from support.repos import Content, Executable

BODY = "".join(f"line {n}\n" for n in range(12))


TARGET_WINS: list[tuple[str, dict[str, Content], dict[str, Content], dict[str, Content]]] = [
    ("both changed", {"p": "0\n"}, {"p": "target\n"}, {"p": "source\n"}),
    ("only the source changed", {"p": "0\n"}, {"x": "1\n"}, {"p": "source\n"}),
    ("both changed far apart", {"p": BODY}, {"p": "top\n" + BODY}, {"p": BODY + "end\n"}),
    ("the source added it", {}, {"x": "1\n"}, {"p": "source\n"}),
    ("the source deleted it", {"p": "0\n"}, {"x": "1\n"}, {"p": None}),
    ("the target deleted it", {"p": "0\n"}, {"p": None}, {"p": "source\n"}),
    ("the source renamed it", {"p": BODY}, {"x": "1\n"}, {"p": None, "q": BODY}),
    ("the source changed its mode", {"p": "0\n"}, {"x": "1\n"}, {"p": Executable("0\n")}),
    ("bytes that are no text", {"p": b"\0"}, {"p": b"\0\1\r\n"}, {"p": b"\0\2"}),
]


@pytest.mark.parametrize("name", ["never-touch", "always-target"])
@pytest.mark.parametrize("case", TARGET_WINS, ids=[case[0] for case in TARGET_WINS])
def test_guarded_paths_are_the_targets_byte_for_byte(
    tmp_path: Path,
    name: str,
    case: tuple[str, dict[str, Content], dict[str, Content], dict[str, Content]],
) -> None:
    _, base, target, source = case
    base = {"other": "0\n", **base}
    made = merged(tmp_path, base, target, source, sync_policy(paths={name: ["/p"]}))
    want = {**base, **target}.get("p")
    have = made.tree.get("p")
    assert have == (want.encode() if isinstance(want, str) else want)
    assert made.modes.get("p", "100644") == "100644"
    assert not made.candidate.blocking


def test_always_source_holds_for_what_only_the_target_changed(tmp_path: Path) -> None:
    policy = sync_policy(paths={"always-source": ["/p", "/q"]})
    made = merged(
        tmp_path,
        {"p": "0\n", "q": "0\n"},
        {"p": "target\n", "q": "target\n"},
        {"q": "source\n"},
        policy,
    )
    assert (made.tree["p"], made.tree["q"]) == (b"0\n", b"source\n")
    assert made.candidate.taken_from_source == ("p", "q")


def test_always_source_deletes_nothing_blindly(tmp_path: Path) -> None:
    policy = sync_policy(paths={"always-source": ["/p"]})
    for number, target in enumerate(({"p": "target\n"}, {"x": "1\n"})):
        made = merged(tmp_path / str(number), {"p": "0\n", "o": "0\n"}, target, {"p": None}, policy)
        assert made.tree["p"] == target.get("p", "0\n").encode()
        (finding,) = made.findings("always-source-lacks-file")
        assert finding.evidence and finding.severity is Severity.WARN


def test_always_source_leaves_a_file_that_only_the_target_ever_had(tmp_path: Path) -> None:
    policy = sync_policy(paths={"always-source": ["/lib/"]})
    made = merged(tmp_path, {"o": "0\n"}, {"lib/p": "target\n"}, {"lib/q": "source\n"}, policy)
    assert made.tree["lib/p"] == b"target\n" and made.tree["lib/q"] == b"source\n"
    assert not made.candidate.findings


@pytest.mark.parametrize(
    ("name", "want"), [("whole-source", b"source"), ("whole-target", b"target")]
)
def test_whole_files_are_not_merged_by_line_even_where_git_could(
    tmp_path: Path, name: str, want: bytes
) -> None:
    policy = sync_policy(paths={name: ["*.json"]})
    target, source = BODY.replace("line 0", "target"), BODY.replace("line 11", "source")
    made = merged(tmp_path, {"p.json": BODY}, {"p.json": target}, {"p.json": source}, policy)
    assert made.tree["p.json"] == (target if want == b"target" else source).encode()


def test_whole_files_that_one_side_changed_come_out_as_that_side_has_them(tmp_path: Path) -> None:
    policy = sync_policy(paths={"whole-source": ["*.json"]})
    made = merged(tmp_path, {"p.json": "0\n"}, {"p.json": "target\n"}, {"x": "1\n"}, policy)
    assert made.tree["p.json"] == b"target\n"


def test_one_sided_changes_come_out_byte_for_byte(tmp_path: Path) -> None:
    made = merged(
        tmp_path,
        {"t": "0\n", "s": "0\n", "gone-t": "0\n", "gone-s": "0\n", "crlf": b"a\r\nb\r\n"},
        {"t": b"\xef\xbb\xbfno newline", "gone-t": None, "new-t": b"\xff\xfe"},
        {"s": Executable("run\n"), "gone-s": None, "crlf": b"a\r\nc\r\n", "with space\n.txt": "x"},
    )
    assert made.tree == {
        "t": b"\xef\xbb\xbfno newline",
        "s": b"run\n",
        "new-t": b"\xff\xfe",
        "crlf": b"a\r\nc\r\n",
        "with space\n.txt": b"x",
    }
    assert made.modes["s"] == "100755"
    assert not made.candidate.resolutions


def test_each_decision_of_policy_is_in_the_ledger(tmp_path: Path) -> None:
    policy = sync_policy(paths={"never-touch": ["/p"], "always-source": ["/q"]})
    made = merged(
        tmp_path,
        {"p": "0\n", "q": "0\n"},
        {"p": "t\n", "q": "t\n"},
        {"p": "s\n", "q": "s\n"},
        policy,
    )
    assert made.notes("p") == ["policy target: never-touch"]
    assert made.notes("q") == ["policy source: always-source"]
    assert made.candidate.kept_from_target == ("p",)
    assert made.candidate.taken_from_source == ("q",)


TARGET_FILE = '''"""Schedules of the target."""

from typing import List, Optional


class Packing:
    """The target's own."""

    parts: List[int] = []
    size: Optional[int] = None
'''
SOURCE_FILE = '''"""Schedules of the source."""

from typing import Any

from pkg.balance import Balanced

LIMIT = 3


def helper(value: Any) -> Any:
    return value


# Wraps what is loaded.
class Wrapper(Balanced):
    """Main's."""

    def get(self) -> Any:
        return helper(LIMIT)


class Unwanted:
    pass
'''


def test_append_keeps_the_targets_file_and_adds_a_definition_with_all_that_it_needs(
    tmp_path: Path,
) -> None:
    policy = sync_policy(paths={"append": [{"path": "s.py", "definitions": ["Wrapper"]}]})
    made = merged(
        tmp_path, {"s.py": "x = 1\n"}, {"s.py": TARGET_FILE}, {"s.py": SOURCE_FILE}, policy
    )
    text = made.tree["s.py"].decode()
    head, _, tail = text.partition("class Packing:")
    assert "from pkg.balance import Balanced\n" in head and "from typing import Any\n" in head
    assert tail.startswith(TARGET_FILE.partition("class Packing:")[2].rstrip())
    assert (
        "LIMIT = 3" in tail
        and "def helper" in tail
        and "# Wraps what is loaded.\nclass Wrapper" in tail
    )
    assert "Unwanted" not in text
    compile(text, "s.py", "exec")
    assert made.notes("s.py") == ["policy both: append: Any, Balanced, LIMIT, helper, Wrapper"]


def test_append_says_what_it_could_not_add(tmp_path: Path) -> None:
    policy = sync_policy(paths={"append": [{"path": "s.py", "definitions": ["Gone"]}]})
    made = merged(
        tmp_path, {"s.py": "x = 1\n"}, {"s.py": TARGET_FILE}, {"s.py": SOURCE_FILE}, policy
    )
    assert made.tree["s.py"] == TARGET_FILE.encode()
    (finding,) = made.findings("append-incomplete")
    assert "Gone" in finding.message


def test_append_adds_nothing_that_is_there(tmp_path: Path) -> None:
    policy = sync_policy(paths={"append": [{"path": "s.py", "definitions": ["Packing"]}]})
    made = merged(
        tmp_path, {"s.py": "x = 1\n"}, {"s.py": TARGET_FILE}, {"s.py": SOURCE_FILE}, policy
    )
    assert made.tree["s.py"] == TARGET_FILE.encode() and not made.candidate.findings


@pytest.mark.parametrize("target", [TARGET_FILE, "x = 1\n"], ids=["changed", "unchanged"])
def test_append_keeps_a_file_that_the_source_deleted(tmp_path: Path, target: str) -> None:
    policy = sync_policy(paths={"append": [{"path": "s.py", "definitions": ["Wrapper"]}]})
    base: dict[str, Content] = {"s.py": "x = 1\n", "o": "0\n"}
    made = merged(tmp_path, base, {"s.py": target, "t": "1\n"}, {"s.py": None}, policy)
    assert made.tree["s.py"] == target.encode()


def test_append_has_nothing_to_say_of_a_file_that_only_the_target_changed(tmp_path: Path) -> None:
    policy = sync_policy(paths={"append": [{"path": "s.py", "definitions": ["x"]}]})
    made = merged(
        tmp_path, {"s.py": "x = 1\n"}, {"s.py": TARGET_FILE + "x = 1\n"}, {"o": "1\n"}, policy
    )
    assert not made.candidate.resolutions


def test_a_lesson_prefers_the_targets_file_where_both_changed_it(tmp_path: Path) -> None:
    lesson = {"path": "p", "take": "target", "when": "both-changed", "why": "many callers"}
    policy = sync_policy(paths={"lessons": [lesson]})
    both = merged(tmp_path / "1", {"p": BODY}, {"p": "t\n" + BODY}, {"p": BODY + "s\n"}, policy)
    assert both.tree["p"] == ("t\n" + BODY).encode()
    assert both.notes("p") == ["policy target: lesson: many callers"]
    one = merged(tmp_path / "2", {"p": BODY}, {"x": "1\n"}, {"p": BODY + "s\n"}, policy)
    assert one.tree["p"] == (BODY + "s\n").encode()
