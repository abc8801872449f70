"""black and isort with a repository's own settings, as they would run in its checkout."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from nightshift.adapters.tools import style as module
from nightshift.adapters.tools.style import style_of

UGLY = "import sys\nimport os\nx = { 'a':1 }\n"
BOTH = ("black", "isort")


def styled(text: str, config: str = "", *, path: str = "a.py", paths: tuple[str, ...] = ()) -> str:
    """A text in the style of a configuration; nothing may go wrong."""
    done = style_of(config.encode(), paths, BOTH).one(path, text)
    assert not done.problem
    return done.text


def test_defaults_without_a_configuration() -> None:
    done = style_of(None, (), BOTH).one("a.py", UGLY)
    assert done.text == 'import os\nimport sys\n\nx = {"a": 1}\n'


def test_no_tools_no_change() -> None:
    assert style_of(None, (), ()).one("a.py", UGLY).text == UGLY


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("skip-string-normalization = true", "x = ['aaaaaaaa', 'bbbbbbbb', 'c']\n"),
        ("skip_string_normalization = true", "x = ['aaaaaaaa', 'bbbbbbbb', 'c']\n"),
        ("line-length = 20", 'x = [\n    "aaaaaaaa",\n    "bbbbbbbb",\n    "c",\n]\n'),
        ("exclude = 'a[.]py'", "x = ['aaaaaaaa','bbbbbbbb','c']\n"),
        (
            "force-exclude = '''\n/(\n    b  # a comment\n  | a[.]py\n)\n'''",
            "x = ['aaaaaaaa','bbbbbbbb','c']\n",
        ),
    ],
)
def test_settings_of_black(settings: str, expected: str) -> None:
    assert styled("x = ['aaaaaaaa','bbbbbbbb','c']\n", f"[tool.black]\n{settings}\n") == expected


def test_the_magic_trailing_comma() -> None:
    text = "x = [\n    1,\n]\n"
    assert styled(text) == text
    assert styled(text, "[tool.black]\nskip-magic-trailing-comma = true\n") == "x = [1]\n"


def test_versions_that_the_project_runs_on() -> None:
    """black infers them from the metadata: only then may it put parentheses around several
    contexts."""
    call = "open('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')"
    text = f"with {call} as a, {call} as b:\n    pass\n"
    assert styled(text, '[project]\nrequires-python = ">=3.10"\n').startswith("with (\n")
    assert not styled(text, '[project]\nrequires-python = ">=3.8"\n').startswith("with (\n")


def test_another_black_than_the_repository_asks_for_is_left_out_and_said() -> None:
    done = style_of(b'[tool.black]\nrequired-version = "1"\n', (), BOTH).one("a.py", UGLY)
    assert (
        done.text == "import os\nimport sys\n\nx = { 'a':1 }\n"
        and "asks for black 1" in done.problem
    )


def test_stubs() -> None:
    assert (
        styled("def f(): ...\n\n\n\ndef g(): ...\n", path="a.pyi") == "def f(): ...\ndef g(): ...\n"
    )


@pytest.mark.parametrize(
    ("paths", "first_party"),
    [
        (("pkg/__init__.py",), True),
        (("pkg/data.txt",), True),
        (("pkg.py",), True),
        (("src/pkg/__init__.py",), True),
        (("lib/pkg/__init__.py",), False),
        ((), False),
    ],
)
def test_first_party_is_what_the_trees_source_folders_hold(
    paths: tuple[str, ...], first_party: bool
) -> None:
    text = styled("import zlib_ng\nimport pkg\n", "[tool.isort]\nprofile = 'black'\n", paths=paths)
    separate = "import zlib_ng\n\nimport pkg\n"
    assert text == (separate if first_party else "import pkg\nimport zlib_ng\n")


def test_source_folders_that_the_settings_name() -> None:
    config = "[tool.isort]\nsrc_paths = ['lib']\n"
    paths = ("lib/pkg/__init__.py", "tests/__init__.py")
    text = styled("import tests\nimport zlib_ng\nimport pkg\n", config, paths=paths)
    assert text == "import tests\nimport zlib_ng\n\nimport pkg\n"


def test_a_folder_named_like_a_module_of_the_standard_library_is_no_first_party() -> None:
    assert styled("import zlib_ng\nimport test\n", paths=("test/x.py",)).startswith(
        "import test\n\n"
    )


def test_what_the_settings_say_of_a_module_goes_before_the_tree() -> None:
    config = "[tool.isort]\nknown_third_party = ['pkg']\n"
    assert styled("import zlib_ng\nimport pkg\n", config, paths=("pkg/x.py",)).startswith(
        "import pkg\n"
    )


@pytest.mark.parametrize("setting", ["skip = ['a.py']", "extend_skip_glob = ['*.py']"])
def test_files_that_isort_skips(setting: str) -> None:
    assert styled("import b\nimport a\n", f"[tool.isort]\n{setting}\n") == "import b\nimport a\n"


def test_a_file_that_asks_to_be_skipped() -> None:
    text = "# isort: skip_file\nimport b\nimport a\n"
    assert styled(text) == text


@pytest.mark.parametrize(
    "config",
    [
        b"[tool.black\n",
        b"\xff",
        b"[tool.black]\nline-length = 'wide'\n",
        b"[tool.black]\ntarget-version = ['py1']\n",
        b"[tool.black]\nexclude = '('\n",
        b"[tool.isort]\nprofile = 'nobody'\n",
        b"[tool.isort]\nno_such_setting = 1\n",
    ],
)
def test_settings_that_cannot_be_used_are_said_and_change_nothing(config: bytes) -> None:
    done = style_of(config, (), BOTH).one("a.py", UGLY)
    assert done.text == UGLY and done.problem


@pytest.mark.parametrize("text", ["x = (\n", "\tx = 1\n  y\n", "\0", "def f(:\n"])
def test_what_is_no_python_stays(text: str) -> None:
    done = style_of(None, (), ("black",)).one("a.py", text)
    assert done.text == text and "black cannot read it" in done.problem


def test_line_ends_and_the_byte_order_mark_stay() -> None:
    done = styled("\ufeffimport b\r\nimport a\r\nx=1\r\n")
    assert done == "\ufeffimport a\r\nimport b\r\n\r\nx = 1\r\n"


def test_neat_text_is_untouched_to_the_byte() -> None:
    for text in ("x = 1\n", "x = 1\r\n", "", "\ufeffx = 1\n"):
        assert styled(text) == text


def test_several_processes_give_what_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {f"f{n}.py": UGLY + f"y = {n}\n" for n in range(20)} | {"bad.py": "x = (\n"}
    style = style_of(b"[tool.black]\nline-length = 60\n", ("pkg/x.py",), BOTH)
    alone = style.many(texts)
    monkeypatch.setattr(module, "_WORTH_A_PROCESS", 1)
    assert style.many(texts) == alone and list(style.many(texts)) == list(texts)


def test_the_same_as_the_commands_give_in_a_checkout(tmp_path: Path) -> None:
    config = "[tool.black]\nline-length = 60\n\n[tool.isort]\nprofile = 'black'\nline_length = 60\n"
    text = (
        "from own.module import alpha, beta, gamma, delta, epsilon\n"
        "import zlib_ng, os\nfrom typing import (Any)\nimport own\n\n"
        "def f( a,b ):\n  return {'k':a,'l':[b,a,b,a,b,a,b,a,b,a,b,a,b,a,b]}\n"
    )
    (tmp_path / "pyproject.toml").write_text(config, encoding="utf-8")
    (tmp_path / "own").mkdir()
    (tmp_path / "own/__init__.py").touch()
    file = tmp_path / "a.py"
    file.write_text(text, encoding="utf-8")
    for tool in BOTH:
        command = [sys.executable, "-m", tool, "-q", "a.py"]
        subprocess.run(command, cwd=tmp_path, check=True, env={**os.environ, "HOME": str(tmp_path)})
    paths = ("pyproject.toml", "own/__init__.py", "a.py")
    assert styled(text, config, paths=paths) == file.read_text(encoding="utf-8")
