"""Git sources: added, kept, taken where broken; layout untouched; nothing done where nothing is to
do."""

from __future__ import annotations

import tomlkit

from nightshift.policy.sync import GitSources
from nightshift.sync.findings import Disposition
from nightshift.sync.sources import GitSource, Look, imported_from, reconcile
from support.trees import resolver

RULES = GitSources()
HEAD = '[project]\nname = "lib"  # the library\n\n[tool.uv]\nmanaged = true\n\n'
TARGET = HEAD + (
    "[tool.uv.sources]\n"
    "# pinned with care\n"
    'flash = [{ git = "https://example.com/flash.git", rev = "aaa" }]\n'
    'engine = { git = "https://example.com/engine.git", rev = "bbb" } # dev\n'
    "\n[tool.black]\nline-length = 100\n"
)


def _source(*lines: str) -> str:
    return HEAD + "[tool.uv.sources]\n" + "".join(f"{line}\n" for line in lines)


def test_a_source_that_only_the_source_has_is_added_and_nothing_else_changes() -> None:
    line = 'resiliency-ext = { git = "https://example.com/ext.git", rev = "ccc" }'
    result = reconcile(TARGET, _source(line), RULES)
    assert result.text is not None
    added = [one for one in result.text.splitlines() if one not in TARGET.splitlines()]
    gone = [one for one in TARGET.splitlines() if one not in result.text.splitlines()]
    assert (added, gone) == ([line], [])
    assert tomlkit.parse(result.text)["tool"]["uv"]["sources"]["resiliency-ext"]["rev"] == "ccc"  # type: ignore[index]
    assert [f.rule for f in result.findings] == ["git-source-added"]
    assert [f.disposition for f in result.findings] == [Disposition.REPAIRED]


def test_an_array_of_sources_is_added_whole() -> None:
    lines = (
        "triton = [",
        '  { git = "https://example.com/a.git", rev = "1", marker = "sys_platform == \'linux\'" },',
        '  { git = "https://example.com/b.git", tag = "v2" },',
        "]",
    )
    result = reconcile(TARGET, _source(*lines), RULES)
    assert result.text is not None
    triton = tomlkit.parse(result.text)["tool"]["uv"]["sources"]["triton"].unwrap()  # type: ignore[index,union-attr]
    assert [entry["git"][-5:-4] for entry in triton] == ["a", "b"]
    assert "a.git@1, https://example.com/b.git@v2" in result.findings[0].message


def test_another_revision_stays_the_targets_and_is_reported() -> None:
    line = 'engine = { git = "https://example.com/engine.git", rev = "ddd" }'
    result = reconcile(TARGET, _source(line), RULES)
    assert result.text is None
    (finding,) = result.findings
    assert (finding.rule, finding.open) == ("git-source-conflict", True)
    assert "engine.git@bbb" in finding.message and "engine.git@ddd" in finding.message


def test_a_broken_revision_is_replaced_by_the_sources() -> None:
    seen: list[tuple[GitSource, GitSource | None]] = []

    def broken(ours: GitSource, theirs: GitSource | None) -> Look:
        seen.append((ours, theirs))
        return Look(broken="does not parse")

    line = 'Engine = { git = "https://example.com/engine.git", rev = "ddd" }'
    result = reconcile(TARGET, _source(line), RULES, broken)
    assert result.text is not None and "bbb" not in result.text
    assert 'engine = { git = "https://example.com/engine.git", rev = "ddd" }' in result.text
    url = "https://example.com/engine.git"
    assert seen == [(GitSource("engine", url, "bbb"), GitSource("engine", url, "ddd"))]
    assert [f.rule for f in result.findings] == ["git-source-taken"]
    assert "does not parse" in result.findings[0].message


def test_a_sound_revision_is_meant_to_differ_and_one_that_nobody_saw_is_open() -> None:
    line = 'engine = { git = "https://example.com/engine.git", rev = "ddd" }'
    sound = reconcile(TARGET, _source(line), RULES, lambda *_: Look())
    assert sound.text is None
    assert [f.disposition for f in sound.findings] == [Disposition.INTENDED]
    unseen = reconcile(
        TARGET, _source(line), RULES, lambda *_: Look(unknown="could not be checked")
    )
    assert unseen.text is None
    assert [f.disposition for f in unseen.findings] == [Disposition.OPEN]
    assert "could not be checked" in unseen.findings[0].message


def test_of_an_array_each_entry_is_looked_at() -> None:
    first = '{ git = "https://e.com/x", rev = "1", subdirectory = "py" }'
    ours = f'[tool.uv.sources]\nx = [{first}, {{ git = "https://e.com/y" }}]\n'
    theirs = ours.replace('"1"', '"2"')
    seen: list[GitSource] = []

    def probe(one: GitSource, _other: GitSource | None) -> Look:
        seen.append(one)
        return Look(broken="bad") if one.url.endswith("y") else Look()

    assert reconcile(ours, theirs, RULES, probe).text == theirs
    assert seen == [
        GitSource("x", "https://e.com/x", "1", "py"),
        GitSource("x", "https://e.com/y", ""),
    ]


def test_the_same_source_written_otherwise_is_no_difference() -> None:
    line = 'Engine = {rev="bbb", git="https://example.com/engine.git"}'
    assert not reconcile(TARGET, _source(line), RULES).findings


def test_sources_that_are_not_git_are_left_alone() -> None:
    result = reconcile(
        TARGET, _source('torch = { index = "pytorch" }', "own = { workspace = true }"), RULES
    )
    assert result.text is None and not result.findings


def test_the_table_is_made_where_the_target_has_none() -> None:
    line = 'ext = { git = "https://example.com/ext.git", branch = "main" }'
    result = reconcile('[project]\nname = "lib"\n', _source(line), RULES)
    assert result.text is not None and result.text.startswith('[project]\nname = "lib"\n')
    assert tomlkit.parse(result.text)["tool"]["uv"]["sources"]["ext"]["branch"] == "main"  # type: ignore[index]


def test_a_file_that_is_no_toml_is_reported_and_nothing_is_changed() -> None:
    result = reconcile(TARGET, "[tool.uv.sources\n", RULES)
    assert result.text is None
    assert [f.rule for f in result.findings] == ["git-sources-unreadable"]
    assert "the source's file" in result.findings[0].message


def test_reconciling_twice_changes_nothing_more() -> None:
    source = _source('ext = { git = "https://example.com/ext.git", rev = "c" }')
    once = reconcile(TARGET, source, RULES).text
    assert once is not None and reconcile(once, source, RULES).text is None


def test_what_a_tree_imports_from_a_package() -> None:
    tree = resolver(
        {
            "lib/a.py": (
                "from resiliency_ext.torch import get_queue, other\n" "import resiliency_ext\n"
            ),
            "lib/b.py": "def late():\n    from resiliency_ext import version\n    return version\n",
            "lib/c.py": "from resiliency_extra import no\nfrom .resiliency_ext import no\n",
        }
    )
    found = imported_from(tree.index.all_facts(), "resiliency_ext")
    assert found == {"resiliency_ext": ["version"], "resiliency_ext.torch": ["get_queue", "other"]}
