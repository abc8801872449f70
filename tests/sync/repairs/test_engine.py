"""Repairs hold only where they lower the faults; what harms is undone, and the rest stays."""

from __future__ import annotations

from nightshift.policy.sync import PathRules, SyncPolicy
from support.trees import audited, told


def test_a_restored_import_of_what_no_longer_exists_is_undone() -> None:
    use = "from lib.tools import gone\n\n\ndef run():\n    return gone()\n"
    base = {"lib/tools.py": "def gone():\n    return 1\n", "lib/a.py": use}
    removed = {
        "lib/tools.py": ("def here():\n" "    return 1\n"),
        "lib/a.py": ("def run():\n" "    return 1\n"),
    }
    target = {"lib/a.py": use + "# dev\n"}
    merged = {"lib/tools.py": removed["lib/tools.py"], "lib/a.py": use.split("\n\n\n")[1]}
    result = audited(base, target, removed, merged)
    for path, data in result.changes.items():
        assert b"import gone" not in data or b"def gone" in result.changes["lib/tools.py"], path
    assert not [f for f in result.findings if f.open]


def test_one_harmful_repair_does_not_undo_the_others() -> None:
    base = {
        "lib/config.py": "class Config:\n    a: int = 1\n",
        "lib/use.py": "from lib.config import Config\n\n\ndef run(c: Config):\n    return c.a\n",
        "lib/other.py": "import os\n\n\ndef other():\n    return os.name\n",
    }
    target = {"lib/config.py": base["lib/config.py"] + "    b: int = 2\n"}
    target["lib/use.py"] = base["lib/use.py"].replace("c.a", "c.b")
    source = {"lib/other.py": base["lib/other.py"].replace("os.name", "os.sep")}
    merged = {
        "lib/config.py": base["lib/config.py"],
        "lib/use.py": target["lib/use.py"],
        "lib/other.py": source["lib/other.py"].replace("import os\n\n\n", ""),
    }
    result = audited(base, target, source, merged)
    assert sorted(result.changes) == ["lib/config.py", "lib/other.py"]
    assert {t for t in told(result) if t[1] == "repaired"} == {
        ("undefined-name", "repaired", "lib/other.py"),
        ("unknown-attribute", "repaired", "lib/use.py"),
    }


def test_a_member_that_the_other_side_removed_on_purpose_stays_away() -> None:
    both = "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n"
    base = {
        "lib/a.py": both,
        "lib/use.py": ("from lib.a import A\n\n" "\ndef run():\n    a = A()\n    return a.f()\n"),
    }
    target = {"lib/a.py": both.partition("\n    def g")[0]}
    source = {"lib/use.py": base["lib/use.py"].replace("a.f()", "a.g()")}
    result = audited(base, target, source, {**target, **source})
    assert told(result) == [("unknown-attribute", "open", "lib/use.py")]
    assert not result.changes


def _specs(parameters: str, body: str) -> str:
    return f"def layers({parameters}):\n    {body}\n\n\ndef more(config):\n    return config\n"


FLIP = {
    "lib/specs.py": _specs("config", "return [config, config.number, config.layers]"),
    "lib/old.py": "X = 1\n",
}
TARGETS = _specs("config, variant=None", "return variant or config.make(config.number)")
SOURCES = _specs("config, kitchen=None", "return kitchen and kitchen.cook(config.layers)")
USE = "from lib.specs import layers\n\n\ndef build(config):\n    return layers(config, {name}=1)\n"


def test_a_function_goes_by_its_callers() -> None:
    target = {"lib/specs.py": TARGETS, "lib/build.py": USE.format(name="variant")}
    source = {"lib/specs.py": SOURCES}
    result = audited(FLIP, target, source, {**target, **source})
    assert result.changes["lib/specs.py"].decode() == TARGETS
    assert ("unknown-keyword", "repaired", "lib/build.py") in told(result)


def test_a_function_whose_callers_do_not_agree_stays_as_it_is() -> None:
    target = {"lib/specs.py": TARGETS, "lib/build.py": USE.format(name="variant")}
    source = {"lib/specs.py": SOURCES, "lib/cook.py": USE.format(name="kitchen")}
    result = audited(FLIP, target, source, {**target, **source})
    assert not result.changes
    assert ("unknown-keyword", "open", "lib/build.py") in told(result)


def test_a_function_that_one_side_alone_changed_stays_as_it_is() -> None:
    source = {"lib/specs.py": SOURCES}
    target = {"lib/build.py": USE.format(name="variant")}
    base = {**FLIP, "lib/specs.py": TARGETS}
    result = audited(base, target, source, {**target, **source})
    assert not result.changes


def test_a_function_is_not_taken_from_the_side_that_policy_does_not_give_it_to() -> None:
    target = {"lib/specs.py": TARGETS, "lib/build.py": USE.format(name="variant")}
    source = {"lib/specs.py": SOURCES}
    policy = SyncPolicy(mode="sync", paths=PathRules(always_source=("/lib/specs.py",)))
    result = audited(FLIP, target, source, {**target, **source}, policy=policy)
    assert not result.changes
