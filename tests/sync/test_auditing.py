"""The audits inside a candidate: evidence from both histories, the type checker, the same answer
each time."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from nightshift.adapters.git.repository import GitRepository
from nightshift.adapters.tools import ty
from nightshift.adapters.tools.style import style_of
from nightshift.errors import HostError
from nightshift.ports import TreeView
from nightshift.sync.audits.values import Complaint, TypeChecker
from nightshift.sync.candidate import Candidate
from nightshift.sync.prepare import Tools, Until, prepare
from support.candidates import AT, candidate_of, sync_policy
from support.repos import Repo, diverged

FEATURE = "\n\ndef feature(value):\n    return value + 41\n"
CALLEE = "class Interface:\n    def {name}(self, tensor, group):\n        return tensor, group\n"
CALLER = (
    "from lib.interface import Interface\n\n\ndef {function}(tensor):\n"
    "    interface = Interface()\n    return interface.{name}(tensor, {function!r})\n"
)


def _broken(path: Path) -> Repo:
    """Main calls in new files what dev has renamed, and one thing that only ty sees."""
    base = {
        "lib/__init__.py": "",
        "lib/interface.py": CALLEE.format(name="group_commit"),
        "lib/a.py": CALLER.format(function="a", name="group_commit"),
        "lib/text.py": "def shout(text: str) -> str:\n    return text.upper()\n",
    }
    target = {
        "lib/interface.py": CALLEE.format(name="group_offload"),
        "lib/a.py": CALLER.format(function="a", name="group_offload"),
        "lib/text.py": "def shout(text: str) -> list[str]:\n    return [text.upper()]\n",
    }
    source = {
        **{f"lib/b{n}.py": CALLER.format(function=f"b{n}", name="group_commit") for n in range(9)},
        "lib/c.py": "from lib.text import shout\n\n\ndef c():\n    return shout('x').lower()\n",
    }
    return diverged(path / "repo", base, target, source)


def _candidate(repo: Repo, check: TypeChecker | None, until: Until = Until.FORMAT) -> Candidate:
    ticks = itertools.count()
    tools = Tools(style_of, lambda: float(next(ticks)), check)
    with GitRepository.of_checkout(repo.path) as git:
        found = prepare(git, sync_policy(), "dev", "main", at=AT, tools=tools, until=until)
    assert found is not None
    return found


def test_the_type_checker_adds_what_our_rules_do_not_see(tmp_path: Path) -> None:
    repo = _broken(tmp_path)
    one = _candidate(repo, ty.checker())
    found = {(f.rule, f.disposition.value, f.path) for f in one.findings}
    assert ("type-checker-missing-attribute", "open", "lib/c.py") in found
    assert ("unknown-attribute", "repaired", "lib/b3.py") in found and len(found) == 10
    assert not [step for step in one.steps_not_done if "type checker" in step]


def test_twice_the_same_candidate_but_for_the_seconds(tmp_path: Path) -> None:
    repo = _broken(tmp_path)
    one, two = (_candidate(repo, ty.checker()) for _ in range(2))
    assert one == two
    assert {"audit", "audit: call-mismatch", "audit: type checker"} <= one.seconds.keys()


def test_a_type_checker_that_fails_ends_nothing_and_is_named(tmp_path: Path) -> None:
    def check(_: TreeView) -> list[Complaint]:
        raise HostError("it ran out of memory.")

    candidate = _candidate(_broken(tmp_path), check)
    assert any("it ran out of memory." in step for step in candidate.steps_not_done)
    assert [f for f in candidate.findings if f.rule == "unknown-attribute"]


def test_no_type_checker_is_named(tmp_path: Path) -> None:
    assert any("none is installed" in s for s in _candidate(_broken(tmp_path), None).steps_not_done)


@pytest.mark.parametrize("until", Until)
def test_the_audits_run_when_they_are_asked_for(until: Until, tmp_path: Path) -> None:
    candidate = _candidate(_broken(tmp_path), None, until)
    asked = until >= Until.AUDIT
    assert bool(candidate.findings) == asked
    assert any("audits were left out" in step for step in candidate.steps_not_done) != asked


STEP = "def step(state):\n    total = state.first()\n{call}    return total\n"
OTHER = (
    "def step(state):\n    for item in state.every():\n        item.go()\n    return item.sum()\n"
)


def test_what_the_source_once_had_and_took_out_was_meant(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "r")
    repo.commit({"lib/a.py": STEP.format(call="")}, "base")
    repo.branch("main")
    longer = STEP.format(call="    record_scaling_factor(total)\n")
    repo.commit({"lib/a.py": longer}, "a copy of dev's")
    removed = repo.commit({"lib/a.py": OTHER}, "do it another way")
    repo.switch("dev")
    repo.commit({"lib/a.py": longer}, "dev's own")
    (finding,) = candidate_of(repo, sync_policy()).candidate.findings
    assert (finding.rule, finding.disposition.value) == ("lost-call", "intended")
    assert finding.evidence == (removed,)


def test_a_file_that_the_source_deleted_was_meant(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "r")
    repo.commit({"lib/a.py": "LIMIT = 1\n", "keep": "1\n"}, "base")
    repo.branch("main")
    deleted = repo.commit({"lib/a.py": None}, "delete")
    repo.switch("dev")
    repo.commit({"lib/a.py": "LIMIT = 1\n" + FEATURE}, "go on with it")
    (finding,) = candidate_of(repo, sync_policy()).candidate.findings
    assert (finding.rule, finding.disposition.value) == ("lost-file", "intended")
    assert finding.evidence == (deleted,)


def test_a_finding_keeps_its_place_when_its_file_is_formatted(tmp_path: Path) -> None:
    call = "import lib.chunk\nx = lib.chunk.make(1)\n"
    base = {"lib/chunk.py": "def make(a):\n    return a\n", "lib/__init__.py": ""}
    target = {"lib/chunk.py": "def make(a, b):\n    return a, b\n"}
    long = "y = [\n    1, 2,\n\n\n\n    3]\n" + call
    repo = diverged(tmp_path / "r", base, target, {"lib/use.py": long})
    made = candidate_of(repo, sync_policy(format={"scope": "changed"}))
    (finding,) = made.candidate.findings
    lines = made.tree["lib/use.py"].decode().splitlines()
    assert lines[finding.line - 1] == "x = lib.chunk.make(1)"
    assert finding.line != long.splitlines().index("x = lib.chunk.make(1)") + 1
