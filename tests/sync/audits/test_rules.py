"""Single rules on single trees: what they report, and what they leave alone because it is not
certain."""

from __future__ import annotations

import pytest

from nightshift.sync.audits.compare import faults_in
from nightshift.sync.audits.files_named import check as check_text
from nightshift.sync.audits.values import Complaint
from support.trees import Files, audited, resolver, told

LIB = {
    "lib/spec.py": "class Spec:\n    def __init__(self, module, params): ...\n",
    "lib/__init__.py": "",
    "lib/shape.py": (
        "class Shape:\n    LIMIT = 1\n\n    def area(self, scale=1):\n"
        "        return scale\n\n    @property\n    def name(self):\n"
        "        return ''\n"
    ),
    "lib/tools.py": (
        "def fold(value, *, by=2):\n    return value\n\n\n"
        "def spread(*args, **kwargs):\n    return args\n"
    ),
}


def _rules(files: Files, path: str = "main.py") -> list[tuple[str, int]]:
    return [(f.rule, f.line) for f in faults_in(resolver({**LIB, **files}), [path])]


BROKEN = {
    "name": ("from lib.tools import bend\n", ("unknown-import", 1)),
    "module": ("import lib.bend\n", ("unknown-import", 1)),
    "relative": ("from .lib.tools import bend\n", ("unknown-import", 1)),
    "module attribute": ("import lib.tools as t\nt.bend(1)\n", ("unknown-attribute", 2)),
    "method of a local": (
        "from lib.shape import Shape\ns = Shape()\ns.volume()\n",
        ("unknown-attribute", 3),
    ),
    "method of a parameter": (
        "from lib.shape import Shape\ndef f(s: 'Shape | None'):\n    return s.volume()\n",
        ("unknown-attribute", 3),
    ),
    "own method": (
        "class A:\n    def f(self):\n        return self.g()\n",
        ("unknown-attribute", 3),
    ),
    "inherited method, wrong keyword": (
        (
            "from lib.shape import Shape\nclass A(Shape):\n    def f(self):\n"
            "        return self.area(size=1)\n"
        ),
        ("unknown-keyword", 4),
    ),
    "super": (
        (
            "from lib.shape import Shape\nclass A(Shape):\n    def f(self):\n"
            "        return super().area(1, 2)\n"
        ),
        ("too-many-arguments", 4),
    ),
    "keyword": ("from lib.tools import fold\nfold(1, at=2)\n", ("unknown-keyword", 2)),
    "too many": ("from lib.tools import fold\nfold(1, 2)\n", ("too-many-arguments", 2)),
    "missing": ("from lib.tools import fold\nfold(by=1)\n", ("missing-argument", 2)),
    "partial": (
        "from functools import partial\nfrom lib.tools import fold\nf = partial(fold, at=2)\n",
        ("unknown-keyword", 3),
    ),
    "built from a specification": (
        (
            "from lib.spec import Spec\nclass Layer:\n    def __init__(self, config, size): ...\n"
            "s = Spec(module=Layer, params={'size': 1, 'depth': 2})\n"
        ),
        ("unknown-keyword", 4),
    ),
    "handed on": (
        (
            "from lib.tools import fold\ndef build(*args, **kwargs):\n    by = kwargs.get('by')\n"
            "    return [by, fold(*args, **kwargs)]\nbuild(1, at=2)\n"
        ),
        ("unknown-keyword", 5),
    ),
    "dataclass": (
        (
            "from dataclasses import dataclass\n@dataclass\nclass A:\n    x: int\n"
            "    y: int = 0\nA(1, z=2)\nprint(A(1).x, A(1).y)\n"
        ),
        ("unknown-keyword", 6),
    ),
    "export": ("__all__ = ['here', 'gone']\nhere = 1\n", ("unknown-export", 1)),
    "text": ("PATH = 'lib.shape.Circle'\n", ("unknown-mention", 1)),
    "argument": ("def f(args):\n    return args.rate\n", ("unknown-argument", 2)),
    "undefined": ("def f():\n    return helper()\n", ("undefined-name", 2)),
    "abstract": (
        (
            "from abc import ABC, abstractmethod\nclass A(ABC):\n"
            "    @abstractmethod\n    def f(self): ...\nclass B(A):\n    x = 1\n"
        ),
        ("base-against-implementer", 5),
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_certain_is_reported_once(name: str) -> None:
    text, expected = BROKEN[name]
    assert _rules({"main.py": text}) == [expected]


FINE = {
    "expected to fail": (
        "try:\n    from lib.tools import bend\nexcept ImportError:\n" "    bend = None\n"
    ),
    "outside package": "from torch import bend\nimport torch.nn\ntorch.nn.bend(1)\n",
    "bound in two ways": "import lib.tools as t\nif input():\n    import json as t\nt.bend()\n",
    "shadowed": "from lib.tools import fold\ndef f(fold):\n    return fold(at=1)\n",
    "comprehension": "from lib.tools import fold\nx = [fold(at=1) for fold in []]\n",
    "stars": "from lib.tools import fold, spread\nfold(*[1, 2], **{'at': 1})\nspread(1, 2, x=3)\n",
    "tested": (
        "from lib.shape import Shape\ns = Shape()\nif hasattr(s, 'volume'):\n" "    s.volume()\n"
    ),
    "outside base": (
        "from torch import Module\nclass A(Module):\n    def f(self):\n"
        "        return self.g(1)\n"
    ),
    "set on self": "class A:\n    def f(self):\n        self.g = print\n        self.g(1, 2)\n",
    "set from outside": "class A:\n    def f(self):\n        return self.g\na = A()\na.g = 1\n",
    "dynamic class": "class A:\n    def __getattr__(self, name):\n        return name\nA().any\n",
    "decorated": "import functools\n@functools.singledispatch\ndef f(a): ...\nf(1, 2)\n",
    "static and class methods": (
        "class A:\n    @staticmethod\n    def f(x): ...\n    @classmethod\n"
        "    def g(cls, x): ...\nA.f(1)\nA.g(1)\nA().f(1)\nA().g(1)\n"
    ),
    "option": (
        "def f(parser):\n    parser.add_argument('--the-rate', '-r')\n"
        "    args = parser.parse_args()\n    return args.the_rate\n"
    ),
    "option from a class": (
        "import argparse\nfrom dataclasses import dataclass\n@dataclass\n"
        "class C:\n    rate: int = 1\ndef f(args):\n"
        "    fill(argparse.ArgumentParser(), C)\n    return args.rate\n"
        "def fill(parser, cls): return parser, cls\n"
    ),
    "partial with the rest to come": (
        "from functools import partial\nfrom lib.tools import fold\nf = partial(fold, by=2)\n"
    ),
    "built from a specification with the rest to come": (
        "from lib.spec import Spec\nclass Layer:\n    def __init__(self, config, size): ...\n"
        "s = Spec(module=Layer, params={'size': 1})\nt = Spec(Layer, params={**s, 'size': 2})\n"
    ),
    "handed on in part": (
        "from lib.tools import fold\ndef build(*args, **kwargs):\n    kwargs.pop('at')\n"
        "    return fold(*args, **kwargs)\nbuild(1, at=2)\n"
    ),
    "hands on to itself": (
        "def build(*args, **kwargs):\n    return build(*args, **kwargs)\nbuild(1, at=2)\n"
    ),
    "variadic": "def f(*args):\n    return args.count(1)\n",
    "lazy module": "def __getattr__(name):\n    return name\n__all__ = ['any']\n",
    "no path of ours": "X = 'a.b.c'\nY = 'lib'\nZ = 'torch.nn.Linear'\n",
    "metaclass": (
        "class M(type):\n    def f(cls): ...\nclass A(metaclass=M):\n    pass\n" "A.f()\nA.g()\n"
    ),
    "new": "class A:\n    def __new__(cls, x):\n        return object.__new__(cls)\nA(1)\n",
    "nested class": "class A:\n    class B:\n        def f(self): ...\n    x = B()\nA.B().f()\n",
}


@pytest.mark.parametrize("name", FINE)
def test_what_is_not_certain_is_left_alone(name: str) -> None:
    assert _rules({"main.py": FINE[name]}) == []


def test_a_file_that_does_not_parse_is_not_the_rules_business() -> None:
    assert _rules({"main.py": "def f(:\n"}) == []


def test_a_package_that_imports_its_own_module_is_followed() -> None:
    pack = "from lib import tools\nother = tools\n"
    files = {"lib/__init__.py": pack, "main.py": "from lib import other\nother.fold(1, at=2)\n"}
    assert _rules(files) == [("unknown-keyword", 2)]


def test_a_yaml_spec_and_a_script_that_point_nowhere() -> None:
    spec = "model:\n  _target_: lib.shape.Circle\n  other: lib.shape.Shape\n# lib.shape.Gone\n"
    tree = resolver(
        {**LIB, "run/spec.yaml": spec, "run/go.sh": "python run/gone.py\npython lib/tools.py\n"}
    )
    assert [(f.message, f.line) for f in check_text(tree, "run/spec.yaml")] == [
        ("names 'lib.shape.Circle', which does not exist", 2)
    ]
    assert [f.line for f in check_text(tree, "run/go.sh")] == [1]


def test_a_fault_of_a_parent_in_a_renamed_file_is_not_the_merges() -> None:
    broken = "from lib.tools import bend\nbend()\n"
    base = {**LIB, "old.py": broken}
    names = (dict(base), {**LIB, "new.py": broken})
    merged = resolver(names[1])
    from nightshift.sync.audits.compare import new_faults  # pylint: disable=import-outside-toplevel

    parents = [resolver(names[0]), resolver(names[0])]
    assert not new_faults(merged, parents, merged.index.python)


def test_complaints_of_a_type_checker_are_the_merges_own_and_not_said_twice() -> None:
    base = {**LIB, "a.py": "x = 1\n"}
    source = {"a.py": "from lib.tools import bend\nx = 2\n"}

    def check(view: object) -> list[Complaint]:
        text = view.read("a.py").decode()  # type: ignore[attr-defined]
        always = [Complaint("a.py", 9, "old", "Was always so")]
        if "bend" not in text:
            return always
        said = [
            Complaint("a.py", 1, "missing-attribute", "Module `lib.tools` has no member `bend`")
        ]
        return [
            *always,
            *said,
            Complaint("a.py", 2, "call", "Object of type `int` is not callable"),
        ]

    merged = {"a.py": "from lib.tools import bend\nx = 1\n"}
    result = audited(base, {}, {"a.py": "x = 2\n"}, merged, check=check)
    assert told(result) == [
        ("unknown-import", "open", "a.py"),
        ("type-checker-call", "open", "a.py"),
    ]
    assert source != merged


def test_a_complaint_of_a_parent_in_a_renamed_file_is_not_the_merges() -> None:
    def check(view: object) -> list[Complaint]:
        paths = view.entries()  # type: ignore[attr-defined]
        return [Complaint(p, 1, "import", "Cannot resolve `torch`") for p in paths]

    base = {"old.py": "import torch\n", "other.py": "x = 1\n"}
    assert not audited(base, {}, {}, {"new.py": base["old.py"]}, check=check).findings
