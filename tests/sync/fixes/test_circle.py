"""A circle that sorting made ends by a side's order of imports, in the one package it is in."""

from __future__ import annotations

import pytest

from nightshift.effects.values import FileChange
from nightshift.sync.fixes import formatting
from nightshift.sync.fixes.cause import Failure
from nightshift.sync.fixes.circle import fix
from support.file_trees import FakeTree, as_it_is, trees

HEAD = '"""Models."""\n\n'
BASE = "# First of all.\nfrom lib.models.base import Base\n"
ADDED = "from lib.models.added import Added\n"
BERT = "from lib.models.bert import Bert\n"
FILES = {
    "lib/__init__.py": "",
    "lib/models/base.py": "class Base: ...\n",
    "lib/models/added.py": "class Added: ...\n",
    "lib/models/bert.py": "from lib.models import Base\n\n\nclass Bert(Base): ...\n",
}
TARGET = HEAD + BASE + BERT
SORTED = HEAD + ADDED + BERT + BASE
FAILURE = Failure(
    "import-circle",
    symbol="Base",
    module="lib.models",
    excerpt=(
        '  File "/w/lib/models/__init__.py", line 4, in <module>',
        '  File "/w/lib/models/bert.py", line 1, in <module>',
        "ImportError: cannot import name 'Base' from partially initialized module 'lib.models'",
    ),
)


def _tree(init: str, **more: str) -> FakeTree:
    files = {**FILES, "lib/models/__init__.py": init, **more}
    return FakeTree({path: text.encode() for path, text in files.items()})


def test_the_order_of_the_side_that_works_comes_back() -> None:
    """An import that the merge added stays where it is."""
    world = trees(_tree(SORTED), _tree(TARGET), _tree(HEAD + ADDED + BERT + BASE))
    want = HEAD + ADDED + BASE + BERT
    assert fix(FAILURE, world, as_it_is) == (FileChange("lib/models/__init__.py", want.encode()),)


def test_a_log_that_names_another_module_of_the_circle_first_is_enough() -> None:
    failure = Failure(
        "import-circle",
        symbol="Bert",
        module="lib.models.bert",
        excerpt=("lib/models/__init__.py:4: in <module>", "E   ImportError: …"),
    )
    world = trees(_tree(SORTED), _tree(TARGET), _tree(TARGET))
    assert fix(failure, world, as_it_is) is not None


BAD = HEAD + BERT + BASE


@pytest.mark.parametrize(
    ("merged", "target", "source"),
    [
        (SORTED, SORTED, TARGET),
        (SORTED, BAD, BAD),
        (TARGET, SORTED, SORTED),
        (SORTED, "def broken(:\n", ""),
        ("import os; from lib.models.bert import Bert\n" + BASE, TARGET, BAD),
    ],
    ids=["the target's own", "no side's works", "no circle to be seen", "no order", "one line"],
)
def test_nothing_where_it_is_not_certain(merged: str, target: str, source: str) -> None:
    assert fix(FAILURE, trees(_tree(merged), _tree(target), _tree(source)), as_it_is) is None


def test_a_circle_that_no_order_ends_is_left() -> None:
    base = "from lib.models.bert import Bert\n\n\nclass Base: ...\n"
    bert = "from lib.models.base import Base\n\n\nclass Bert(Base): ...\n"
    more = {"lib/models/base.py": base, "lib/models/bert.py": bert}
    world = trees(_tree(SORTED, **more), _tree(TARGET, **more), _tree(TARGET, **more))
    assert fix(FAILURE, world, as_it_is) is None


def test_formatting_makes_none() -> None:
    def sort(_path: str, text: str) -> str:
        return text.replace(BASE + BERT, BERT + BASE)

    failure = Failure("formatting", path="lib/models/__init__.py")
    merged = TARGET.replace("Models", "All models")
    world = trees(_tree(merged), _tree(TARGET), _tree(TARGET))
    assert formatting.fix(failure, world, sort) is None
    harmless = _tree(merged, **{"lib/models/bert.py": "class Bert: ...\n"})
    assert formatting.fix(failure, trees(harmless, _tree(TARGET)), sort) is not None
