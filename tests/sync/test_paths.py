"""Which list of a policy a path is on."""

from __future__ import annotations

import pytest

from nightshift.policy.sync import PathRules
from nightshift.sync.paths import PathPolicy, Rule

RULES = PathRules.model_validate(
    {
        "never-touch": ["/.github/CODEOWNERS"],
        "always-target": ["/pyproject.toml", "/.github/"],
        "always-source": ["/lib/"],
        "append": [
            {"path": "lib/schedule.py", "definitions": ["A"]},
            {"path": "x.py", "definitions": ["B"]},
        ],
        "whole-target": ["*.lock"],
        "whole-source": ["golden*.json", "*.lock"],
    }
)


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        (".github/CODEOWNERS", Rule.NEVER_TOUCH),
        (".github/workflows/ci.yml", Rule.ALWAYS_TARGET),
        ("pyproject.toml", Rule.ALWAYS_TARGET),
        ("sub/pyproject.toml", None),
        ("lib/schedule.py", Rule.ALWAYS_SOURCE),
        ("x.py", Rule.APPEND),
        ("sub/x.py", None),
        ("uv.lock", Rule.WHOLE_TARGET),
        ("t/golden_1.json", Rule.WHOLE_SOURCE),
        ("README.md", None),
    ],
)
def test_the_first_list_that_matches_decides(path: str, rule: Rule | None) -> None:
    policy = PathPolicy(RULES)
    assert policy.rule(path) is rule
    assert policy.guarded(path) is (rule in (Rule.NEVER_TOUCH, Rule.ALWAYS_TARGET))


def test_what_is_appended() -> None:
    assert PathPolicy(RULES).append_rule("x.py").definitions == ("B",)
