"""One definition put back at its place, with what it needs, or nothing at all."""

from __future__ import annotations

import ast
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightshift.sync.fixes.restore import restore


def dedent(text: str) -> str:
    return textwrap.dedent(text).lstrip("\n")


ORIGIN = dedent(
    '''
    """Operations."""

    import math
    from typing import Any, List

    from pkg import base as core

    LIMIT = 3


    def first():
        return 1


    # Gathers.
    # Slowly.
    @core.traced
    def gather(items: List[Any]):
        """Gather."""
        return [math.floor(item) for item in items][:LIMIT]


    def last():
        return 9


    class Holder(core.Base):
        size = LIMIT
    '''
)


def test_a_function_comes_back_between_its_neighbours_with_comments_and_imports() -> None:
    text = dedent(
        '''
        """Operations."""

        import os
        from pkg import base as core

        LIMIT = 3


        def first():
            return 11


        def last():
            return 99
        '''
    )
    assert restore("gather", text, ORIGIN) == dedent(
        '''
        """Operations."""

        import os
        from pkg import base as core
        from typing import Any
        from typing import List
        import math

        LIMIT = 3


        def first():
            return 11


        # Gathers.
        # Slowly.
        @core.traced
        def gather(items: List[Any]):
            """Gather."""
            return [math.floor(item) for item in items][:LIMIT]


        def last():
            return 99
        '''
    )


def test_what_it_needs_comes_with_it_in_order() -> None:
    result = restore("Holder", "x = 1\n", ORIGIN)
    assert result is not None
    assert result.index("import") < result.index("LIMIT = 3") < result.index("class Holder")
    names = {item.name for item in ast.parse(result).body if isinstance(item, ast.ClassDef)}
    assert names == {"Holder"}
    assert "def first" not in result


def test_a_constant_a_reexport_and_a_first_line() -> None:
    assert restore("LIMIT", "def first():\n    pass\n", ORIGIN) == (
        "LIMIT = 3\n\n\ndef first():\n    pass\n"
    )
    assert restore("core", '"""Doc."""\n\nx = 1\n', ORIGIN) == (
        '"""Doc."""\nfrom pkg import base as core\n\nx = 1\n'
    )
    assert restore("last", "", ORIGIN) == "def last():\n    return 9\n"


def test_it_goes_above_what_runs_the_file_as_a_script() -> None:
    text = 'def main():\n    pass\n\n\nif __name__ == "__main__":\n    main()\n'
    result = restore("helper", text, "def helper():\n    pass\n")
    assert result is not None
    assert result.index("def helper") < result.index("if __name__")


def test_it_goes_below_what_it_needs_at_import_and_above_what_needs_it() -> None:
    origin = "class Mid(Low):\n    pass\n\n\nclass Low:\n    pass\n"
    text = "class Low:\n    pass\n\n\nclass High(Mid):\n    pass\n"
    result = restore("Mid", text, origin)
    assert result is not None
    assert result.index("class Low") < result.index("class Mid") < result.index("class High")


def test_no_place_keeps_the_order() -> None:
    text = "class High(Mid):\n    pass\n\n\nclass Low:\n    pass\n"
    assert restore("Mid", text, "class Mid(Low):\n    pass\n\n\nclass Low:\n    pass\n") is None


def test_comments_at_the_end_stay_at_the_end() -> None:
    result = restore("b", "def a():\n    pass\n\n\n# The end.\n", "def a(): ...\ndef b(): ...\n")
    assert result == "def a():\n    pass\n\n\ndef b(): ...\n\n\n# The end.\n"


@pytest.mark.parametrize(
    ("name", "text", "origin"),
    [
        ("gather", "def gather(): ...\n", ORIGIN),
        ("nowhere", "", ORIGIN),
        ("gather", "def broken(:\n", ORIGIN),
        ("gather", "", "def gather(:\n"),
        ("twice", "", "def twice(): ...\n\n\ndef twice(): ...\n"),
        ("one", "other = 1\n", "one, other = 1, 2\n"),
        (
            "HAVE",
            "te = None\n",
            "try:\n    import te\n    HAVE = 1\nexcept ImportError:\n    HAVE = 0\n",
        ),
        ("far", "", "".join(f"def f{n}():\n    f{n + 1}()\n" for n in range(40)) + "far = f0()\n"),
    ],
)
def test_it_gives_up_rather_than_guess(name: str, text: str, origin: str) -> None:
    assert restore(name, text, origin) is None


def test_a_whole_guarded_import_comes_back_where_none_of_it_is_there() -> None:
    origin = "try:\n    import te\n    HAVE = 1\nexcept ImportError:\n    HAVE = 0\n"
    result = restore("HAVE", "x = 1\n", origin)
    assert result is not None
    assert origin in result


NAMES = ["a", "b", "c", "d", "e"]


@given(st.permutations(NAMES), st.sets(st.sampled_from(NAMES), min_size=1), st.data())
def test_the_rest_of_the_file_is_untouched(
    order: list[str], dropped: set[str], data: st.DataObject
) -> None:
    calls = {name: data.draw(st.sampled_from(NAMES)) for name in NAMES}
    parts = {name: f"def {name}():\n    return {calls[name]}()\n" for name in NAMES}
    origin = "\n\n".join(parts[name] for name in order)
    text = "\n\n".join(parts[name] for name in order if name not in dropped)
    wanted = data.draw(st.sampled_from(sorted(dropped)))
    result = restore(wanted, text, origin)
    assert result is not None
    defined = [node.name for node in ast.parse(result).body if isinstance(node, ast.FunctionDef)]
    assert wanted in defined
    assert defined == [name for name in order if name in defined]
    assert len(defined) == len(set(defined))
    for name in defined:
        assert parts[name] in result
    kept = [name for name in order if name not in dropped]
    assert set(kept) <= set(defined)
    for name in defined:
        assert calls[name] in defined or name in kept
