"""Which mentions of a missing file count."""

from __future__ import annotations

import pytest

from nightshift.sync.deleted import imported, mentions, module_names


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("bash tools/run.sh", "tools/run.sh", True),
        ("bash ./tools/run.sh", "tools/run.sh", True),
        ("${ROOT}/tools/run.sh", "tools/run.sh", True),
        ("tools/run.shx", "tools/run.sh", False),
        ("my-tools/run.sh", "tools/run.sh", False),
        ("python run.py", "run.py", True),
        ("python ./run.py", "run.py", True),
        ("python tools/run.py", "run.py", False),
        ("dry_run.py", "run.py", False),
        ("dry_run.py then run.py", "run.py", True),
        ("", "run.py", False),
    ],
)
def test_a_path_counts_by_itself_alone(text: str, path: str, expected: bool) -> None:
    assert mentions(text.encode(), path.encode()) is expected


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("src/pkg/mod.py", {"src.pkg.mod", "pkg.mod"}),
        ("pkg/__init__.py", {"pkg"}),
        ("a/pkg/__init__.py", {"a.pkg"}),
        ("mod.py", {"mod"}),
    ],
)
def test_names_that_a_module_is_imported_under(path: str, names: set[str]) -> None:
    assert module_names(path) == names


def test_imports_of_every_form() -> None:
    head = b"import a.b\nfrom c import d\nfrom . import e\nfrom ..f import g\n"
    text = head + b"\n\ndef h():\n    import i\n"
    names = set(imported("top/pkg/mod.py", text))
    assert {"a.b", "c.d", "c", "top.pkg.e", "top.f.g", "i"} <= names


def test_no_python_imports_nothing() -> None:
    assert not list(imported("x.py", b"import (\n"))
