"""What a text is up to layout."""

import pytest

from nightshift.merge.normal import gist, normal, same_layout


def test_layout_is_white_space_quotes_and_trailing_commas() -> None:
    assert normal(["f(a, 'b')\n"]) == normal(["f(\n", "    a,\n", '    "b",\n', ")\n"])
    assert normal(["f(a)\n"]) != normal(["f((a))\n"])


def test_a_gist_has_no_brackets_or_line_ends_in_it() -> None:
    one = ["assert x is None, \\\n", "    'why'\n"]
    other = ["assert (\n", "    x is None\n", "), 'why'\n"]
    assert gist(one) == gist(other)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a = 1\n", "    a = 1\n", True),  # all of it is set in
        ("if x:\n    a = 1\n    b = 2\n", "if x:\n    a = 1\nb = 2\n", False),
        ("f(\n    a,\n)\n", "f(\n        a,\n)\n", True),  # in brackets depth is layout
        ("    a,\n)\nb = 2\n", "        a,\n)\nb = 2\n", True),  # begins inside brackets
        ("x = '('\n    y = 1\n", "x = '('\ny = 1\n", False),  # a bracket in a string is none
        ("a = 0  # (\n    y = 1\n", "a = 0  # (\ny = 1\n", False),
    ],
)
def test_depth_counts_where_no_bracket_holds_a_line(one: str, other: str, same: bool) -> None:
    assert same_layout([one], [other]) is same
