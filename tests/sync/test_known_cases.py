"""Every case that sync.md and its source name, as a repository: merged for real, found, repaired or
reported, and nothing else reported."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from support.candidates import Made, merged, sync_policy
from support.repos import Content

Files = dict[str, Content]


@dataclass(frozen=True)
class Case:
    """Two branches that went on from one commit, and what must come of them.

    :param found: rule, disposition and path of every finding.
    :param holds: path -> what its text must hold afterwards.
    :param lacks: path -> what it must not.
    """

    base: Files
    target: Files
    source: Files
    found: tuple[str, ...] = ()
    holds: dict[str, str] = field(default_factory=dict)
    lacks: dict[str, str] = field(default_factory=dict)
    policy: dict[str, Any] = field(default_factory=dict)


OFFLOAD = """\
class Interface:
    @staticmethod
    def {name}(tensor, group):
        queue = [tensor]
        for item in queue:
            item.offload(group)
        return queue
{more}"""
ATTENTION = """\
from lib.offload import Interface as off_interface


def attention(tensor):
    return off_interface.{name}(tensor, "attention")
"""
LATENT = ATTENTION.replace("def attention", "def latent").replace('"attention"', '"latent"')
TWO = """
    @staticmethod
    def group_commit_later(tensor, group):
        later = [group, tensor]
        return later
"""


def _offload(name: str, more: str = "") -> Files:
    return {
        "lib/offload.py": OFFLOAD.format(name=name, more=more),
        "lib/attention.py": ATTENTION.format(name=name),
    }


CHUNK = """\
class Interface:
    def init_chunk_handler(self, {parameters}):
        return ({parameters})
"""
MODEL = """\
from lib.chunk import Interface


def build({parameters}):
    interface = Interface()
    return interface.init_chunk_handler({parameters})
"""
THREE, SIX = "a, b, c", "a, b, c, d, e, f"

ARGUMENTS = """\
import argparse


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate")
    parser.add_argument("--{flag}")
    return parser.parse_args()
"""
READER = """\
def {function}(args):
    return args.{name}, args.rate
"""

QUEUE = """\
class Queue:
    def __init__(self):
        self.groups = []

    def bulk_offload(self, group):
        self.bulk_offload_group(group)
{caller}
    def count(self):
        return len(self.groups)

    def first(self):
        return self.groups[0]

    def bulk_offload_group(self, group):
        group.offload()
{callee}"""

NET = """\
from lib.core import Core


class Net(Core):
    def forward(self, x):
        y = x * 2
{body}        return y
"""
CORE = """\
class Core:
    def __init__(self, width):
        self.width = width
{more}"""
HELPER = '''
    def _resolve_cu_seqlens(self, y):
        """Main's helper."""
        return y + self.width
'''

SCHEDULER = '''\
class Scheduler:
    def plan(self, batch{more}):
        """What to do with a batch."""
        raise NotImplementedError
'''
PACKING = """\
from lib.scheduler import Scheduler


class Packing(Scheduler):
    def plan(self, batch):
        return [batch]
"""

WARM = '''\


class WarmStart:
    """Starts slowly."""

    def __init__(self, args):
        self.on = args.use_warm_start
'''
LAYER = """\
class Layer:
    def __init__(self, args):
        self.rate = args.rate
{more}"""

STEP = """\
def step(state{parameter}):
    total = state.first()
{call}    return total


def record(total):
    return total


def other(state):
    return step(state{argument})
"""
REWRITTEN = '''\
def step(state):
    """Goes through all of it."""
    for item in state.everything():
        item.advance()
    return state.sum_of(item)


def record(total):
    return total


def other(state):
    return [step(item) for item in state]
'''
TAKER = """\
def take(state{parameter}):
    return [state]
"""
GIVER = """\
from lib.a import take

LIMIT = 3


def give(state):
    return take(state{argument})
"""
SCOPE = """\
class Scope:
    FULL = 1
"""
PLAN = """\
{imported}


def plan():
    return os.name
"""

STATE = """\
def initialize(*, {name}=False{more}):
    return {name}
"""
START = """\
from lib.state import initialize


def start(args):
    initialize({name}=args.{name})
"""
SPECS = """\
def layers({parameters}):
{body}

def one_more(config):
    return config
"""
BODY = """\
    found = []
    for number in range(config.layers):
        found.append(number)
    return found
"""
TARGETS_BODY = """\
    backend = variant_of(config, variant)
    return [backend(number) for number in range(config.layers)]


def variant_of(config, variant):
    return variant or config.make
"""
SOURCES_BODY = """\
    kitchen = setup.kitchen or setup.oven(setup.layers)
    kitchen.heat(setup.degrees)
    return kitchen.cook(setup.layers)
"""

CASES = {
    "a call of a renamed method": Case(
        base=_offload("group_commit"),
        target=_offload("group_offload"),
        source={"lib/latent.py": LATENT.format(name="group_commit")},
        found=("unknown-attribute repaired lib/latent.py",),
        holds={"lib/latent.py": 'off_interface.group_offload(tensor, "latent")'},
    ),
    "a method that may have become one of two": Case(
        base=_offload("group_commit"),
        target=_offload("group_commit_now", TWO),
        source={"lib/latent.py": LATENT.format(name="group_commit")},
        found=("unknown-attribute open lib/latent.py",),
        holds={"lib/latent.py": "off_interface.group_commit(tensor"},
    ),
    "three arguments where six are required": Case(
        base={
            "lib/chunk.py": CHUNK.format(parameters=THREE),
            "lib/gpt.py": MODEL.format(parameters=THREE),
        },
        target={
            "lib/chunk.py": CHUNK.format(parameters=SIX),
            "lib/gpt.py": MODEL.format(parameters=SIX),
        },
        source={"lib/mamba.py": MODEL.format(parameters=THREE)},
        found=("missing-argument open lib/mamba.py",),
    ),
    "an argument whose option the target renamed": Case(
        base={
            "lib/arguments.py": ARGUMENTS.format(flag="context-parallel"),
            "lib/gpt.py": READER.format(function="run", name="context_parallel"),
        },
        target={
            "lib/arguments.py": ARGUMENTS.format(flag="dynamic-context-parallel"),
            "lib/gpt.py": READER.format(function="run", name="dynamic_context_parallel"),
        },
        source={"lib/mamba.py": READER.format(function="go", name="context_parallel")},
        found=("unknown-argument repaired lib/mamba.py",),
        holds={"lib/mamba.py": "return args.dynamic_context_parallel, args.rate"},
    ),
    "an argument that only one side defines": Case(
        base={
            "lib/arguments.py": ARGUMENTS.format(flag="depth"),
            "lib/gpt.py": READER.format(function="run", name="depth"),
        },
        target={"lib/arguments.py": ARGUMENTS.format(flag="dynamic-context-parallel")},
        source={
            "lib/arguments.py": ARGUMENTS.format(flag="hybrid-context-parallel"),
            "lib/mamba.py": READER.format(function="go", name="hybrid_context_parallel"),
        },
        policy={"paths": {"always-target": ["/lib/arguments.py"]}},
        found=("unknown-argument open lib/mamba.py",),
    ),
    "an option that is lost while it is read": Case(
        base={"lib/arguments.py": ARGUMENTS.format(flag="depth")},
        target={
            "lib/arguments.py": ARGUMENTS.format(flag="depth").replace(
                "    return", '    parser.add_argument("--warm")\n    return'
            ),
            "lib/gpt.py": READER.format(function="run", name="warm"),
        },
        source={"lib/arguments.py": ARGUMENTS.format(flag="depth") + "# main\n"},
        policy={"paths": {"whole-source": ["/lib/arguments.py"]}},
        found=("unknown-argument repaired lib/gpt.py",),
        holds={"lib/arguments.py": 'parser.add_argument("--warm")\n    return'},
    ),
    "an item that caller and callee both remove": Case(
        base={"lib/queue.py": QUEUE.format(caller="", callee="")},
        target={"lib/queue.py": QUEUE.format(caller="", callee="        self.groups.pop()\n")},
        source={
            "lib/queue.py": QUEUE.format(caller="        self.groups.remove(group)\n", callee="")
        },
        found=("removed-twice open lib/queue.py",),
    ),
    "a helper that does not exist, under its file's lesson": Case(
        base={"lib/core.py": CORE.format(more=HELPER), "lib/net.py": NET.format(body="")},
        target={
            "lib/core.py": CORE.format(more=""),
            "lib/net.py": NET.format(body="        y = y - 1\n"),
        },
        source={"lib/net.py": NET.format(body="        y = self._resolve_cu_seqlens(y)\n")},
        found=("unknown-attribute repaired lib/net.py",),
        holds={"lib/net.py": "y = y - 1"},
        lacks={"lib/net.py": "_resolve_cu_seqlens"},
        policy={
            "paths": {
                "lessons": [
                    {"path": "lib/net.py", "when": "undefined-call", "take": "target", "why": "x"}
                ]
            }
        },
    ),
    "a helper that does not exist, and no lesson": Case(
        base={"lib/core.py": CORE.format(more=HELPER), "lib/net.py": NET.format(body="")},
        target={"lib/core.py": CORE.format(more="")},
        source={"lib/net.py": NET.format(body="        y = self._resolve_cu_seqlens(y)\n")},
        found=("unknown-attribute open lib/net.py",),
    ),
    "a base class against its implementer": Case(
        base={"lib/scheduler.py": SCHEDULER.format(more="")},
        target={"lib/packing.py": PACKING},
        source={"lib/scheduler.py": SCHEDULER.format(more=", group=None")},
        found=("base-against-implementer open lib/packing.py",),
    ),
    "a class that goes while its flag and its test stay": Case(
        base={
            "lib/arguments.py": ARGUMENTS.format(flag="depth"),
            "lib/layer.py": LAYER.format(more=""),
        },
        target={
            "lib/arguments.py": ARGUMENTS.format(flag="depth").replace(
                "    return", '    parser.add_argument("--use-warm-start")\n    return'
            ),
            "lib/layer.py": LAYER.format(more=WARM),
            "tests/test_layer.py": (
                "from lib.layer import WarmStart\n\n\n" "def test_warm():\n    assert WarmStart\n"
            ),
        },
        source={"lib/layer.py": LAYER.format(more="        self.depth = args.depth\n")},
        policy={"paths": {"whole-source": ["/lib/layer.py"]}},
        found=(
            "unknown-import repaired tests/test_layer.py",
            "unread-option repaired lib/arguments.py",
        ),
        holds={"lib/layer.py": "class WarmStart"},
    ),
    "a parameter, a keyword and a call that the source's rewriting drops": Case(
        base={"lib/step.py": STEP.format(parameter="", call="", argument="")},
        target={
            "lib/step.py": STEP.format(
                parameter=", limit=None", call="    record(total)\n", argument=", limit=3"
            )
        },
        source={"lib/step.py": REWRITTEN},
        found=(
            "lost-call open lib/step.py",
            "lost-keyword open lib/step.py",
            "lost-parameter open lib/step.py",
        ),
    ),
    "a keyword that what is called still takes": Case(
        base={"lib/a.py": TAKER.format(parameter=""), "lib/b.py": GIVER.format(argument="")},
        target={
            "lib/a.py": TAKER.format(parameter=", limit=None"),
            "lib/b.py": GIVER.format(argument=", limit=LIMIT"),
        },
        source={"lib/b.py": GIVER.format(argument="").replace("return take(", "yield from take(")},
        holds={"lib/b.py": "yield from take(state, limit=LIMIT)"},
    ),
    "an import that others take from the file": Case(
        base={"lib/scope.py": SCOPE, "lib/plan.py": PLAN.format(imported="import os")},
        target={
            "lib/plan.py": PLAN.format(imported="import os\n\nfrom lib.scope import Scope"),
            "lib/use.py": "from lib.plan import Scope\n\nFULL = Scope.FULL\n",
        },
        source={"lib/plan.py": PLAN.format(imported="import os").replace("name", "sep")},
        policy={"paths": {"whole-source": ["/lib/plan.py"]}},
        found=("unknown-import repaired lib/use.py",),
        holds={"lib/plan.py": "from lib.scope import Scope"},
    ),
    "a section of the documentation": Case(
        base={"docs/guide.txt": "Intro.\nHow to run it all.\n"},
        target={"docs/guide.txt": "Intro.\nPacked sequences want a mask of their own.\n"},
        source={"docs/guide.txt": "Intro.\nThe whole chapter moved to the handbook.\n"},
        found=("lost-lines open docs/guide.txt",),
    ),
    "an edited form of a line that the source took out": Case(
        base={"docs/guide.txt": "Intro.\nHow to run it all.\n"},
        target={"docs/guide.txt": "Intro.\nHow to run it all, packed sequences and more.\n"},
        source={"docs/guide.txt": "Intro.\nThe whole chapter moved to the handbook.\n"},
        found=("lost-lines intended docs/guide.txt",),
    ),
    "a file that the target deleted and the source's new file imports": Case(
        base={"lib/schedule.py": SCOPE, "lib/spare.py": "SPARE = 1\n"},
        target={"lib/schedule.py": None, "lib/spare.py": None},
        source={"lib/data.py": "from lib.schedule import Scope\n\nFULL = Scope.FULL\n"},
        found=("deleted-file restored lib/schedule.py",),
        holds={"lib/schedule.py": "class Scope"},
    ),
    "a file that the source deleted and the target's code still imports": Case(
        base={"lib/schedule.py": SCOPE},
        target={"lib/data.py": "from lib import schedule\n\nFULL = schedule.Scope.FULL\n"},
        source={"lib/schedule.py": None},
        found=("unknown-import repaired lib/data.py",),
        holds={"lib/schedule.py": "class Scope"},
    ),
    "a file that the target deleted and nothing needs": Case(
        base={"lib/schedule.py": SCOPE},
        target={"lib/schedule.py": None},
        source={"lib/data.py": "FULL = 1\n"},
    ),
    "a keyword whose parameter the target renamed, in a file that is always the source's": Case(
        base={
            "lib/state.py": STATE.format(name="hybrid_context_parallel", more=""),
            "lib/start.py": START.format(name="hybrid_context_parallel"),
        },
        target={
            "lib/state.py": STATE.format(name="dynamic_context_parallel", more=""),
            "lib/start.py": START.format(name="dynamic_context_parallel"),
        },
        source={"lib/start.py": START.format(name="hybrid_context_parallel") + "    return args\n"},
        policy={"paths": {"always-source": ["/lib/start.py"]}},
        found=("unknown-keyword repaired lib/start.py",),
        holds={"lib/start.py": "dynamic_context_parallel=args.dynamic_context_parallel"},
    ),
    "a keyword that the source alone has taken out": Case(
        base={
            "lib/state.py": STATE.format(name="rank", more=", old=False"),
            "lib/start.py": START.format(name="rank").replace("args.rank", "args.rank, old=True"),
        },
        target={
            "lib/start.py": START.format(name="rank").replace(
                "args.rank", "args.rank or 1, old=True"
            )
        },
        source={
            "lib/state.py": STATE.format(name="rank", more=""),
            "lib/start.py": START.format(name="rank"),
        },
        policy={"paths": {"whole-target": ["/lib/start.py"]}},
        found=("unknown-keyword repaired lib/start.py",),
        holds={"lib/start.py": "initialize(rank=args.rank or 1)"},
    ),
    "a keyword that the source's definition, which is its own by policy, does not take": Case(
        base={
            "lib/state.py": STATE.format(name="rank", more=""),
            "lib/start.py": START.format(name="rank"),
        },
        target={
            "lib/state.py": STATE.format(name="rank", more=", on_this_rank=False"),
            "lib/start.py": START.format(name="rank").replace(
                "rank=args.rank", "rank=args.rank, on_this_rank=args.on_this_rank"
            ),
        },
        source={"lib/state.py": STATE.format(name="rank", more="") + "\n\nSIZE = 1\n"},
        policy={"paths": {"always-source": ["/lib/state.py"]}},
        found=("unknown-keyword repaired lib/start.py",),
        holds={"lib/start.py": "initialize(rank=args.rank)"},
    ),
    "a function that both sides rewrote, and all of whose callers go by the target's": Case(
        base={"lib/specs.py": SPECS.format(parameters="config", body=BODY)},
        target={
            "lib/specs.py": SPECS.format(parameters="config, variant=None", body=TARGETS_BODY),
            "lib/build.py": (
                "from lib.specs import layers\n\n\ndef build(config):\n"
                "    return layers(config, variant=config.variant)\n"
            ),
        },
        source={"lib/specs.py": SPECS.format(parameters="setup", body=SOURCES_BODY)},
        found=(
            "lost-call open lib/specs.py",  # the source's, in whose place it stands
            "lost-call restored lib/specs.py",
            "lost-parameter open lib/specs.py",
            "lost-parameter restored lib/specs.py",
            "unknown-keyword repaired lib/build.py",
        ),
        holds={"lib/specs.py": "variant_of(config, variant)"},
    ),
}


def _merged(case: Case, tmp_path: Path) -> Made:
    base: Files = {**case.base, "lib/__init__.py": ""}
    return merged(tmp_path, base, case.target, case.source, sync_policy(**case.policy))


@pytest.mark.parametrize("name", CASES)
def test_is_found_and_nothing_else(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    made = _merged(case, tmp_path)
    found = [f"{f.rule} {f.disposition} {f.path}" for f in made.candidate.findings]
    assert sorted(found) == sorted(case.found), made.candidate.findings
    for path, text in case.holds.items():
        assert text in made.tree[path].decode(), made.tree[path].decode()
    for path, text in case.lacks.items():
        assert text not in made.tree[path].decode()


def test_a_circle_that_sorting_makes_is_undone_in_that_package_alone(tmp_path: Path) -> None:
    models = {
        "lib/models/base.py": "class Base:\n    pass\n",
        "lib/models/gpt.py": "from lib.models import Base\n\n\nclass Gpt(Base):\n    pass\n",
        "lib/models/abc.py": "from lib.models import Base\n\n\nclass Abc(Base):\n    pass\n",
        "lib/models/__init__.py": "from .base import Base\nfrom .gpt import Gpt\n",
        "lib/__init__.py": "",
    }
    init = "from .base import Base\nfrom .abc import Abc\nfrom .gpt import Gpt\nX = { 'a':1 }\n"
    made = merged(
        tmp_path,
        models,
        {"t": "1\n"},
        {"lib/models/__init__.py": init, "lib/use.py": "import sys\nimport os\n"},
        sync_policy(format={"scope": "changed"}),
    )
    (finding,) = made.candidate.findings
    assert (finding.rule, finding.path) == ("import-circle", "lib/models/__init__.py")
    text = made.tree["lib/models/__init__.py"].decode()
    assert text.index(".base") < text.index(".abc") and 'X = {"a": 1}' in text
    assert made.tree["lib/use.py"] == b"import os\nimport sys\n"
    assert made.candidate.formatted == ("lib/models/__init__.py", "lib/use.py")
