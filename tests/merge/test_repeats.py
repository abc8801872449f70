"""Lines that stand a second time right below themselves."""

from nightshift.merge.lines import split
from nightshift.merge.repeats import doubled

BLOCK = "    if mask is not None:\n        mask = mask.transpose(0, 1)\n"
PLAIN = f"def f(mask):\n{BLOCK}    return mask\n"


def _kept(merged: str, target: str, source: str) -> str:
    lines = split(merged)
    gone = doubled(lines, split(target), split(source))
    return "".join(line for n, line in enumerate(lines) if n not in gone)


def test_the_second_copy_goes() -> None:
    assert _kept(f"def f(mask):\n{BLOCK}{BLOCK}    return mask\n", PLAIN, PLAIN) == PLAIN


def test_blank_lines_between_the_copies_go_with_the_second() -> None:
    assert _kept(f"def f(mask):\n{BLOCK}\n{BLOCK}    return mask\n", PLAIN, PLAIN) == PLAIN


def test_what_a_side_says_twice_is_meant() -> None:
    twice = f"def f(mask):\n{BLOCK}{BLOCK}    return mask\n"
    assert _kept(twice, twice, PLAIN) == twice
    assert _kept(twice, PLAIN, twice) == twice


def test_one_line_twice_is_no_block() -> None:
    text = "x = advance(queue)\nx = advance(queue)\n"
    assert _kept(text, "x = advance(queue)\n", "x = advance(queue)\n") == text


def test_the_same_words_at_another_depth_are_another_block() -> None:
    deeper = BLOCK.replace("    ", "        ")
    text = f"def f(mask):\n{BLOCK}{deeper}    return mask\n"
    assert _kept(text, PLAIN, PLAIN) == text


def test_brackets_alone_say_nothing() -> None:
    text = "x = [\n    [\n        1,\n    ],\n    [\n        2,\n    ],\n]\n)\n}\n)\n}\n"
    assert _kept(text, "", "") == text
