"""The made-up repository of the sync: what main and dev were, and what each made of it.

There is something for each part of a sync: a conflict in which both sides' work must live on, a
file that is always dev's, code owners that nobody touches, and a file that main left unformatted,
on which dev's CI fails at first.
"""

from __future__ import annotations

SOURCE = "main"
TARGET = "dev"
REPOSITORY = "example/lighthouse"
POLICY_PATH = ".github/nightshift.yaml"

POLICY = """\
mode: sync
source: main
target: dev
branch: "sync/{source}-into-{target}/{date}"
hold-label: hold sync
paths:
  never-touch: [.github/CODEOWNERS]
  always-target: [requirements.lock]
format:
  scope: merged
invariants:
  always-target: warn
pull-request:
  labels: [run all tests]
ci:
  trigger: "/ok to test {sha}"
  sentinels: [CI gate]
  exempt: [codecov]
  poll-seconds: 120
"""

_BEAM_BASE = '''\
"""The beam of the lighthouse."""

from lighthouse.lamp import Lamp


def flash(lamp: Lamp, seconds: int) -> str:
    """One flash."""
    return f"{lamp.name}: {seconds} s"


def period(flashes: int) -> int:
    """Seconds from one group of flashes to the next."""
    return 10 * flashes
'''

# dev: a colour for the flash, and a function of its own.
_BEAM_DEV = '''\
"""The beam of the lighthouse."""

from lighthouse.lamp import Lamp


def flash(lamp: Lamp, seconds: int, colour: str = "white") -> str:
    """One flash."""
    return f"{lamp.name}: {seconds} s, {colour}"


def period(flashes: int) -> int:
    """Seconds from one group of flashes to the next."""
    return 10 * flashes


def sweep(lamp: Lamp, degrees: int) -> str:
    """A turn of the beam."""
    return f"{lamp.name}: {degrees} degrees"
'''

# main: a range for the flash, a longer period, and a function of its own at the same place.
_BEAM_MAIN = '''\
"""The beam of the lighthouse."""

from lighthouse.lamp import Lamp


def flash(lamp: Lamp, seconds: int, miles: int = 12) -> str:
    """One flash."""
    return f"{lamp.name}: {seconds} s"


def period(flashes: int) -> int:
    """Seconds from one group of flashes to the next."""
    return 12 * flashes


def fog_signal(lamp: Lamp) -> str:
    """What the horn says when the beam cannot be seen."""
    return f"{lamp.name}: long, long, short"
'''

_LAMP = '''\
"""The lamp."""


class Lamp:
    """A lamp with a name."""

    def __init__(self, name: str) -> None:
        self.name = name
'''

# Changed by main alone, and not in the style that dev's CI asks for.
_LOG_MAIN = '''\
"""The keeper's log."""

def entry( text:str )->str:
    """One line of the log."""
    return   'log: '+text
'''

_LOG_BASE = '''\
"""The keeper's log."""
'''

_PYPROJECT = """\
[tool.black]
line-length = 100

[tool.isort]
profile = "black"
"""

BASE: dict[str, str] = {
    POLICY_PATH: POLICY,
    ".github/CODEOWNERS": "* @example/keepers\n",
    "README.md": "# Lighthouse\n",
    "lighthouse/__init__.py": "",
    "lighthouse/beam.py": _BEAM_BASE,
    "lighthouse/lamp.py": _LAMP,
    "lighthouse/log.py": _LOG_BASE,
    "pyproject.toml": _PYPROJECT,
    "requirements.lock": "lamp-oil==1.0\n",
}

DEV: dict[str, str] = {
    ".github/CODEOWNERS": "* @example/dev-keepers\n",
    "lighthouse/beam.py": _BEAM_DEV,
    "requirements.lock": "lamp-oil==1.1\nprism==0.3\n",
}

MAIN: dict[str, str] = {
    ".github/CODEOWNERS": "* @example/keepers @example/harbour\n",
    "README.md": "# Lighthouse\n\nSeen for twelve miles.\n",
    "lighthouse/beam.py": _BEAM_MAIN,
    "lighthouse/log.py": _LOG_MAIN,
    "requirements.lock": "lamp-oil==2.0\n",
}
