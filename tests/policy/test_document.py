"""YAML to data with lines, and what is refused on the way."""

from __future__ import annotations

import pytest

from nightshift.errors import UserError, UserErrors
from nightshift.policy.document import Document, read


def problems(text: str) -> list[str]:
    """What is wrong with a text, each with its place."""
    with pytest.raises(UserError) as caught:
        read(text, name="p.yaml")
    error = caught.value
    each = error.errors if isinstance(error, UserErrors) else (error,)
    return [f"{one.where}: {one.what}" for one in each]


def document(text: str) -> Document:
    """A text that is well."""
    return read(text, name="p.yaml")


def test_values_and_lines() -> None:
    found = document("a: 1\nb:\n  - x\n  - {c: true}\n")
    assert found.data == {"a": 1, "b": ["x", {"c": True}]}
    assert [found.line(path) for path in (("a",), ("b",), ("b", 0), ("b", 1, "c"))] == [1, 2, 3, 4]
    assert found.place(("b", 1, "nowhere")) == "p.yaml:4: b.1.nowhere"


def test_anchors_aliases_and_merge_keys() -> None:
    text = (
        "x: &x [1, 2]\ny: *x\nbase: &b {k: 1, l: 2}\nz:\n  <<: *b\n  l: 3\nw:\n  <<: [*b, {m: 4}]\n"
    )
    found = document(text)
    assert found.data["y"] == [1, 2]
    assert found.data["z"] == {"k": 1, "l": 3} and found.data["w"] == {"k": 1, "l": 2, "m": 4}
    assert found.line(("y",)) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "p.yaml: the file is empty."),
        ("# only\n", "p.yaml: the file is empty."),
        ("a: 1\nb: 2\na: 3\n", "p.yaml:3: a: this key is given twice."),
        ("a:\n  b: {c: 1,\n    c: 2}\n", "p.yaml:3: a.b.c: this key is given twice."),
        ("a: &x\n  b: *x\n", "p.yaml:2: a.b: an alias stands inside its own anchor."),
        ("a: [&x [*x]]\n", "p.yaml:1: a.0.0: an alias stands inside its own anchor."),
        ("a:\n  <<: 3\n", "p.yaml:2: a.<<: `<<` takes an alias of a mapping, or a list of them."),
        ("a:\n  ? [b]\n  : 1\n", "p.yaml:1: a: a key must be a word."),
        ("a: !!python/object:os.system x\n", "p.yaml:1: a: this value cannot be read."),
        ("a: !mine x\n", "p.yaml:1: a: this value cannot be read."),
        ("a: 2001-99-99\n", "p.yaml:1: a: this value cannot be read."),
    ],
)
def test_what_is_refused(text: str, expected: str) -> None:
    assert problems(text) == [expected]


@pytest.mark.parametrize(
    "text", ["a: [\n", "a: b: c\n", "\tx: 1\n", "a: 1\n---\nb: 2\n", "a: \x07\n", "*x\n"]
)
def test_what_is_no_yaml(text: str) -> None:
    (problem,) = problems(text)
    assert "cannot be read as YAML" in problem


def test_several_problems_at_once() -> None:
    assert len(problems("a: 1\na: 2\nb: !x 1\nb: 3\n")) == 3


def test_small_texts_do_not_grow_large() -> None:
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 8)}]" for n in range(1, 9)]
    (problem,) = problems("\n".join(lines))
    assert "more than" in problem


def test_deep_texts_do_not_crash() -> None:
    (problem,) = problems("a: " + "[" * 5000 + "]" * 5000)
    assert "nested too deeply" in problem
