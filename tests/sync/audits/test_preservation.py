"""What is lost, what has only moved, what was edited, and what was meant."""

from __future__ import annotations

import pytest

from nightshift.merge.cascade import Past
from nightshift.policy.model import Side
from nightshift.sync.audits.preservation.atoms import Atom, Kind, atoms
from nightshift.sync.audits.preservation.compare import AtomsCache, Loss, Merge, find_losses
from nightshift.sync.audits.preservation.intent import removed_by
from nightshift.sync.audits.preservation.losses import FileAtoms
from support.trees import Tree

NOTHING = FileAtoms({}, {}, {}, {})
BODY = "def run(a):\n    x = first(a)\n    return x\n"


def _losses(base: str, own: str, other: str, merged: str, path: str = "lib/a.py") -> list[Loss]:
    trees = (Tree({path: text}) for text in (base, own, other, merged))
    return find_losses(Merge(*trees), Side.TARGET, AtomsCache(), lambda _: False)


def _said(losses: list[Loss]) -> list[tuple[str, str]]:
    return [(loss.rule, loss.atom.name if loss.atom else "") for loss in losses]


LOST = {
    "definition": (BODY + "\n\ndef more(b):\n    return b\n", [("lost-definition", "more")]),
    "parameter": (BODY.replace("(a):", "(a, b=1):"), [("lost-parameter", "b")]),
    "keyword": (BODY.replace("first(a)", "first(a, key=1)"), [("lost-keyword", "first(key=)")]),
    "call": (BODY.replace("    return", "    notify(x)\n    return"), [("lost-call", "notify")]),
    "field": ("class A:\n    size: int = 1\n\n\n" + BODY, [("lost-definition", "A")]),
    "line": (
        BODY.replace("    return", "    x += 1 + a\n    return"),
        [("lost-lines", "x + = 1 + a")],
    ),
}


@pytest.mark.parametrize("name", LOST)
def test_each_kind_of_thing_is_named_once(name: str) -> None:
    own, expected = LOST[name]
    other = BODY + "\n\nLIMIT = 10\n"
    assert _said(_losses(BODY, own, other, other)) == expected


def test_a_field_of_a_class_that_stayed() -> None:
    plain = "class A:\n    size: int = 1\n"
    own, other = plain + "    depth: int = 2\n", plain.replace("1", "3")
    assert _said(_losses(plain, own, other, other)) == [("lost-field", "depth")]


def test_what_the_base_had_is_the_other_sides_to_drop() -> None:
    assert not _losses(BODY + "\n\nLIMIT = 1\n", BODY + "\n\nLIMIT = 1\n# dev\n", BODY, BODY)


def test_a_line_that_both_edited_is_no_loss() -> None:
    own = BODY.replace("first(a)", "first(a) or second(a)")
    other = BODY.replace("first(a)", "third(a)")
    assert _said(_losses(BODY, own, other, other)) == [("lost-call", "second")]
    value = "LIMIT = 10\n"
    assert not _losses(value, "LIMIT = 20 * scale\n", "LIMIT = 30\n", "LIMIT = 30\n")


def test_a_whole_file_is_one_loss() -> None:
    trees = (Tree({}), Tree({"lib/a.py": BODY}), Tree({"b.py": ""}), Tree({"b.py": ""}))
    (loss,) = find_losses(Merge(*trees), Side.TARGET, AtomsCache(), lambda _: False)
    assert (loss.rule, loss.message) == ("lost-file", "the target's file is gone")


def test_a_renamed_file_is_no_loss() -> None:
    trees = (Tree({}), Tree({"lib/a.py": BODY}), Tree({}), Tree({"lib/b.py": BODY}))
    assert not find_losses(Merge(*trees), Side.TARGET, AtomsCache(), lambda _: False)


def test_paths_that_policy_gives_away_are_not_looked_at() -> None:
    trees = (
        Tree({"a.py": BODY}),
        Tree({"a.py": BODY + "X = 1234\n"}),
        Tree({}),
        Tree({"a.py": BODY}),
    )
    assert not find_losses(Merge(*trees), Side.TARGET, AtomsCache(), lambda path: path == "a.py")


def test_a_document_loses_its_section_and_not_its_layout() -> None:
    base = "# Guide\n\nSome words on it.\n"
    own = base + "\n## Packing\n\n  How sequences   are packed.\n"
    assert _said(_losses(base, own, base + "\nMore words.\n", base, "docs/a.md")) == [
        ("lost-section", "Packing"),
        ("lost-lines", "How sequences are packed."),
    ]
    merged = base + "\n## Packing\n\nHow sequences are packed.\n"
    assert not _losses(base, own, base + "\nMore words.\n", merged, "docs/a.md")


def test_a_file_that_does_not_parse_has_no_atoms() -> None:
    assert atoms("a.py", b"def f(:\n") is None
    assert atoms("a.bin", b"\0\1") is None
    assert atoms("a.py", None) == {}


def test_the_commit_that_removed_a_thing_is_the_evidence() -> None:
    atom = Atom(Kind.DEFINITION, "", "more")
    more = (BODY + "\n\ndef more(b):\n    return b\n").encode()
    past = [Past("c3", BODY.encode()), Past("c2", BODY.encode()), Past("c1", more)]
    assert removed_by("a.py", atom, past, NOTHING) == "c2"
    assert removed_by("a.py", atom, past[:2], NOTHING) is None
    assert removed_by("a.py", atom, [Past("c1", more)], NOTHING) is None


def test_what_stood_in_a_function_that_the_other_side_removed_was_meant() -> None:
    base = atoms("a.py", BODY.encode()) or {}
    inside = Atom(Kind.CALL, "run", "notify")
    past = [Past("c2", b"X = 1\n"), Past("c1", BODY.encode())]
    assert removed_by("a.py", inside, past, FileAtoms({}, base, {}, {})) == "c2"
    assert removed_by("a.py", inside, past, FileAtoms({}, base, base, {})) is None


def test_an_edited_form_of_a_line_that_the_other_side_removed_was_meant() -> None:
    base, own, other = (
        atoms("a.py", f"def run(a):\n{line}    return a\n".encode()) or {}
        for line in ("    total += first + a\n", "    total += first + a + more\n", "")
    )
    (line,) = (atom for atom in own if atom.name.startswith("total"))
    past = [Past("c2", b"def run(a):\n    return a\n")]
    assert removed_by("a.py", line, past, FileAtoms(own, base, other, {})) == "c2"
    assert removed_by("a.py", line, past, FileAtoms(own, base, base, {})) is None


def test_a_comment_at_the_end_of_a_line_is_not_the_line() -> None:
    base = BODY.replace("    return", "    x += '#' + a\n    return")
    own = base.replace("+ a\n", "+ a  # pylint: disable=all\n")
    assert not _losses(base, own, BODY, BODY)


def test_another_value_of_a_key_and_a_comment_of_a_configuration_are_no_losses() -> None:
    own = "run:\n  # a word on it\n  --vocab-file: ${DATA}/vocab.txt\n"
    merged = "run:\n  --vocab-file: elsewhere/common/words.txt\n"
    assert not _losses("run:\n", own, merged, merged, "lib/a.yaml")
    assert _losses("run:\n", own, "run:\n", "run:\n", "lib/a.yaml")


def test_an_edited_line_of_a_script_and_a_parameter_that_goes_on_are_no_losses() -> None:
    own = "BASE_SHA=$(git merge-base origin/main HEAD)\n"
    merged = 'BASE_SHA=$(git merge-base origin/main HEAD 2>/dev/null || echo "")\n'
    assert not _losses("set -e\n", own, merged, merged, "run.sh")
    own, merged = BODY.replace("(a)", "(a, tp_cp)"), BODY.replace("(a)", "(a, tp_cp_sp)")
    assert not _losses(BODY, own, merged, merged)
