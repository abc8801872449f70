"""Several edits in one, each on what the ones before made."""

from __future__ import annotations

from nightshift.effects.values import FileChange
from nightshift.policy.model import Severity
from nightshift.sync.findings import Finding
from nightshift.sync.fixes.cause import Failure
from nightshift.sync.repair import Repair, plan
from support.file_trees import stripped, tree, trees

FORMAT = Failure("formatting", path="a.py")
IMPORT = Failure("import-name", symbol="g", module="a")
TEST = Failure("test", path="t.py", symbol="t.py::t")
SIDE = tree(a="def f(): ...\n\n\ndef g(): ...\n")


def test_two_failures_of_one_file_are_mended_together() -> None:
    world = trees(tree(a="def f(): ... \n"), SIDE)
    repair = plan([FORMAT, IMPORT, TEST], world, stripped)
    assert repair.changes == (FileChange("a.py", b"def f(): ...\n\n\ndef g(): ...\n"),)
    assert repair.mended == (FORMAT, IMPORT)
    assert repair.left == (TEST,)
    assert repair.may_push


def test_nothing_to_mend() -> None:
    assert plan([], trees(SIDE, SIDE), stripped) == Repair()
    assert not plan([TEST], trees(SIDE, SIDE), stripped).may_push


def test_a_broken_invariant_forbids_the_push_and_a_warning_does_not() -> None:
    change = (FileChange("a.py", b""),)
    abort = Finding("parse", Severity.ABORT, "a.py", "")
    warn = Finding("parse", Severity.WARN, "a.py", "")
    assert not Repair(change, broken=(abort,)).may_push
    assert Repair(change, broken=(warn,)).may_push
