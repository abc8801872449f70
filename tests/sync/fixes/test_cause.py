"""Overlays, and which file of the tree a log means."""

from __future__ import annotations

import pytest

from nightshift.effects.values import FileChange
from nightshift.sync.fixes.cause import Overlay, changed, locate, ours, read_text
from support.file_trees import FakeTree, tree, trees

TREE = FakeTree({"pkg/a.py": b"1", "a.py": b"2", "x/pkg/a.py": b"3"})


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("pkg/a.py", "pkg/a.py"),
        ("./pkg/a.py", "pkg/a.py"),
        ("/home/runner/work/r/r/pkg/a.py", "pkg/a.py"),
        ("/w/x/pkg/a.py", "x/pkg/a.py"),
        ("D:\\a\\r\\pkg\\a.py", "pkg/a.py"),
        ("/w/y/a.py", "a.py"),
        ("/w/b.py", None),
        ("", None),
    ],
)
def test_the_longest_tail_that_is_in_the_tree(path: str, found: str | None) -> None:
    assert locate(path, TREE.entries()) == found


def test_an_overlay_shows_changes_over_the_tree_below() -> None:
    overlay = Overlay(TREE, {"a.py": b"new", "pkg/a.py": None, "n.py": b"n"})
    assert set(overlay.entries()) == {"a.py", "x/pkg/a.py", "n.py"}
    assert [overlay.read(path) for path in ("a.py", "pkg/a.py", "n.py", "x/pkg/a.py")] == [
        b"new",
        None,
        b"n",
        b"3",
    ]
    assert set(TREE.entries()) == {"a.py", "pkg/a.py", "x/pkg/a.py"}


@pytest.mark.parametrize("data", [b"a\r\n", b"\xef\xbb\xbfa", b"\xff", None])
def test_texts_that_an_edit_would_harm_are_not_read(data: bytes | None) -> None:
    files = {} if data is None else {"a": data}
    assert read_text(FakeTree(files), "a") is None


def test_an_edit_that_changes_nothing_is_none() -> None:
    assert changed("a", "x", "x") is None
    assert changed("a", "x", "é") == (FileChange("a", "é".encode()),)


def test_a_file_is_ours_where_the_merge_changed_it() -> None:
    assert ours("a.py", trees(tree(a="1"), tree(a="2")))
    assert ours("a.py", trees(tree(a="1"), tree()))
    assert not ours("a.py", trees(tree(a="1"), tree(a="1")))
