"""The console script: picks a command, runs it, turns its errors into exit codes. Commands load
lazily.

A command is a module with `configure(parser)` and `run(args) -> exit code`; its help stands here.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import traceback
from collections.abc import Sequence

from nightshift import __version__
from nightshift.errors import DEFECT_HINT, Defect, NightshiftError
from nightshift.outcome import EXIT_DONE

EXIT_INTERRUPTED = 130

# name -> (module, help)
COMMANDS: dict[str, tuple[str, str]] = {
    "demo": (
        "nightshift.cli.demo",
        "both modes, whole, against a GitHub and a git remote on loopback",
    ),
    "decide": (
        "nightshift.cli.decide",
        "triage decisions for issues in a JSON-lines file, no network",
    ),
    "backtest": ("nightshift.cli.backtest", "decisions against gold labels"),
    "merge": ("nightshift.cli.merge", "merge a source into a target offline, in this repository"),
    "check-policy": ("nightshift.cli.check_policy", "validate a policy file"),
    "gate": ("nightshift.cli.gate", "the verdict on a status-check rollup"),
}


def script() -> None:
    """Entry point of the console script."""
    sys.exit(main(sys.argv[1:]))


def main(argv: Sequence[str]) -> int:
    """Run one command. Exit codes: 0 done, 1 done but not reached, 2 usage, 3 host, 70 defect."""
    parser = argparse.ArgumentParser(
        prog="nightshift", description="The night shift of a repository."
    )
    parser.add_argument("--version", action="version", version=f"nightshift {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, dest="command")
    wanted = next((word for word in argv if not word.startswith("-")), None)
    for name, (module, text) in COMMANDS.items():
        sub = commands.add_parser(name, help=text, description=text)
        if name == wanted:
            importlib.import_module(module).configure(sub)
    return _run(parser.parse_args(argv))


def _run(args: argparse.Namespace) -> int:
    module = importlib.import_module(COMMANDS[args.command][0])
    try:
        code = module.run(args)
        sys.stdout.flush()
    except NightshiftError as error:
        print(f"nightshift: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Who reads our output has seen enough; nothing more can be written there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_DONE
    except Exception:  # pylint: disable=broad-exception-caught  # the last resort: ours to mend
        traceback.print_exc()
        print(f"nightshift: {DEFECT_HINT}", file=sys.stderr)
        return Defect.exit_code
    return int(code)
