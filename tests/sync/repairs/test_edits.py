"""Edits keep everything but what they are about."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightshift.sync.repairs.edits import add_keyword, calls, rename_attribute, replace_keyword
from nightshift.sync.repairs.restore_member import put_back

CALLS = {
    "f()": "f(k=1)",
    "f(a)": "f(a, k=1)",
    "f(a, b=(2))": "f(a, b=(2), k=1)",
    "f(a, )": "f(a, k=1)",
    "f(\n    a,\n    b=2,\n)": "f(\n    a,\n    b=2,\n    k=1,\n)",
    "f(\n    a,\n    b=2\n)": "f(\n    a,\n    b=2,\n    k=1\n)",
    "f(\n    'é', b=[\n        1,\n    ],\n)": "f(\n    'é', b=[\n        1,\n    ],\n    k=1,\n)",
}


@pytest.mark.parametrize("text", CALLS)
def test_a_keyword_is_laid_out_like_the_call(text: str) -> None:
    (call,) = calls(ast.parse(text), "f")
    assert add_keyword(text, call, "k", "1") == CALLS[text]


def test_a_call_whose_end_has_a_comment_is_left_alone() -> None:
    text = "f(\n    a,  # why\n)"
    (call,) = calls(ast.parse(text), "f")
    assert add_keyword(text, call, "k", "1") is None
    lone = "f(x for x in y)"
    assert add_keyword(lone, next(calls(ast.parse(lone), "f")), "k", "1") is None


@given(
    st.lists(st.sampled_from(["a", "*b", "c=1", "**d", "(e)", "'ü'"]), max_size=4), st.booleans()
)
def test_an_added_keyword_is_the_only_difference(arguments: list[str], trailing: bool) -> None:
    ordered = sorted(
        set(arguments), key=lambda a: (a.startswith("**"), "=" in a, a.startswith("*"))
    )
    text = f"f({', '.join(ordered)}{',' if trailing and ordered else ''})  # tail\n"
    (call,) = calls(ast.parse(text), "f")
    mended = add_keyword(text, call, "k", "1")
    assert mended is not None and mended.endswith(")  # tail\n")
    (after,) = calls(ast.parse(mended), "f")
    assert ast.unparse(after.args) == ast.unparse(call.args)  # type: ignore[arg-type]
    assert [k.arg for k in after.keywords] == [*(k.arg for k in call.keywords), "k"]


def test_only_the_named_chain_is_renamed() -> None:
    text = "é = off.commit(1) + self.off.commit(2) + off.commit\n# off.commit\n"
    expected = "é = off.offload(1) + self.off.commit(2) + off.offload\n# off.commit\n"
    assert rename_attribute(text, "off.commit", "offload") == expected
    assert rename_attribute(text, "on.commit", "offload") is None


REPLACED = {
    "renamed": ("f(1, old=2, z=3)", "new", None, "f(1, new=2, z=3)"),
    "renamed with its value": ("f(1, old=2, z=3)", "new", "g(4)", "f(1, new=g(4), z=3)"),
    "the first goes": ("f(old=2, z=3)", None, None, "f(z=3)"),
    "one between goes": ("f(1, old=2, z=3)", None, None, "f(1, z=3)"),
    "the last goes": ("f(\n    1,\n    old=2,\n)", None, None, "f(\n    1,\n)"),
    "the only one goes": ("f(old=2)", None, None, "f()"),
    "a comment would go with it": ("f(\n    old=2,  # why\n    z=3,\n)", None, None, None),
}


@pytest.mark.parametrize("name", REPLACED)
def test_a_keyword_gets_another_name_or_goes(name: str) -> None:
    text, new, value, expected = REPLACED[name]
    (call,) = calls(ast.parse(text), "f")
    assert replace_keyword(text, call, "old", new, value) == expected


CLASS = (
    "class A:\n    x: int = 1\n    y: int = 2\n    '''About y.'''\n\n"
    "    def f(self):\n        return 1\n\n    # about g\n    @deco\n"
    "    def g(self):\n        return 2\n"
)


def test_a_field_comes_back_behind_its_elder_sibling_with_its_words() -> None:
    here = "class A:\n    x: int = 1\n\n    def f(self):\n        return 1\n"
    expected = (
        "class A:\n    x: int = 1\n    y: int = 2\n    '''About y.'''\n\n"
        "    def f(self):\n        return 1\n"
    )
    assert put_back(here, CLASS, "A", "y") == expected


def test_a_method_comes_back_with_its_decorator_and_comment() -> None:
    here = CLASS[: CLASS.index("\n    # about g")]
    assert put_back(here, CLASS, "A", "g") == CLASS


def test_what_is_there_already_is_not_put_back() -> None:
    assert put_back(CLASS, CLASS, "A", "g") is None
    assert put_back("class B:\n    pass\n", CLASS, "A", "g") is None
    assert put_back(CLASS, CLASS, "A", "h") is None
