"""Every case that sync.md and its source name: found, repaired or reported, and nothing else
reported."""

from __future__ import annotations

from nightshift.merge.cascade import Past
from nightshift.policy.model import Side
from nightshift.policy.sync import FileLesson, PathRules, SyncPolicy
from nightshift.sync.findings import Disposition
from support.trees import Told, audited, only, told

OFFLOAD = (
    "class Interface:\n"
    "    @staticmethod\n"
    "    def {name}(tensor, group):\n"
    "        queue = [tensor]\n"
    "        for item in queue:\n"
    "            item.offload(group)\n"
    "        return queue\n"
    "{more}"
)
CALLER = (
    "from lib.offload import Interface as off\n\n\n"
    "def forward(tensor):\n"
    "    return off.{name}(tensor, 'attention'){more}\n"
)


def _offload(name: str, more: str = "") -> dict[str, str]:
    return {"lib/offload.py": OFFLOAD.format(name=name, more=more)}


def _caller(name: str, more: str = "") -> dict[str, str]:
    return {"lib/caller.py": CALLER.format(name=name, more=more)}


def test_a_call_of_a_renamed_method_is_renamed() -> None:
    base = {**_offload("group_commit"), **_caller("group_commit")}
    renamed = _offload("group_offload")
    target = {**renamed, **_caller("group_offload")}
    source = _caller("group_commit", more=" or tensor")
    result = audited(base, target, source, {**renamed, **source})
    assert told(result) == [("unknown-attribute", "repaired", "lib/caller.py")]
    assert b"off.group_offload(tensor, 'attention') or tensor" in result.changes["lib/caller.py"]
    assert list(result.changes) == ["lib/caller.py"]


def test_a_method_that_may_have_become_one_of_two_is_reported_and_not_guessed() -> None:
    second = (
        "\n    @staticmethod\n    def group_commit_later(tensor, group):\n        return group\n"
    )
    base = {**_offload("group_commit"), **_caller("group_commit")}
    renamed = _offload("group_commit_now", more=second)
    source = _caller("group_commit", more=" or tensor")
    result = audited(
        base, {**renamed, **_caller("group_commit_now")}, source, {**renamed, **source}
    )
    finding = only(result)
    assert (finding.rule, finding.open) == ("unknown-attribute", True)
    assert "group_commit_later or group_commit_now" in finding.message
    assert not result.changes


CHUNK = (
    "class Interface:\n"
    "    def init_chunk_handler(self, {parameters}):\n"
    "        return locals()\n"
)
MODEL = (
    "from lib.chunk import Interface\n\n\n"
    "def build({parameters}):\n"
    "    interface = Interface()\n"
    "    return interface.init_chunk_handler({arguments})\n"
)


def test_three_arguments_where_six_are_required() -> None:
    short, long = "a, b, c", "a, b, c, d, e, f"
    model = MODEL.format(parameters=short, arguments=short)
    base = {"lib/chunk.py": CHUNK.format(parameters=short), "lib/model.py": model}
    wide = {"lib/chunk.py": CHUNK.format(parameters=long)}
    target = {**wide, "lib/model.py": MODEL.format(parameters=long, arguments=long)}
    source = {"lib/model.py": model + "# main\n"}
    result = audited(base, target, source, {**wide, **source})
    assert [f.rule for f in result.findings] == ["lost-parameter", "missing-argument"]
    assert all(f.open for f in result.findings) and not result.changes
    assert (
        "'d'" in result.findings[1].message and "init_chunk_handler" in result.findings[1].message
    )


def test_a_new_required_parameter_is_handed_over_as_the_other_side_does() -> None:
    def files(parameters: str, arguments: str, more: str = "") -> dict[str, str]:
        model = (
            f"from lib.chunk import make\n\ndef build(group):\n    return make({arguments})\n{more}"
        )
        return {
            "lib/chunk.py": f"def make({parameters}):\n    return group\n",
            "lib/model.py": model,
        }

    base = files("a", "1")
    target = files("a, group", "1, group=group")
    source = {"lib/model.py": files("a", "1", "# main\n")["lib/model.py"]}
    merged = {"lib/chunk.py": target["lib/chunk.py"], **source}
    result = audited(base, target, source, merged)
    assert b"make(1, group=group)\n# main" in result.changes["lib/model.py"]
    assert not [f for f in result.findings if f.open]


def test_a_dropped_keyword_comes_back_with_the_field_that_it_needs() -> None:
    config = "class Config:\n    width: int = 1\n{more}"
    use = (
        "from lib.config import Config\n\ndef draw(width, depth=0):\n"
        "    return width, depth\n\n{more}def run(config: Config):\n"
        "    return draw(config.width{argument})\n"
    )
    base = {"lib/config.py": config.format(more=""), "lib/use.py": use.format(argument="", more="")}
    target = {
        "lib/config.py": config.format(more="    depth: int = 2\n"),
        "lib/use.py": use.format(argument=", depth=config.depth", more=""),
    }
    source = {"lib/use.py": use.format(argument="", more="LIMIT = 1\n\n\n")}
    merged = {"lib/config.py": base["lib/config.py"], **source}
    result = audited(base, target, source, merged)
    assert b"draw(config.width, depth=config.depth)" in result.changes["lib/use.py"]
    assert result.changes["lib/config.py"].endswith(b"    depth: int = 2\n")
    assert not [f for f in result.findings if f.open]


def test_a_dropped_parameter_a_dropped_call_and_a_dropped_section_are_reported() -> None:
    code = (
        "def step({parameter}):\n    state = prepare()\n{call}    return state\n"
        "\ndef prepare():\n    return 0\n\ndef record_factor(state):\n"
        "    return state\n"
    )
    text = "# Guide\n\nAll about the thing.\n\n{more}"
    base = {"lib/a.py": code.format(parameter="", call=""), "docs/guide.md": text.format(more="")}
    target = {
        "lib/a.py": code.format(parameter="limit=None", call="    record_factor(state)\n"),
        "docs/guide.md": text.format(more="## Packing\n\nHow sequences are packed.\n"),
    }
    source = {"lib/a.py": base["lib/a.py"].replace("prepare()\n", "prepare() or 1\n", 1)}
    result = audited(base, target, source, {**source, "docs/guide.md": base["docs/guide.md"]})
    assert all(f.open for f in result.findings)
    assert [(f.rule, f.path, f.line) for f in result.findings] == [  # behind what stood before it
        ("lost-lines", "docs/guide.md", 3),
        ("lost-section", "docs/guide.md", 3),
        ("lost-parameter", "lib/a.py", 1),
        ("lost-call", "lib/a.py", 2),
    ]
    assert "(line 3 there)" in result.findings[3].message


def test_a_dropped_import_is_put_back() -> None:
    plain = "import os\n\n\ndef scope():\n    return os.name\n"
    base = {"lib/scope.py": "class Scope:\n    FULL = 1\n", "lib/plan.py": plain}
    target = {
        "lib/plan.py": plain.replace("os.name", "Scope.FULL").replace(
            "import os", "from lib.scope import Scope"
        )
    }
    merged = {"lib/plan.py": plain.replace("os.name", "Scope.FULL")}
    result = audited(base, target, {"lib/plan.py": plain + "# main\n"}, merged)
    assert b"from lib.scope import Scope\n" in result.changes["lib/plan.py"]
    assert told(result) == [("undefined-name", "repaired", "lib/plan.py")]


def test_a_class_that_went_while_its_flag_and_its_test_stayed() -> None:
    arguments = (
        "import argparse\n\n\ndef parse():\n"
        "    parser = argparse.ArgumentParser()\n"
        "    parser.add_argument('--lr')\n{more}    return parser.parse_args()\n"
    )
    flag = "    parser.add_argument('--use-warm-start')\n"
    layer = "class Layer:\n    def __init__(self, args):\n        self.rate = args.lr\n{more}"
    warm = (
        "\n\nclass WarmStart:\n    def __init__(self, args):\n"
        "        self.on = args.use_warm_start\n"
    )
    base = {"lib/arguments.py": arguments.format(more=""), "lib/layer.py": layer.format(more="")}
    target = {
        "lib/arguments.py": arguments.format(more=flag),
        "lib/layer.py": layer.format(more=warm),
        "tests/test_layer.py": (
            "from lib.layer import WarmStart\n\n\ndef test_warm():\n" "    assert WarmStart\n"
        ),
    }
    source = {"lib/layer.py": layer.format(more="        self.depth = 1\n")}
    merged = {**target, **source}
    result = audited(base, target, source, merged)
    rules = {(f.rule, f.disposition.value) for f in result.findings}
    assert b"class WarmStart" in result.changes["lib/layer.py"]
    assert b"self.depth = 1" in result.changes["lib/layer.py"]
    assert ("unknown-import", "repaired") in rules and ("unread-option", "repaired") in rules
    assert ("lost-definition", "restored") in rules and not [f for f in result.findings if f.open]


def test_an_argument_that_only_the_other_side_defines() -> None:
    def files(name: str, more: str = "") -> dict[str, str]:
        flag = name.replace("_", "-")
        return {
            "lib/arguments.py": f"def add(parser):\n    parser.add_argument('--{flag}')\n",
            "lib/train.py": f"def train(args):\n    return args.{name}{more}\n",
        }

    base = files("context_parallel")
    target, source = files("dynamic_context_parallel"), files("hybrid_context_parallel")
    merged = {
        "lib/arguments.py": target["lib/arguments.py"],
        "lib/train.py": source["lib/train.py"],
    }
    result = audited(base, target, source, merged)
    found = {(f.rule, f.path): f.message for f in result.findings}
    assert "args.hybrid_context_parallel" in found[("unknown-argument", "lib/train.py")]
    assert all(f.open for f in result.findings) and not result.changes


def test_an_item_that_caller_and_callee_both_remove() -> None:
    queue = (
        "class Queue:\n    def __init__(self):\n        self.groups = []\n\n"
        "    def bulk(self, group):\n        self.bulk_group(group)\n{caller}\n"
        "    def bulk_group(self, group):\n        group.offload()\n{callee}"
    )
    caller, callee = "        self.groups.remove(group)\n", "        self.groups.pop()\n"
    base = {"lib/queue.py": queue.format(caller="", callee="")}
    target = {"lib/queue.py": queue.format(caller="", callee=callee)}
    source = {"lib/queue.py": queue.format(caller=caller, callee="")}
    merged = {"lib/queue.py": queue.format(caller=caller, callee=callee)}
    finding = only(audited(base, target, source, merged))
    assert (finding.rule, finding.open) == ("removed-twice", True)
    assert "Queue.bulk" in finding.message and "self.groups" in finding.message


def test_a_helper_that_does_not_exist_and_the_lesson_of_its_file() -> None:
    net = "class Net:\n    def forward(self, x):\n        return {body}\n{more}"
    helper = "\n    def _resolve(self, x):\n        return x + 1\n"
    own = "\n    def _mine(self, x):\n        return x * 2\n"
    base = {"lib/net.py": net.format(body="x", more="")}
    target = {"lib/net.py": net.format(body="self._mine(x)", more=own)}
    source = {"lib/net.py": net.format(body="self._resolve(x)", more=helper)}
    merged = {"lib/net.py": net.format(body="self._resolve(x)", more=own)}
    lesson = FileLesson(path="lib/net.py", when="undefined-call", take="target")
    policy = SyncPolicy(mode="sync", paths=PathRules(lessons=(lesson,)))
    result = audited(base, target, source, merged, policy=policy)
    assert result.changes["lib/net.py"].decode() == target["lib/net.py"]
    without = audited(base, target, source, merged)
    assert b"def _resolve" in without.changes["lib/net.py"]


def test_a_base_class_against_its_implementer() -> None:
    base_class = "class Scheduler:\n    def plan(self, batch{more}):\n        return batch\n"
    own = (
        "from lib.base import Scheduler\n\n\nclass Packing(Scheduler):\n"
        "    def plan(self, batch):\n        return [batch]\n"
    )
    base = {"lib/base.py": base_class.format(more="")}
    source = {"lib/base.py": base_class.format(more=", group=None")}
    result = audited(base, {"lib/packing.py": own}, source, {"lib/packing.py": own, **source})
    finding = only(result)
    assert (finding.rule, finding.path) == ("base-against-implementer", "lib/packing.py")
    assert "'group'" in finding.message and finding.open


def test_a_name_that_main_moved_to_another_file_is_not_lost() -> None:
    helper = "def helper(value):\n    total = value + 1\n    return total * 2\n"
    base = {"lib/a.py": "LIMIT = 1\n"}
    target = {"lib/a.py": "LIMIT = 1\n\n\n" + helper}
    merged = {"lib/a.py": "LIMIT = 2\n", "lib/b.py": helper}
    assert not audited(base, target, {"lib/a.py": "LIMIT = 2\n"}, merged).findings


def test_reformatting_is_no_loss() -> None:
    base = {"lib/a.py": "def run(a):\n    return a\n"}
    target = {
        "lib/a.py": (
            "def run(a, b='x'):\n    value = compute(a, b, limit=3)\n"
            "    return value\n\ndef compute(a, b, limit):\n    return a\n"
        )
    }
    merged = {
        "lib/a.py": (
            'def run(\n    a,\n    b="x",\n):\n    value = compute(\n        a,\n'
            "        b,\n        limit=3,\n    )\n    return value\n\n\n"
            "def compute(a, b, limit):\n    return a\n"
        )
    }
    assert not audited(base, target, {"lib/a.py": base["lib/a.py"] + "# main\n"}, merged).findings


def test_what_main_once_had_and_removed_was_meant() -> None:
    feature = "def feature(value):\n    return value + 41\n"
    base = {"lib/a.py": "LIMIT = 1\n"}
    target = {"lib/a.py": "LIMIT = 1\n\n\n" + feature}
    source = {"lib/a.py": "LIMIT = 2\n"}
    past = (
        Past("c3", b"LIMIT = 2\n"),
        Past("c2", b"LIMIT = 1\n"),
        Past("c1", ("LIMIT = 1\n\n\n" + feature).encode()),
    )
    history = Told({(Side.SOURCE, "lib/a.py"): past})
    finding = only(audited(base, target, source, source, history=history))
    assert (finding.rule, finding.disposition) == ("lost-definition", Disposition.INTENDED)
    assert finding.evidence == ("c2",)


def test_what_was_broken_before_is_not_the_merges() -> None:
    broken = {
        "lib/a.py": (
            "from lib.b import missing\n\n\ndef run(args):\n" "    return missing(args.nothing)\n"
        )
    }
    base = {**broken, "lib/b.py": "def here(x):\n    return x\n"}
    source = {"lib/b.py": "def here(x, y=1):\n    return x\n"}
    assert not audited(base, {}, source, source).findings


def test_the_same_trees_give_the_same_answer() -> None:
    base = {**_offload("group_commit"), **_caller("group_commit")}
    renamed = _offload("group_offload")
    source = _caller("group_commit", more=" or tensor")
    once, twice = (audited(base, renamed, source, {**renamed, **source}) for _ in range(2))
    assert once == twice


def test_a_file_that_policy_guards_is_never_edited() -> None:
    base = {**_offload("group_commit"), **_caller("group_commit")}
    renamed = _offload("group_offload")
    source = _caller("group_commit", more=" or tensor")
    policy = SyncPolicy(mode="sync", paths=PathRules(always_target=("/lib/caller.py",)))
    target = {**renamed, **_caller("group_offload")}
    result = audited(base, target, source, {**renamed, **source}, policy=policy)
    assert not result.changes and [f.rule for f in result.findings if f.open] == [
        "unknown-attribute"
    ]


def test_a_registry_that_names_a_lost_class() -> None:
    code = "class Plain:\n    pass\n{more}"
    registry = "LAYERS = {{'plain': 'Plain'{more}}}\n"
    base = {"lib/layers.py": code.format(more=""), "lib/registry.py": registry.format(more="")}
    target = {
        "lib/layers.py": code.format(more="\n\nclass WarmLayer:\n    pass\n"),
        "lib/registry.py": registry.format(more=", 'warm': 'WarmLayer'"),
    }
    source = {"lib/layers.py": code.format(more="    # main\n")}
    result = audited(base, target, source, {**target, **source})
    assert told(result) == [
        ("lost-definition", "open", "lib/layers.py"),
        ("lost-class", "open", "lib/registry.py"),
    ]
