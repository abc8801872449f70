"""The terminal: plain lines, no commands, no secrets."""

from __future__ import annotations

import pytest

from nightshift.adapters.runner.choose import runner_for
from nightshift.adapters.runner.terminal import TerminalRunner


@pytest.mark.parametrize(
    "environ", [{}, {"GITHUB_OUTPUT": "/o"}, {"GITHUB_OUTPUT": "/o", "GITHUB_STEP_SUMMARY": ""}]
)
def test_it_is_taken_where_the_runner_gave_no_files(environ: dict[str, str]) -> None:
    assert isinstance(runner_for(environ), TerminalRunner)


def test_everything_is_printed_plainly(capsys: pytest.CaptureFixture[str]) -> None:
    runner = TerminalRunner()
    runner.mask("hunter2")
    runner.mask("")
    with runner.group("round 1"):
        runner.info("a hunter2\r\nb\x1b[2J")
    runner.annotate("warning", "text", title="t", file="f.py", line=2)
    runner.annotate("error", "text", file="f.py")
    runner.annotate("notice", "text")
    runner.output("outcome", "ready")
    runner.summary("# done\n\nhunter2 \ud800")
    assert capsys.readouterr().out.splitlines() == [
        "round 1",
        "  a ***",
        "  b�[2J",
        "warning: f.py:2: t: text",
        "error: f.py: text",
        "notice: text",
        "outcome=ready",
        "# done",
        "",
        "*** ?",
    ]
