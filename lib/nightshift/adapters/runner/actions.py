"""The Actions runner, through actions_toolkit: log, annotations, groups, outputs, step summary.

Guards what the package leaves open: foreign text that starts a command, lone surrogates, values
that are no strings, output that overtakes ours, and the platform's limits. Decides nothing.
"""

from __future__ import annotations

import re
import secrets
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from actions_toolkit import core

from nightshift.adapters.runner import commands
from nightshift.errors import Defect, HostError
from nightshift.report.markdown import CUT_NOTICE, cut

ANNOTATIONS_PER_LEVEL = 10
ANNOTATION_CHARACTERS = 4_000
OUTPUT_UNITS = 500_000
"""UTF-16 units for all outputs of the step; the platform's limit is 1 MiB of them a job."""
SUMMARY_BYTES = 1_000_000
"""For all appends of the step: at 1 MiB the platform drops the whole summary."""

SHORTENED = " … [shortened: over the platform's size]"
OUTPUT_SHORTENED = "The output {name} is over the platform's size and was shortened."
NO_TEXT = "(no text)"
LEVELS = ("notice", "warning", "error")

_OUTPUT_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


class ActionsRunner:
    """`ports.Runner` in a step of a workflow.

    :param summary_file: what `GITHUB_STEP_SUMMARY` names; `GITHUB_OUTPUT` is read by the package.
    """

    def __init__(self, summary_file: Path) -> None:
        self._summary_file = summary_file
        self._summary_full = False
        self._annotated: Counter[str] = Counter()
        self._output_units = 0
        self._depth = 0

    def info(self, text: str) -> None:
        """Lines of log, behind stop-commands where they could be read as commands."""
        shown = commands.lines(text)
        if any(map(commands.may_command, shown)):
            with _stopped():
                _print(shown)
        else:
            _print(shown)

    def annotate(
        self, level: str, text: str, *, title: str = "", file: str = "", line: int = 0
    ) -> None:
        """An annotation; beyond the ten of its level that the platform shows, a line of log."""
        if level not in LEVELS:
            raise Defect(f"there is no annotation level {level!r}.")
        message = "\n".join(commands.lines(text)).strip() or NO_TEXT
        self._annotated[level] += 1
        if self._annotated[level] > ANNOTATIONS_PER_LEVEL:
            self.info(f"{level}: {message}")
            return
        given = {"title": title, "file": file, "line": str(line) if line > 0 else ""}
        properties = {
            name: " ".join(commands.lines(value)) for name, value in given.items() if value
        }
        core.issue_command(level, properties, _clipped(message))
        sys.stdout.flush()

    @contextmanager
    def group(self, title: str) -> Iterator[None]:
        """A foldable group. The platform knows no group in a group: an inner one is one line."""
        outermost = self._depth == 0
        self._depth += 1
        if outermost:
            core.start_group(" ".join(commands.lines(title)))
            sys.stdout.flush()
        else:
            self.info(title)
        try:
            yield
        finally:
            self._depth -= 1
            if outermost:
                core.end_group()
                sys.stdout.flush()

    def output(self, name: str, value: str) -> None:
        """An output, shortened with a warning where it is over what is left of the platform's size.

        :raises HostError: the runner's file cannot be written.
        """
        if not _OUTPUT_NAME.fullmatch(name):
            raise Defect(f"{name!r} cannot be the name of an output.")
        whole = _text(value)
        kept = commands.shorten(whole, OUTPUT_UNITS - self._output_units, SHORTENED)
        self._output_units += commands.utf16_units(kept)
        if kept != whole:
            self.annotate("warning", OUTPUT_SHORTENED.format(name=name))
        try:
            core.set_output(name, kept)
        except Exception as error:  # it raises bare ones
            raise HostError(f"the output cannot be set: {error}.", where="GITHUB_OUTPUT") from error

    def summary(self, markdown: str) -> None:
        """Append Markdown to the step summary, up to the platform's size over all appends.

        :raises HostError: the runner's file cannot be written.
        """
        if self._summary_full:
            return
        try:
            used = self._summary_file.stat().st_size if self._summary_file.exists() else 0
            block = ("\n" if used else "") + _text(markdown).rstrip("\n") + "\n"
            data = self._fitting(block, SUMMARY_BYTES - used).encode("utf-8")
            with self._summary_file.open("ab") as file:
                file.write(data)
        except OSError as error:
            reason = f"the summary cannot be written: {error.strerror}."
            raise HostError(reason, where="GITHUB_STEP_SUMMARY") from error

    def mask(self, secret: str) -> None:
        """Keep a secret out of the log, each of its lines by itself too."""
        for part in dict.fromkeys([secret, *secret.splitlines()]):
            if part.strip():
                core.set_secret(part)
        sys.stdout.flush()

    def _fitting(self, block: str, room: int) -> str:
        """The block, or its start where it does not fit; room for the notice is always kept."""
        notice = len(CUT_NOTICE) + 2
        if len(block.encode("utf-8")) <= room - notice:
            return block
        self._summary_full = True
        return cut(block + "\n" * notice, room) if room > 0 else ""


@contextmanager
def _stopped() -> Iterator[None]:
    """The runner reads no commands in between; nobody can guess the word that ends it."""
    token = secrets.token_hex(16)
    core.issue_command("stop-commands", {}, token)
    try:
        yield
    finally:
        core.issue(token)
        sys.stdout.flush()


def _print(shown: list[str]) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    for line in shown:
        core.info(line.encode(encoding, "replace").decode(encoding))
    sys.stdout.flush()


def _clipped(message: str) -> str:
    if len(message) <= ANNOTATION_CHARACTERS:
        return message
    return message[:ANNOTATION_CHARACTERS] + SHORTENED


def _text(value: object) -> str:
    """Any value as text without lone surrogates: the package refuses paths and them."""
    text = "" if value is None else str(value)
    return text.encode("utf-8", "replace").decode("utf-8")
