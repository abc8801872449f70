"""What must hold of a tree before it is pushed."""

from __future__ import annotations

import pytest

from nightshift.policy.model import Severity
from nightshift.policy.sync import Invariants, PathRules
from nightshift.sync.findings import Disposition, Finding, blocking
from nightshift.sync.invariants import check, restorations
from nightshift.sync.paths import PathPolicy
from support.file_trees import FakeTree

RULES = PathRules.model_validate(
    {"never-touch": ["/CODEOWNERS"], "always-target": ["/pyproject.toml", "/uv.lock"]}
)
POLICY = PathPolicy(RULES)
TARGET = {"CODEOWNERS": b"* @target\n", "pyproject.toml": b"a = 1\n", "m.py": b"x = 1\n"}
SOURCE = {"CODEOWNERS": b"* @source\n", "pyproject.toml": b"a = 2\n", "m.py": b"x = 2\n"}
MARKED = b"<<<<<<< one\nx = 1\n=======\nx = 2\n>>>>>>> two\n"


def broken(
    merged: dict[str, bytes],
    *,
    allowed: tuple[str, ...] = (),
    target: dict[str, bytes] | None = None,
    source: dict[str, bytes] | None = None,
    **severities: Severity,
) -> list[tuple[str, str, str]]:
    """(rule, severity, path) of each finding on a tree."""
    found = check(
        POLICY,
        Invariants(**severities),
        merged=FakeTree(merged),
        target=FakeTree(TARGET if target is None else target),
        source=FakeTree(SOURCE if source is None else source),
        allowed=allowed,
    )
    return [(item.rule, item.severity.value, item.path) for item in found]


def test_nothing_is_wrong_with_the_targets_own_tree() -> None:
    assert not broken(TARGET)


@pytest.mark.parametrize("data", [b"* @source\n", b"* @target", None])
def test_a_path_that_is_never_touched_stops_the_push_whatever_policy_says(
    data: bytes | None,
) -> None:
    merged = {path: text for path, text in TARGET.items() if path != "CODEOWNERS"}
    merged |= {"CODEOWNERS": data} if data is not None else {}
    off = {"always_target": Severity.OFF, "markers": Severity.OFF, "parse": Severity.OFF}
    assert broken(merged, **off) == [("never-touch", "abort", "CODEOWNERS")]


def test_a_path_that_is_never_touched_must_not_appear() -> None:
    target = {path: text for path, text in TARGET.items() if path != "CODEOWNERS"}
    assert broken(TARGET, target=target) == [("never-touch", "abort", "CODEOWNERS")]


@pytest.mark.parametrize("severity", list(Severity))
def test_always_target_is_as_severe_as_policy_says(severity: Severity) -> None:
    found = broken({**TARGET, "pyproject.toml": b"a = 2\n"}, always_target=severity)
    want = [("always-target", severity.value, "pyproject.toml")]
    assert found == ([] if severity is Severity.OFF else want)


def test_a_change_on_purpose_is_allowed() -> None:
    merged = {**TARGET, "pyproject.toml": b"a = 3\n", "uv.lock": b"lock\n"}
    assert not broken(merged, allowed=("pyproject.toml", "uv.lock"))


def test_markers_that_neither_side_has() -> None:
    assert broken({**TARGET, "m.txt": MARKED}) == [("conflict-marker", "abort", "m.txt")]
    documented = {**SOURCE, "m.txt": MARKED}
    assert not broken({**TARGET, "m.txt": MARKED + b"more\n"}, source=documented)


def test_a_file_that_does_not_parse_any_more() -> None:
    merged = {**TARGET, "m.py": b"x = (\n", "new.py": b"def\n"}
    assert broken(merged) == [
        ("does-not-parse", "abort", "m.py"),
        ("does-not-parse", "abort", "new.py"),
    ]
    assert broken(merged, parse=Severity.OFF) == []


def test_a_file_that_no_side_could_parse_is_not_the_merges_fault() -> None:
    template = b"x = {{ cookiecutter }} (\n"
    target, source = {**TARGET, "t.py": template}, {**SOURCE, "t.py": template + b"#\n"}
    assert not broken({**TARGET, "t.py": template + b"# more\n"}, target=target, source=source)
    assert not broken({**TARGET, "t.py": template + b"#\n"}, target=target, source=source)


def test_bytes_that_python_takes() -> None:
    merged = {"m.py": b"\xef\xbb\xbfx = 1\r\n", "l.py": b"# -*- coding: latin-1 -*-\nx = '\xe9'\n"}
    assert not broken({**TARGET, **merged})


def test_restorations_bring_back_what_is_never_touched() -> None:
    merged = FakeTree({**TARGET, "CODEOWNERS": b"edited\n", "pyproject.toml": b"a = 9\n"})
    target = FakeTree(TARGET)
    assert restorations(POLICY, merged=merged, target=target) == {
        "CODEOWNERS": target.entries()["CODEOWNERS"]
    }
    nowhere = FakeTree({})
    assert restorations(POLICY, merged=merged, target=nowhere) == {"CODEOWNERS": None}


def test_what_blocks_is_open_and_severe() -> None:
    severe = Finding("r", Severity.ABORT, "p", "words")
    settled = Finding("r", Severity.ABORT, "p", "words", disposition=Disposition.RESTORED)
    assert blocking([severe, settled, Finding("r", Severity.WARN, "p", "words")]) == (severe,)
