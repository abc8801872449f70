"""Laws that hold for any three texts."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nightshift.merge.cascade import FileConflict, Options, merge_file
from nightshift.policy.model import Side
from support.merging import merge

PATHS = st.sampled_from(["a.py", "a.md", "a.yaml", "a.toml", "a.json", "a.sh", "a.unknown"])
LINE = st.sampled_from(
    [
        "import os",
        "from m import a, b",
        "from m import (\n    a,\n    c,\n)",
        "x = 1",
        "x = call(1, two=2)",
        "def f():\n    return x",
        "def g(a, b):\n    y = a\n    return y + b",
        "class C:\n    a: int = 1\n\n    def m(self):\n        return self.a",
        "if x:\n    y = 2",
        "try:\n    import fast\nexcept ImportError:\n    fast = None",
        "# a comment",
        "",
        "key: value",
        "[table]",
        "# Heading",
        "- item",
    ]
)
TEXT = st.lists(LINE, max_size=8).map(lambda lines: "\n".join(lines) + ("\n" if lines else ""))
RAW = st.one_of(
    TEXT, st.text(alphabet="ab \n\r\t#'\"():=\ufeff\x0c", max_size=40), st.text(max_size=30)
)
WINS = st.sampled_from(["source", "target"])


@given(TEXT, TEXT, PATHS, WINS)
def test_only_the_target_changed(base: str, target: str, path: str, wins: str) -> None:
    assert merge(base, target, base, path=path, wins=wins) == target


@given(TEXT, TEXT, PATHS, WINS)
def test_only_the_source_changed(base: str, source: str, path: str, wins: str) -> None:
    assert merge(base, base, source, path=path, wins=wins) == source


@given(TEXT, TEXT, PATHS, WINS)
def test_both_changed_alike(base: str, side: str, path: str, wins: str) -> None:
    assert merge(base, side, side, path=path, wins=wins) == side


@given(TEXT, TEXT, TEXT, PATHS)
def test_the_same_every_time(base: str, target: str, source: str, path: str) -> None:
    assert merge(base, target, source, path=path) == merge(base, target, source, path=path)


@given(
    *[st.binary(max_size=60) | RAW.map(lambda t: t.encode("utf-8", "surrogateescape"))] * 3, PATHS
)
def test_no_input_crashes(base: bytes, target: bytes, source: bytes, path: str) -> None:
    merge_file(FileConflict(path, base, target, source), Options())


@given(RAW, RAW, RAW)
def test_what_parsed_parses(base: str, target: str, source: str) -> None:
    if all(_parses(side) for side in (base, target, source)):
        assert _parses(merge(base, target, source))


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


@given(TEXT, TEXT, TEXT, PATHS)
def test_no_marker_is_left(base: str, target: str, source: str, path: str) -> None:
    assert "<<<<<<<" not in merge(base, target, source, path=path)


NAMES = [f"f{n}" for n in range(6)]


@given(
    st.lists(st.sampled_from(NAMES), unique=True),
    st.lists(st.sampled_from(NAMES), unique=True),
    WINS,
)
def test_edits_in_disjoint_symbols_merge_cleanly(
    ours: list[str], theirs: list[str], wins: str
) -> None:
    theirs = [name for name in theirs if name not in ours]
    merged = merge(_module([], []), _module(ours, []), _module([], theirs), wins=wins)
    assert merged == _module(ours, theirs)


def _module(ours: list[str], theirs: list[str]) -> str:
    done = {**dict.fromkeys(ours, "target()"), **dict.fromkeys(theirs, "source()")}
    return "\n\n".join(f"def {name}():\n    return {done.get(name, 'base()')}\n" for name in NAMES)


@given(
    st.lists(st.sampled_from(NAMES), unique=True),
    st.lists(st.sampled_from(NAMES), unique=True),
)
def test_new_symbols_of_both_sides_all_come(ours: list[str], theirs: list[str]) -> None:
    base = "def base():\n    return 0\n"
    target = base + "".join(f"\n\ndef t_{name}():\n    return '{name}'\n" for name in ours)
    source = base + "".join(f"\n\ndef s_{name}():\n    return '{name}'\n" for name in theirs)
    merged = merge(base, target, source)
    assert merged == target + source.removeprefix(base)


@settings(max_examples=40)
@given(TEXT, TEXT, TEXT)
def test_swapping_sides_and_winner_keeps_every_line(base: str, target: str, source: str) -> None:
    """Which side is called target changes the order of unions, not what the result holds."""
    one = merge(base, target, source, path="a.sh", wins="source")
    other = merge(base, source, target, path="a.sh", wins="target")
    assert set(one.split("\n")) == set(other.split("\n"))


@pytest.mark.parametrize("wins", list(Side))
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_line_ends_survive(wins: Side, ending: str) -> None:
    texts = [
        f"a{ending}b{ending}c{ending}",
        f"A{ending}b{ending}c{ending}",
        f"a{ending}b{ending}C{ending}",
    ]
    data = [text.encode() for text in texts]
    merged = merge_file(FileConflict("a.txt", *data), Options(wins=wins))
    assert merged.data == f"A{ending}b{ending}C{ending}".encode()
