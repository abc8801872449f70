"""Names that git may see, and those that it may not."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightshift.errors import UserError
from nightshift.refs import check_name, is_abbreviation, is_commit_id, is_ref_name

GOOD = ["main", "dev", "feature/x", "main2dev/01_02_2026", "release-1.0", "a@b", "ünicode", "a.b"]
BAD = [
    "",
    "-option",
    "--upload-pack=touch x",
    "a..b",
    "a b",
    "a~1",
    "a^",
    "a:b",
    "a?",
    "a*",
    "a[b",
    "a\\b",
    "a@{1}",
    "@",
    "HEAD",
    "/a",
    "a/",
    "a//b",
    ".a",
    "a/.b",
    "a.lock",
    "a.lock/b",
    "a.",
    "a\nb",
    "a\x7f",
    "x" * 300,
]


@pytest.mark.parametrize("name", GOOD)
def test_takes_what_git_takes(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize("name", BAD)
def test_refuses_options_and_bad_names(name: str) -> None:
    with pytest.raises(UserError) as caught:
        check_name(name, where="input source")
    assert caught.value.where == "input source"
    assert caught.value.mend


def test_an_error_shows_control_characters_escaped() -> None:
    with pytest.raises(UserError) as caught:
        check_name("a\n::set-output name=x::y")
    assert "\n" not in caught.value.what


@given(st.text(alphabet=st.characters(max_codepoint=0x2FF), max_size=12))
def test_never_takes_what_git_refuses(name: str) -> None:
    if is_ref_name(name):
        command = ["git", "check-ref-format", "--branch", name]
        assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_tells_commit_ids() -> None:
    assert is_commit_id("a" * 40) and not is_commit_id("a" * 39) and not is_commit_id("G" * 40)
    assert (
        is_abbreviation("abcdef1") and not is_abbreviation("abcdef") and not is_abbreviation("a..b")
    )
