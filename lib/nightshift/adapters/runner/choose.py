"""Which runner there is: that of Actions where it has given us its files, else the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from nightshift.adapters.runner.terminal import TerminalRunner
from nightshift.ports import Runner


def runner_for(environ: Mapping[str, str]) -> Runner:
    """The runner of an environment.

    :param environ: Actions' own is taken where it names `GITHUB_OUTPUT` and `GITHUB_STEP_SUMMARY`.
    """
    output, summary = environ.get("GITHUB_OUTPUT", ""), environ.get("GITHUB_STEP_SUMMARY", "")
    if not (output and summary):
        return TerminalRunner()
    # The package costs a tenth of a second; nobody pays for it on a terminal.
    from nightshift.adapters.runner.actions import (  # pylint: disable=import-outside-toplevel
        ActionsRunner,
    )

    return ActionsRunner(Path(summary))
