"""Calls that a log says meet another API than they were written for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from nightshift.sync.diagnose import diagnose
from nightshift.sync.fixes.cause import Failure, Trees
from nightshift.sync.fixes.changed_api import find, fix
from support.file_trees import FakeTree, as_it_is, tree

BODY = """\
        queue = [tensor]
        for item in queue:
            item.offload(group)
        return queue
"""
OLD = f"class Handler:\n    def group_commit(self, tensor, group):\n{BODY}"
NEW = OLD.replace("group_commit", "group_offload")
CALLER = "def drain(handler, tensor):\n    return handler.group_commit(tensor, 'all')\n"
LOST = "AttributeError: 'Handler' object has no attribute 'group_commit'"
TRACE = """\
Traceback (most recent call last):
  File "/w/tests/test_drain.py", line 3, in test_drain
    drain(Handler(), 1)
  File "/w/lib/caller.py", line 2, in drain
    return handler.group_commit(tensor, 'all')
"""


def told(line: str, trace: str = TRACE) -> Failure:
    (failure,) = diagnose(f"{trace}{line}\n")
    return failure


def world(merged: FakeTree, target: FakeTree, source: FakeTree, base: FakeTree) -> Trees:
    return Trees(merged, target, source, base=base)


def renamed(**more: str) -> Trees:
    """The target has renamed the method, the source has a caller of its old name."""
    base = tree(lib__handler=OLD)
    target = tree(lib__handler=NEW)
    source = tree(lib__handler=OLD, lib__caller=CALLER, **more)
    return world(tree(lib__handler=NEW, lib__caller=CALLER, **more), target, source, base)


def texts(failure: Failure, trees: Trees) -> dict[str, str]:
    changes = fix(failure, trees, as_it_is) or ()
    return {change.path: (change.data or b"").decode() for change in changes}


@pytest.mark.parametrize(
    ("line", "symbol", "module"),
    [
        (LOST, "group_commit", "Handler"),
        (f"E       {LOST}. Did you mean: 'x'?", "group_commit", "Handler"),
        ("AttributeError: type object 'A' has no attribute 'b'", "b", "A"),
        ("TypeError: A.b() got an unexpected keyword argument 'c'", "c", "A.b"),
        ("TypeError: f() missing 1 required positional argument: 'x'", "x", "f"),
        ("TypeError: f() missing 3 required positional arguments: 'x', 'y', and 'z'", "x", "f"),
        ("TypeError: f() missing 1 required keyword-only argument: 'x'", "x", "f"),
    ],
)
def test_what_pythons_words_say(line: str, symbol: str, module: str) -> None:
    assert find(line) == Failure("changed-api", symbol=symbol, module=module)


@pytest.mark.parametrize(
    "line",
    [
        "AttributeError: module 'a' has no attribute 'b'",
        "TypeError: 'int' object is not callable",
        "TypeError: f() takes 1 positional argument but 2 were given",
    ],
)
def test_what_is_not_its_own(line: str) -> None:
    assert find(line) is None


def test_a_renamed_method_whose_receiver_nobody_can_follow() -> None:
    assert texts(told(LOST), renamed()) == {
        "lib/caller.py": CALLER.replace("group_commit", "group_offload")
    }


def test_all_callers_at_once_where_nothing_else_has_the_name() -> None:
    found = texts(told(LOST), renamed(lib__other=CALLER))
    assert set(found) == {"lib/caller.py", "lib/other.py"}


def test_only_the_file_that_the_trace_names_where_something_else_has_it() -> None:
    other = "class Other:\n    def group_commit(self, tensor, group):\n        return group\n"
    assert set(texts(told(LOST), renamed(lib__x=CALLER, lib__other=other))) == {"lib/caller.py"}
    assert not texts(told(LOST, trace=""), renamed(lib__x=CALLER, lib__other=other))


PYTEST_LONG = """\
____________ test_drain ____________
tests/test_drain.py:3: in test_drain
    drain(Handler(), 1)

    def drain(handler, tensor):
>       return handler.group_commit(tensor, 'all')
"""
PYTEST_SHORT = """\
tests/test_drain.py:3: in test_drain
    drain(Handler(), 1)
lib/caller.py:2: in drain
    return handler.group_commit(tensor, 'all')
"""


@pytest.mark.parametrize(
    ("above", "below"), [(PYTEST_LONG, "\nlib/caller.py:2: AttributeError\n"), (PYTEST_SHORT, "")]
)
def test_where_pytest_says_that_it_was(above: str, below: str) -> None:
    other = "class Other:\n    def group_commit(self, tensor, group):\n        return group\n"
    (failure,) = diagnose(f"{above}E   {LOST}\n{below}")
    assert set(texts(failure, renamed(lib__x=CALLER, lib__other=other))) == {"lib/caller.py"}


def spoiled_by_two_candidates(trees: Trees) -> Trees:
    second = NEW + "\n    def group_commit_later(self, tensor, group):\n        return group\n"
    files = {**trees.merged.files, "lib/handler.py": second.encode()}  # type: ignore[attr-defined]
    return replace(trees, merged=FakeTree(files))


def spoiled_by_two_classes(trees: Trees) -> Trees:
    files = {**trees.merged.files, "lib/again.py": NEW.encode()}  # type: ignore[attr-defined]
    return replace(trees, merged=FakeTree(files))


def spoiled_by_another_signature(trees: Trees) -> Trees:
    new = NEW.replace("tensor, group)", "tensor, group, stream)")
    files = {**trees.merged.files, "lib/handler.py": new.encode()}  # type: ignore[attr-defined]
    return replace(trees, merged=FakeTree(files), target=FakeTree({"lib/handler.py": new.encode()}))


def spoiled_by_policy(trees: Trees) -> Trees:
    return replace(trees, guarded=lambda path: path == "lib/caller.py")


@pytest.mark.parametrize(
    "spoil",
    [
        spoiled_by_two_candidates,
        spoiled_by_two_classes,
        spoiled_by_another_signature,
        spoiled_by_policy,
    ],
)
def test_what_is_not_certain_is_left_to_people(spoil: Callable[[Trees], Trees]) -> None:
    assert not texts(told(LOST), spoil(renamed()))


def test_a_method_that_the_merge_dropped_comes_back() -> None:
    rest = "    def rest(self):\n        return 1\n"
    whole = f"{OLD}\n{rest}"
    gone = f"class Handler:\n{rest}"
    base = tree(lib__handler=gone)
    trees = world(
        tree(lib__handler=gone, lib__caller=CALLER),
        tree(lib__handler=whole, lib__caller=CALLER),
        tree(lib__handler=gone),
        base,
    )
    found = texts(told(LOST), trees)
    assert set(found) == {"lib/handler.py"}
    assert "def group_commit(self, tensor, group):" in found["lib/handler.py"]


INIT = "class Handler:\n    def init(self, size, {more}):\n        return size\n"
CALL = "def start(handler):\n    return handler.init(1{more})\n"
MISSING = "TypeError: Handler.init() missing 1 required positional argument: 'stream'"


def test_an_argument_that_the_other_side_hands_over() -> None:
    base = tree(lib__handler=INIT.format(more="*_"), lib__caller=CALL.format(more=""))
    target = tree(
        lib__handler=INIT.format(more="stream"), lib__caller=CALL.format(more=", stream=None")
    )
    source = tree(lib__handler=INIT.format(more="*_"), lib__caller=CALL.format(more=""))
    merged = tree(lib__handler=INIT.format(more="stream"), lib__caller=CALL.format(more=""))
    found = texts(told(MISSING), world(merged, target, source, base))
    assert found == {"lib/caller.py": CALL.format(more=", stream=None")}


def test_an_argument_of_which_nobody_knows_the_value() -> None:
    base = tree(lib__handler=INIT.format(more="*_"), lib__caller=CALL.format(more=""))
    target = tree(lib__handler=INIT.format(more="stream"))
    merged = tree(lib__handler=INIT.format(more="stream"), lib__caller=CALL.format(more=""))
    assert not texts(told(MISSING), world(merged, target, base, base))


CONFIG = "from dataclasses import dataclass\n\n\n@dataclass\nclass Config:\n    a: int = 1\n"
FIELD = "    stages: int = 0\n"
MAKE = "def make(kind):\n    return kind.Config(stages=2)\n"


def test_a_field_that_the_merge_dropped_comes_back() -> None:
    line = "TypeError: Config.__init__() got an unexpected keyword argument 'stages'"
    merged = tree(lib__config=CONFIG, lib__caller=MAKE)
    target = tree(lib__config=CONFIG + FIELD, lib__caller=MAKE)
    source = tree(lib__config=CONFIG)
    found = texts(told(line), world(merged, target, source, tree(lib__config=CONFIG)))
    assert found == {"lib/config.py": CONFIG + FIELD}
