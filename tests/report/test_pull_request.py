"""The body of the pull request: its facts, their order, and how it shrinks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from nightshift.merge.resolution import Confidence
from nightshift.report.ledger import MergeView
from nightshift.report.pull_request import BODY_BYTES, STATUS_BYTES, body, status, title
from support.ledgers import ACCEPTED, EVIL, LINE, finding, inert, merge, resolution

HEAD = "<!-- head -->"


def closed(text: str) -> None:
    """Every fence and every fold is closed."""
    assert text.count("<details>") == text.count("</details>")
    tokens = MarkdownIt("commonmark").enable("table").parse(f"{text}\n\nTHE END\n")
    last = [token.content for token in tokens if token.type == "inline"][-1]
    assert last == "THE END"


def section(text: str, heading: str) -> str:
    return text.partition(f"### {heading}\n")[2].partition("\n### ")[0]


def test_the_title_is_policys() -> None:
    assert title("sync {source} into {target} ({date})", "main", "dev", "1_2") == (
        "sync main into dev (1_2)"
    )


def test_every_fact_has_its_section() -> None:
    text = body(merge(2), HEAD)
    assert text.startswith(HEAD)
    assert LINE in text.split("\n")
    assert "Syncs 2 commits of `main` into `dev`" in text
    assert "merge commit, never by squash" in text
    assert "The API audit was not run." in section(text, "Steps that were not done")
    assert "rule-0" in section(text, "Findings")
    assert ".github/0.yml" in section(text, "Workflow files, submodules and modes that change")
    conflicts = section(text, "Conflicts")
    assert (
        "| `pkg/file1.py:1-2` | lineage | target | high | `eeeeeeeeeeee` | symbol1 |" in conflicts
    )
    assert "taken/0.py" in section(text, "Files taken from main")
    restored = section(text, "Files deleted in dev and restored")
    assert "it is imported" in restored and "`999999999999`" in restored
    assert "formatted/0.py" in section(text, "Files formatted")
    assert "CONFLICT (content): 0" in section(text, "What git could not merge by itself")
    assert "subject 0" in section(text, "Commits")
    assert "diff --git" in section(text, "Conflict resolutions as a diff")
    closed(text)


def test_a_merge_without_conflicts_says_so() -> None:
    text = body(merge(0, remerge_diff=""), HEAD)
    assert section(text, "Conflicts").strip() == "None."
    assert "as a diff" not in text


def test_an_old_git_says_how_the_merge_was_made() -> None:
    assert "git is too old" in body(merge(1, remerge_diff=None), HEAD)


def test_uncertain_resolutions_and_open_findings_come_first() -> None:
    view = merge(
        1,
        resolutions=(
            resolution(1, Confidence.HIGH),
            resolution(2, Confidence.MEDIUM),
            resolution(3, Confidence.LOW),
        ),
        findings=(finding("b", "intended"), finding("c", "restored"), finding("a", "open")),
    )
    text = body(view, HEAD)
    conflicts, findings = section(text, "Conflicts"), section(text, "Findings")
    assert conflicts.index("file3") < conflicts.index("file2") < conflicts.index("file1")
    assert findings.index("`a`") < findings.index("`c`") < findings.index("`b`")


def test_git_sources_have_a_place_of_their_own() -> None:
    rows = (
        finding("git-source-added", "repaired"),
        finding("git-source-lock"),
        finding("lost-call"),
    )
    text = body(merge(1, findings=rows), HEAD)
    findings, _, rest = text.partition("### Findings")[2].partition("### Git sources")
    assert "lost-call" in findings and "git-source" not in findings
    assert "git-source-added" in rest and "git-source-lock" in rest
    assert "### Git sources" not in body(merge(1), HEAD)


@pytest.mark.parametrize("size", [10, 100, 300, 1000, 5000])
def test_a_long_body_shrinks_with_its_facts_first(size: int) -> None:
    text = body(merge(size), HEAD)
    assert len(text.encode()) <= BODY_BYTES
    assert LINE in text.split("\n")
    assert f"{size} conflicted files." in text
    assert "pkg/file0.py" in text and "rule-0" in text
    closed(text)


def test_the_diff_is_cut_before_any_list_is() -> None:
    diff = "diff --git a/x b/x\n" + "+a line of some length\n" * 20_000
    text = body(merge(20, remerge_diff=diff), HEAD)
    assert BODY_BYTES - 2000 < len(text.encode()) <= BODY_BYTES
    assert "subject 19" in text and "pkg/file19.py" in text
    assert "diff --git" in text
    closed(text)


def test_one_endless_line_of_a_diff_does_no_harm() -> None:
    text = body(merge(1, remerge_diff="+" + "x" * 300_000), HEAD)
    assert len(text.encode()) <= BODY_BYTES
    closed(text)


def test_characters_of_several_bytes_keep_it_below_the_limit_however_they_are_counted() -> None:
    commits = merge(300).commits
    text = body(merge(300, taken_from_source=("😀" * 200 + ".py",) * 300, commits=commits), HEAD)
    assert len(text.encode("utf-16-le")) // 2 <= 65_536
    closed(text)


def test_foreign_text_is_inert() -> None:
    view = merge(
        1,
        conflicts=(EVIL,),
        taken_from_source=(EVIL,),
        git_messages=(EVIL,),
        remerge_diff=f"{EVIL}\n</details>\n```\n",
        findings=(finding("x", path=EVIL),),
        steps_not_done=(EVIL,),
    )
    inert(body(view, HEAD))


def test_the_status_tells_missing_labels_and_evidence() -> None:
    text = status(("run all",), [ACCEPTED])
    assert "`run all`" in text
    assert "[pull request 5](<https://host.invalid/pull/5>)" in text
    assert status((), ()) == ""
    many = status((), [ACCEPTED] * 500)
    assert len(many.encode()) <= STATUS_BYTES


@settings(max_examples=30)
@given(st.integers(0, 30), st.text(max_size=300), st.text(max_size=300))
def test_no_text_breaks_it(size: int, path: str, diff: str) -> None:
    view: MergeView = merge(size, taken_from_source=(path,) * size, remerge_diff=diff * 50)
    text = body(view, HEAD)
    assert len(text.encode()) <= BODY_BYTES
    closed(text)
