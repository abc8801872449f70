"""Which files are brought into style, and with whose settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.candidates import Made, merged, sync_policy
from support.repos import Content

UGLY = "import sys\nimport os\nx = { 'a':1 }\n"
NEAT = 'import os\nimport sys\n\nx = {"a": 1}\n'
CONFIG = "[tool.black]\nskip-string-normalization = true\n"


def formatted(
    tmp_path: Path,
    scope: str,
    base: dict[str, Content],
    target: dict[str, Content],
    source: dict[str, Content],
    **paths: list[str],
) -> Made:
    """The candidate under a scope of formatting."""
    rules = {name.replace("_", "-"): value for name, value in paths.items()}
    policy = sync_policy(format={"scope": scope}, paths=rules)
    return merged(tmp_path, base, target, source, policy)


BASE: dict[str, Content] = {"both.py": UGLY + "y = 0\n" + "z = 1\n" * 5, "t.py": UGLY, "s.py": UGLY}
TARGET: dict[str, Content] = {
    "both.py": UGLY + "y = 0\n" + "z = 1\n" * 5 + "t=1\n",
    "t.py": UGLY + "t=1\n",
}
SOURCE: dict[str, Content] = {
    "both.py": "s=1\n" + UGLY + "y = 0\n" + "z = 1\n" * 5,
    "s.py": UGLY + "s=1\n",
}


def test_merged_is_what_the_merge_itself_wrote(tmp_path: Path) -> None:
    made = formatted(tmp_path, "merged", BASE, TARGET, SOURCE)
    assert made.candidate.formatted == ("both.py",)
    assert made.tree["s.py"] == (UGLY + "s=1\n").encode()
    assert b"s = 1\n" in made.tree["both.py"] and b'{"a": 1}' in made.tree["both.py"]


def test_changed_is_all_that_differs_from_the_target(tmp_path: Path) -> None:
    made = formatted(tmp_path, "changed", BASE, TARGET, SOURCE)
    assert made.candidate.formatted == ("both.py", "s.py")
    assert made.tree["s.py"] == (NEAT + "s = 1\n").encode()
    assert made.tree["t.py"] == (UGLY + "t=1\n").encode()


def test_off(tmp_path: Path) -> None:
    made = formatted(tmp_path, "off", BASE, TARGET, SOURCE)
    assert not made.candidate.formatted and b"s=1" in made.tree["both.py"]


def test_guarded_paths_are_never_formatted(tmp_path: Path) -> None:
    made = formatted(tmp_path, "changed", BASE, TARGET, SOURCE, never_touch=["/both.py"])
    assert made.tree["both.py"] == str(TARGET["both.py"]).encode()


def test_the_merged_trees_own_settings(tmp_path: Path) -> None:
    made = formatted(tmp_path, "changed", BASE, TARGET, {**SOURCE, "pyproject.toml": CONFIG})
    assert b"{'a': 1}" in made.tree["s.py"]


def test_black_comes_first_then_isort(tmp_path: Path) -> None:
    text = "import b\n\n\n\n\nimport a\nx=1\n"
    made = formatted(tmp_path, "changed", {"o": "0\n"}, {"t": "1\n"}, {"n.py": text})
    assert made.tree["n.py"] == b"import a\nimport b\n\nx = 1\n"


@pytest.mark.parametrize("config", ["[tool.black\n", "[tool.black]\nline-length = 'wide'\n"])
def test_broken_settings_are_reported_once_and_change_nothing(tmp_path: Path, config: str) -> None:
    source: dict[str, Content] = {**SOURCE, "pyproject.toml": config, "n.py": UGLY}
    made = formatted(tmp_path, "changed", BASE, TARGET, source)
    (finding,) = made.findings("format")
    assert finding.path == "pyproject.toml"
    assert made.tree["n.py"] == UGLY.encode() and not made.candidate.formatted


def test_a_file_that_cannot_be_formatted_is_reported(tmp_path: Path) -> None:
    source: dict[str, Content] = {"bad.py": "x = (\n", "latin.py": b"x = '\xe9'\n", "good.py": UGLY}
    made = formatted(tmp_path, "changed", {"o": "0\n"}, {"t": "1\n"}, source)
    assert [item.path for item in made.findings("format")] == ["latin.py", "bad.py"]
    assert made.tree["latin.py"] == b"x = '\xe9'\n" and made.tree["good.py"] == NEAT.encode()


def test_a_declared_encoding_stays(tmp_path: Path) -> None:
    text = "# -*- coding: latin-1 -*-\nx = { 'é':1 }\n".encode("latin-1")
    made = formatted(tmp_path, "changed", {"o": "0\n"}, {"t": "1\n"}, {"n.py": text})
    assert made.tree["n.py"] == '# -*- coding: latin-1 -*-\nx = {"é": 1}\n'.encode("latin-1")
