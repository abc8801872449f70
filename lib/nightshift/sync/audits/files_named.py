"""Configurations, scripts and documents that name a module, a class or a file of the tree which is
not there.

Looks at texts that are not Python: YAML specs and recipes, shell scripts, TOML tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.audits.index.resolve import Resolver
from nightshift.sync.audits.mentions import MESSAGE, RULE, points_nowhere

ENDINGS = (".yaml", ".yml", ".sh", ".toml", ".cfg", ".ini")
LARGEST = 400_000
WORD = re.compile(r"[\w./:-]+")
DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
FILE = re.compile(r"(?:\./)?(?:[\w-][\w.-]*/)+[\w.-]+\.(?:py|sh|ya?ml)")


def candidates(tree: Resolver) -> list[str]:
    """The files to look at."""
    entries = tree.index.entries
    return sorted(p for p, e in entries.items() if p.endswith(ENDINGS) and e.mode.startswith("100"))


def check(tree: Resolver, path: str) -> Iterator[Fault]:
    """Words of one file that point nowhere."""
    data = tree.index.view.read(path)
    if data is None or len(data) > LARGEST:
        return
    text = data.decode("utf-8", "replace")
    for number, line in enumerate(text.splitlines(), 1):
        if "." in line and not line.lstrip().startswith("#"):
            for word in WORD.findall(line):
                found = word.strip(".:-")
                if (DOTTED.fullmatch(found) or FILE.fullmatch(found)) and points_nowhere(
                    tree, found
                ):
                    message = MESSAGE.format(text=found)
                    yield Fault(
                        RULE, path, message, number, subject=Subject(path, "", found, found)
                    )
