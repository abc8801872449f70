"""What the runner of Actions sees of us: its parser's view of our output, and its files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nightshift.adapters.runner.actions import (
    ANNOTATIONS_PER_LEVEL,
    OUTPUT_UNITS,
    SHORTENED,
    SUMMARY_BYTES,
    ActionsRunner,
)
from nightshift.adapters.runner.choose import runner_for
from nightshift.errors import Defect, HostError
from nightshift.report import markdown
from support.runner import read_commands

_V2 = re.compile(r"\s*::([^ :]+)([^:]*)::(.*)", re.DOTALL)
_V1 = re.compile(r"##\[([^ \]]+)([^\]]*)\](.*)")

Capture = pytest.CaptureFixture[str]


@pytest.fixture(name="files")
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    files = {name: tmp_path / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for name, path in files.items():
        path.touch()
        monkeypatch.setenv(name, str(path))
    return files


@pytest.fixture(name="runner")
def _runner(files: dict[str, Path]) -> ActionsRunner:
    runner = runner_for({name: str(path) for name, path in files.items()})
    assert isinstance(runner, ActionsRunner)
    return runner


def heard(output: str) -> Iterator[tuple[str, str, str]]:
    """The commands that the runner would obey, by its own rules: (name, properties, text)."""
    token = ""
    for line in re.split(r"\r\n|\r|\n", output):
        match = _V2.match(line) or _V1.search(line)
        if not match:
            continue
        name, properties, text = match.groups()
        if token:
            token = "" if name == token else token
        elif name == "stop-commands":
            token = text
        else:
            yield name, properties.strip(), text
    assert not token, "the commands stay stopped"


HOSTILE = st.lists(
    st.sampled_from(
        ["::", "##[", "set-env name=A::b", "stop-commands::x", "]", "\n", "\r", " ", "\t", "x",
         "::endgroup::", "\ud800", "\x0b", "\x85", "\u2028", "\u00a0"]
    )
).map("".join) | st.text()  # fmt: skip


@given(text=HOSTILE)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_foreign_text_in_the_log_is_no_command(
    text: str, runner: ActionsRunner, capsys: Capture
) -> None:
    capsys.readouterr()
    runner.info(text)
    output = capsys.readouterr().out
    assert not list(heard(output))


@given(text=HOSTILE, title=HOSTILE, path=HOSTILE)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_foreign_text_elsewhere_starts_nothing_more(
    text: str, title: str, path: str, files: dict[str, Path], capsys: Capture
) -> None:
    runner = ActionsRunner(files["GITHUB_STEP_SUMMARY"])
    capsys.readouterr()
    with runner.group(title), runner.group(text):
        runner.annotate("warning", text, title=title, file=path, line=3)
    names = [name for name, _, _ in heard(capsys.readouterr().out)]
    assert names == ["group", "warning", "endgroup"]


def test_the_log_says_what_was_said(runner: ActionsRunner, capsys: Capture) -> None:
    runner.info("plain: text\nsecond")
    assert capsys.readouterr().out == "plain: text\nsecond\n"


def test_the_word_that_ends_a_stop_is_new_each_time(runner: ActionsRunner, capsys: Capture) -> None:
    runner.info("::a::b")
    runner.info("::a::b")
    words = re.findall("::stop-commands::(.*)", capsys.readouterr().out)
    assert len(set(words)) == 2 and all(len(word) >= 32 for word in words)


def test_an_annotation_names_only_what_it_knows(runner: ActionsRunner, capsys: Capture) -> None:
    runner.annotate("error", "50% of\nit", title="a,b:c", file="x/y.py", line=4)
    runner.annotate("notice", "")
    assert capsys.readouterr().out.splitlines() == [
        "::error title=a%2Cb%3Ac,file=x/y.py,line=4::50%25 of%0Ait",
        "::notice::(no text)",
    ]


def test_annotations_beyond_the_limit_go_to_the_log(runner: ActionsRunner, capsys: Capture) -> None:
    for number in range(ANNOTATIONS_PER_LEVEL + 2):
        runner.annotate("warning", f"w{number}")
    runner.annotate("error", "an error still shows")
    output = capsys.readouterr().out
    assert [name for name, _, _ in heard(output)] == ["warning"] * 10 + ["error"]
    assert "\nwarning: w10\nwarning: w11\n" in output


def test_only_known_levels(runner: ActionsRunner) -> None:
    with pytest.raises(Defect):
        runner.annotate("set-env", "x")


def test_a_long_annotation_is_clipped(runner: ActionsRunner, capsys: Capture) -> None:
    runner.annotate("warning", "x" * 100_000)
    assert len(capsys.readouterr().out) < 5_000


@pytest.mark.parametrize(
    "value, read",
    [
        ("", ""),
        ("two\nlines", "two\nlines"),
        ("ghadelimiter_x\nname<<EOF\nv\nEOF", "ghadelimiter_x\nname<<EOF\nv\nEOF"),
        ("\ud800", "?"),
        (Path("/a/b"), "/a/b"),
        (None, ""),
        (3, "3"),
    ],
)
def test_outputs(value: str, read: str, runner: ActionsRunner, files: dict[str, Path]) -> None:
    runner.output("a-name", value)
    runner.output("last", "1")
    assert read_commands(files["GITHUB_OUTPUT"]) == {"a-name": read, "last": "1"}


@pytest.mark.parametrize("name", ["", "a b", "a=b", "a<<b", "a\nb", "1a"])
def test_an_output_needs_a_name(name: str, runner: ActionsRunner) -> None:
    with pytest.raises(Defect):
        runner.output(name, "x")


def test_outputs_share_the_size(
    runner: ActionsRunner, files: dict[str, Path], capsys: Capture
) -> None:
    runner.output("small", "x" * 100)
    runner.output("large", "😀" * OUTPUT_UNITS)
    runner.output("later", "y")
    found = read_commands(files["GITHUB_OUTPUT"])
    units = sum(len(value.encode("utf-16-le")) // 2 for value in found.values())
    assert OUTPUT_UNITS - 2 <= units <= OUTPUT_UNITS
    assert found["large"].endswith(SHORTENED)
    warned = [text for name, _, text in heard(capsys.readouterr().out) if name == "warning"]
    assert len(warned) == 2 and "large" in warned[0] and "later" in warned[1]


def test_a_missing_output_file_is_the_hosts_fault(
    runner: ActionsRunner, files: dict[str, Path]
) -> None:
    files["GITHUB_OUTPUT"].unlink()
    with pytest.raises(HostError, match="GITHUB_OUTPUT"):
        runner.output("name", "value")


def test_summaries_are_appended(runner: ActionsRunner, files: dict[str, Path]) -> None:
    runner.summary("# one")
    runner.summary("two \ud800\n\n")
    assert files["GITHUB_STEP_SUMMARY"].read_text() == "# one\n\ntwo ?\n"


def test_the_summary_is_capped_over_all_appends(
    runner: ActionsRunner, files: dict[str, Path]
) -> None:
    for number in range(8):
        runner.summary(
            f"## part {number}\n\n" + markdown.details("log", markdown.fence("é" * 99 + "\n") * 700)
        )
    runner.summary("after the cut")
    data = files["GITHUB_STEP_SUMMARY"].read_bytes()
    assert SUMMARY_BYTES * 0.9 < len(data) <= SUMMARY_BYTES
    text = data.decode()
    assert text.count(markdown.CUT_NOTICE) == 1 and text.endswith(f"{markdown.CUT_NOTICE}\n")
    assert text.count("<details>") == text.count("</details>")
    assert "after the cut" not in text


@pytest.mark.parametrize("left", [0, 10, 60, 70, 200])
def test_an_almost_full_summary_still_fits(
    left: int, runner: ActionsRunner, files: dict[str, Path]
) -> None:
    runner.summary("x" * (SUMMARY_BYTES - left - 60))
    runner.summary("word " * 30)
    runner.summary("y")
    assert files["GITHUB_STEP_SUMMARY"].stat().st_size <= SUMMARY_BYTES


def test_a_summary_that_cannot_be_written_is_the_hosts_fault(tmp_path: Path) -> None:
    with pytest.raises(HostError, match="GITHUB_STEP_SUMMARY"):
        ActionsRunner(tmp_path / "none" / "file").summary("x")


def test_each_line_of_a_secret_is_masked(runner: ActionsRunner, capsys: Capture) -> None:
    runner.mask("one\ntwo")
    runner.mask(" ")
    masked = [text for name, _, text in heard(capsys.readouterr().out) if name == "add-mask"]
    assert masked == ["one%0Atwo", "one", "two"]
