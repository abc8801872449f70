"""A name or module that the merge dropped is brought back from the side that has it."""

from __future__ import annotations

import pytest

from nightshift.effects.values import FileChange
from nightshift.sync.fixes.cause import Failure
from nightshift.sync.fixes.import_name import fix
from support.file_trees import FakeTree, as_it_is, stripped, tree, trees

NAME = Failure("import-name", symbol="gather", module="pkg.ops")
GATHER = "def gather():\n    return 1\n"
REST = "def rest():\n    return 2\n"


def test_the_function_comes_back_from_the_target() -> None:
    world = trees(tree(pkg__ops=REST), tree(pkg__ops=f"{GATHER}\n\n{REST}"), tree(pkg__ops=REST))
    assert fix(NAME, world, as_it_is) == (FileChange("pkg/ops.py", f"{GATHER}\n\n{REST}".encode()),)


def test_or_from_the_source() -> None:
    world = trees(tree(pkg__ops=REST), tree(pkg__ops=REST), tree(pkg__ops=f"{REST}\n\n{GATHER}"))
    (change,) = fix(NAME, world, as_it_is) or ()
    assert change.data == f"{REST}\n\n{GATHER}".encode()


def test_both_sides_must_agree_where_both_have_it() -> None:
    other = GATHER.replace("1", "3")
    world = trees(tree(pkg__ops=REST), tree(pkg__ops=GATHER), tree(pkg__ops=other))
    assert fix(NAME, world, as_it_is) is None
    world = trees(tree(pkg__ops=REST), tree(pkg__ops=GATHER), tree(pkg__ops=GATHER))
    assert fix(NAME, world, as_it_is) is not None


def test_the_file_is_formatted_if_it_was_in_style_before() -> None:
    side = tree(pkg__ops=GATHER.replace("1", "1 "))
    (change,) = fix(NAME, trees(tree(pkg__ops=REST), side), stripped) or ()
    assert b"1 " not in (change.data or b"")
    (change,) = fix(NAME, trees(tree(pkg__ops=f"{REST}x = 1 \n"), side), stripped) or ()
    assert b"1 " in (change.data or b"")


@pytest.mark.parametrize("path", ["pkg/ops.py", "pkg/ops/__init__.py", "src/pkg/ops.py"])
def test_a_module_is_a_file_or_a_package_also_below_a_source_folder(path: str) -> None:
    world = trees(FakeTree({path: REST.encode()}), FakeTree({path: GATHER.encode()}))
    (change,) = fix(NAME, world, as_it_is) or ()
    assert change.path == path


def test_a_module_of_two_files_is_not_certain_but_the_top_one_wins() -> None:
    merged = FakeTree({"a/pkg/ops.py": REST.encode(), "b/pkg/ops.py": REST.encode()})
    side = FakeTree({"a/pkg/ops.py": GATHER.encode(), "b/pkg/ops.py": GATHER.encode()})
    assert fix(NAME, trees(merged, side), as_it_is) is None
    merged = FakeTree({"a/pkg/ops.py": REST.encode(), "pkg/ops.py": REST.encode()})
    side = FakeTree({"a/pkg/ops.py": GATHER.encode(), "pkg/ops.py": GATHER.encode()})
    (change,) = fix(NAME, trees(merged, side), as_it_is) or ()
    assert change.path == "pkg/ops.py"


def test_a_module_that_the_merge_dropped_comes_back_whole() -> None:
    module = Failure("import-name", module="pkg.extra")
    side = tree(pkg__ops=REST, pkg__extra="x = 1\n")
    for world in (trees(tree(pkg__ops=REST), side), trees(tree(pkg__ops=REST), tree(), side)):
        assert fix(module, world, as_it_is) == (FileChange("pkg/extra.py", b"x = 1\n"),)
    submodule = Failure("import-name", symbol="extra", module="pkg")
    assert fix(submodule, trees(tree(pkg__ops=REST), side), as_it_is) is not None


def test_a_module_that_no_side_has_or_that_is_there_is_nobodys_to_restore() -> None:
    module = Failure("import-name", module="torch")
    assert fix(module, trees(tree(pkg__ops=REST), tree(pkg__ops=REST)), as_it_is) is None
    there = tree(pkg__extra="x = 1\n")
    module = Failure("import-name", module="pkg.extra")
    assert fix(module, trees(there, tree(pkg__extra="x = 2\n")), as_it_is) is None


def test_sides_that_disagree_about_a_module_leave_it_to_a_person() -> None:
    module = Failure("import-name", module="pkg.extra")
    world = trees(tree(), tree(pkg__extra="x = 1\n"), tree(pkg__extra="x = 2\n"))
    assert fix(module, world, as_it_is) is None


def test_files_that_an_edit_would_harm_are_left_alone() -> None:
    merged = FakeTree({"pkg/ops.py": REST.replace("\n", "\r\n").encode()})
    assert fix(NAME, trees(merged, tree(pkg__ops=GATHER)), as_it_is) is None
