"""The two comments: ready, and a person is needed."""

from __future__ import annotations

from dataclasses import replace

from nightshift.report.comments import COMMENT_BYTES, needs_human, ready
from nightshift.report.ledger import CheckRow
from support.ledgers import CHECKS, EVIL, FAILURE, PULL, finding, inert, merge

MARK = "<!-- mark -->"


def test_ready_tells_what_the_specification_asks_for() -> None:
    view = merge(
        2,
        taken_from_source=("pkg/file0.py",),
        kept_from_target=(),
        findings=(finding("renamed-call", "repaired"), finding("git-source", "repaired", "p.toml")),
    )
    text = ready(view, PULL, CHECKS, MARK)
    assert text.startswith(MARK)
    assert "[docs](<https://host.invalid/job/3>): success" in text
    assert "[pull request 5](<https://host.invalid/pull/5>)" in text
    assert "- 1 wholly from main" in text and "- 1 merged from both" in text
    assert "pkg/file0.py" in text and "pkg/file1.py" in text
    assert "renamed-call" in text and "2 rounds of fixes after CI" in text
    assert "### Git sources" in text
    assert "The API audit was not run." in text


def test_ready_says_nothing_of_a_merge_that_it_does_not_know() -> None:
    text = ready(merge(0, steps_not_done=()), PULL, CHECKS, MARK)
    assert "### Files" not in text


def test_a_person_gets_the_checks_their_lines_and_where_to_push() -> None:
    text = needs_human(PULL, CHECKS, MARK)
    assert text.startswith(MARK)
    assert "[lint](<https://host.invalid/job/2>): failure" in text
    assert "a test fails" in text and "```text\nabove\nFAILED\n```" in text
    assert "`main2dev/x`" in text


def test_another_systems_check_has_no_lines_but_its_address() -> None:
    silent = replace(FAILURE, lines=())
    assert "Checks of other systems" in needs_human(PULL, replace(CHECKS, failures=(silent,)), MARK)
    assert "Checks of other systems" not in needs_human(PULL, CHECKS, MARK)


def test_a_maintainer_is_asked_for_by_the_jobs() -> None:
    text = needs_human(PULL, CHECKS, MARK, ("gpu", "gpu two"))
    assert "`gpu`, `gpu two`" in text
    assert "Failed checks" not in text


def test_long_logs_are_cut_and_closed() -> None:
    endless = replace(FAILURE, lines=("x" * 1999,) * 9, check=EVIL)
    many = replace(CHECKS, failures=(endless,) * 50, failed=(CheckRow(EVIL, "FAILURE"),) * 500)
    for text in (needs_human(PULL, many, MARK), ready(merge(3000), PULL, many, MARK)):
        assert len(text.encode()) <= COMMENT_BYTES
        assert text.count("<details>") == text.count("</details>")
        assert text.count("```") % 2 == 0
        inert(text)
