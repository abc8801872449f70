"""`nightshift demo`: both modes, whole, against a GitHub and a git remote on loopback."""

from __future__ import annotations

import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """No options: the demonstration is one story."""
    del parser


def run(args: argparse.Namespace) -> int:
    """Tell the story. 0: the night ended as it should; 1: it did not."""
    del args
    from nightshift.demo import story  # pylint: disable=import-outside-toplevel  # slow imports

    return story.tell(lambda line: print(line, flush=True))
