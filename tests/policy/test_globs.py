"""Path patterns in the manner of CODEOWNERS."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from nightshift.policy.globs import PathPattern, matches

CASES = [
    ("pyproject.toml", "pyproject.toml", True),
    ("pyproject.toml", "a/b/pyproject.toml", True),
    ("pyproject.toml", "a/xpyproject.toml", False),
    ("/pyproject.toml", "pyproject.toml", True),
    ("/pyproject.toml", "a/pyproject.toml", False),
    (".github/CODEOWNERS", ".github/CODEOWNERS", True),
    (".github/CODEOWNERS", "x/.github/CODEOWNERS", False),
    (".github", ".github/workflows/x.yml", True),
    ("docs/", "a/docs/b/c", True),
    ("docs/", "docs", False),
    ("/docs/", "a/docs/b", False),
    ("docs/*", "docs/a", True),
    ("docs/*", "docs/a/b", False),
    ("docs/**", "docs/a/b", True),
    ("**/x.py", "x.py", True),
    ("**/x.py", "a/b/x.py", True),
    ("a/**/b", "a/b", True),
    ("a/**/b", "a/x/y/b", True),
    ("a/**/b", "a/xb", False),
    ("*.json", "a/b.json", True),
    ("*.json", "a/b.json/c", False),
    ("golden*.json", "t/golden_1.json", True),
    ("a?c", "abc", True),
    ("a?c", "aüc", True),
    ("a?c", "a/c", False),
    ("a+b", "a+b", True),
    ("a+b", "aab", False),
    ("new\nline", "new\nline", True),
    ("*", "\udcff/\udcfe", True),
    ("**", "a/b/c", True),
]


@pytest.mark.parametrize(("pattern", "path", "expected"), CASES)
def test_matches(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected


class Holder(BaseModel):
    """Something with a pattern."""

    pattern: PathPattern


@pytest.mark.parametrize("pattern", ["", "a//b", "../a", "a/./b", "a\\b", "a**", "x/**y/z", "/"])
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(ValidationError):
        Holder(pattern=pattern)


PART = st.text(alphabet="ab.+^$()[]{}|\n-é", min_size=1, max_size=5).filter(
    lambda part: part not in (".", "..")
)


@given(st.lists(PART, min_size=1, max_size=4))
def test_a_path_without_wildcards_matches_itself_and_what_is_below(parts: list[str]) -> None:
    path = "/".join(parts)
    assert matches(f"/{path}", path)
    assert matches(f"/{path}", f"{path}/below")
    assert not matches(f"/{path}", f"above/{path}")
    assert matches(f"{path}/", f"{path}/below")
