"""Whether a revision is broken, by its texts: metadata, and names that are imported from it."""

from __future__ import annotations

import pytest

from nightshift.sync.revision import Prober, metadata_fault
from nightshift.sync.sources import GitSource, Look
from support.file_trees import FakeTree
from support.trees import resolver

SOURCE = GitSource("ext-lib", "https://example.com/ext.git", "old")
NEWER = GitSource("ext-lib", "https://example.com/ext.git", "new")


def _look(old: dict[str, str], new: dict[str, str], code: str, source: GitSource = SOURCE) -> Look:
    trees = {"old": old, "new": new}

    def read(_url: str, revision: str) -> FakeTree:
        return FakeTree({path: text.encode() for path, text in trees[revision].items()})

    merged = resolver({"lib/a.py": code, "tests/b.py": ""})
    probe = Prober(read, merged.index.all_facts(), frozenset({"lib", "tests"}))
    return probe(source, NEWER)


PACKAGE = {"ext_lib/__init__.py": "from .core import run\n", "ext_lib/core.py": "def run(): ...\n"}


def test_a_name_is_missing_only_where_the_other_revision_has_it() -> None:
    code = "from ext_lib.core import run, queue\nfrom ext_lib.built import fast\nimport ext_lib\n"
    newer = {**PACKAGE, "ext_lib/core.py": "def run(): ...\nqueue = 1\n"}
    assert "has no ext_lib.core.queue, which" in _look(PACKAGE, newer, code).broken
    assert _look(PACKAGE, PACKAGE, code) == Look()
    assert _look(newer, PACKAGE, code) == Look()


def test_a_package_may_do_without_init_and_be_one_file() -> None:
    code = "from ext_lib.core import queue\nfrom single import thing\n"
    old = {"src/ext_lib/core.py": "def run(): ...\n", "single.py": ""}
    newer = {**PACKAGE, "ext_lib/core.py": "queue = 1\n", "single.py": "thing = 1\n"}
    look = _look(old, newer, code)
    assert "has no ext_lib.core.queue, single.thing, which" in look.broken


def test_a_module_is_missing_only_where_the_other_revision_has_it() -> None:
    newer = {**PACKAGE, "ext_lib/more.py": "x = 1\n"}
    assert "has no ext_lib.more," in _look(PACKAGE, newer, "from ext_lib.more import x\n").broken
    assert _look(PACKAGE, newer, "from ext_lib import core\n") == Look()


@pytest.mark.parametrize(
    "old", ["from .other import *\n", "def __getattr__(name): ...\n", "globals()['x'] = 1\n"]
)
def test_names_that_may_come_from_anywhere_are_not_missing(old: str) -> None:
    newer = {"ext_lib/__init__.py": "x = 1\n"}
    assert _look({"ext_lib/__init__.py": old}, newer, "from ext_lib import x\n") == Look()


def test_packages_of_the_merged_trees_own_names_are_not_meant() -> None:
    newer = {**PACKAGE, "tests/__init__.py": "x = 1\n"}
    old = {**PACKAGE, "tests/__init__.py": ""}
    assert _look(old, newer, "from tests import x\n") == Look()


def test_a_project_may_stand_in_a_folder() -> None:
    newer = {f"py/src/{path}": text for path, text in PACKAGE.items()}
    old = {**newer, "py/src/ext_lib/core.py": "", "pyproject.toml": "bad ["}
    source = GitSource("ext-lib", SOURCE.url, "old", "py")
    look = _look(old, {"py/" + path: text for path, text in PACKAGE.items()}, "", source)
    assert look == Look()


NAMED = '[project]\nname = "x"\n'
NUMBERED = NAMED + 'version = "1.0"\n'


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            NUMBERED + "dependencies = [\"a>=1; python_version>'3'\"]\n",
            "",
        ),
        (
            NAMED + 'dynamic = ["version"]\n'
            '[dependency-groups]\na = ["b"]\nc = [{include-group = "A"}]\n',
            "",
        ),
        ("[tool.black]\nline-length = 1\n", ""),
        ("[project\n", "it is no TOML"),
        ("\udcff", "it is no TOML"),
        ('[project]\nversion = "1"\n', "the project has no name"),
        ('[project]\nname = "x"\n', "the project has no version"),
        ('[project]\nname = "x"\nversion = "one"\n', "one"),
        ('[project]\nname = "x"\nversion = "1"\nrequires-python = "3.x"\n', "3.x"),
        (
            NUMBERED + '[project.optional-dependencies]\ndev = ["a b c"]\n',
            "a b c",
        ),
        ('[dependency-groups]\na = [{include-group = "gone"}]\n', "no dependency group 'gone'"),
        ('project = "x"\n', "wrong type"),
        ('[project]\nname = "x"\nversion = 1\n', "Invalid version"),
    ],
)
def test_metadata_parses_or_a_reason_is_given(text: str, fault: str) -> None:
    found = metadata_fault(_project(text))
    assert found == "" if not fault else fault in found


def _project(text: str) -> FakeTree:
    return FakeTree({"pyproject.toml": text.encode("utf-8", "surrogateescape")})


def test_no_metadata_is_no_fault() -> None:
    assert metadata_fault(FakeTree({"setup.py": b""})) == ""
