"""A file in the repository's style, where it is ours to mend."""

from __future__ import annotations

from nightshift.effects.values import FileChange
from nightshift.sync.fixes.cause import Failure
from nightshift.sync.fixes.formatting import fix
from support.file_trees import as_it_is, stripped, tree, trees

FAILURE = Failure("formatting", path="/w/pkg/a.py")


def test_the_formatter_writes_the_file() -> None:
    world = trees(tree(pkg__a="x = 1 \n"), tree(pkg__a="x = 0\n"))
    assert fix(FAILURE, world, stripped) == (FileChange("pkg/a.py", b"x = 1\n"),)


def test_no_edit_where_nothing_is_certain() -> None:
    same = tree(pkg__a="x = 1 \n")
    assert fix(FAILURE, trees(same, same), stripped) is None
    assert fix(FAILURE, trees(tree(b="x \n"), tree()), stripped) is None
    assert fix(FAILURE, trees(same, tree()), as_it_is) is None
