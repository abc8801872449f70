"""Podman with configuration and storage of its own: container images without an engine that runs.

All state is in one folder outside the checkout; what is there is used again, nothing has to be. The
machine's own containers and configuration are neither read nor changed. Needs root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

TOOLS = ("podman", "runc", "mmdebstrap")
PACKAGES = ("podman", "runc", "mmdebstrap", "containernetworking-plugins")
CACHE_VARIABLE = "NIGHTSHIFT_IMAGE_CACHE"
DEFAULT_CACHE = "/var/tmp/nightshift-image"

NEED_TOOLS = "The image tests build and run the real image and need {missing}. On Debian: {install}"
NEED_ROOT = "The image tests make a file system and run containers as root does; run them as root."
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
FAILED = "`{command}` ended with {code}:\n{tail}"

_STORAGE_CONF = """\
[storage]
driver = "overlay"
runroot = "{run}"
graphroot = "{home}/graph"
"""

# No limits are raised and no cgroup tree is delegated where this runs inside a container or a small
# virtual machine. runc, because crun refuses machines with both cgroup hierarchies. The host's
# network, because the sandbox listens on its loopback.
_CONTAINERS_CONF = """\
[containers]
default_ulimits = []
netns = "host"

[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = "{run}/libpod"
"""


class ImageTestError(AssertionError):
    """The image tests cannot go on, and the text says why. They fail; they are never skipped."""


def cache_folder() -> Path:
    """Where everything is kept between runs."""
    return Path(os.environ.get(CACHE_VARIABLE) or DEFAULT_CACHE)


def require_tools() -> None:
    """Check that the machine can build and run images.

    :raises ImageTestError: it cannot; the text names what is missing and how to get it.
    """
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing:
        install = f"apt-get install --no-install-recommends {' '.join(PACKAGES)}"
        raise ImageTestError(NEED_TOOLS.format(missing=", ".join(missing), install=install))
    if os.geteuid() != 0:
        raise ImageTestError(NEED_ROOT)


def run(command: Sequence[str | Path], env: Mapping[str, str] | None = None) -> str:
    """Run a command to its end.

    :returns: what it printed on its standard output.
    :raises ImageTestError: it failed; the text has the end of what it printed.
    """
    words = [str(word) for word in command]
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        tail = "\n".join((done.stdout + done.stderr).splitlines()[-60:])
        text = FAILED.format(command=" ".join(words[:6]), code=done.returncode, tail=tail)
        raise ImageTestError(text)
    return done.stdout


@dataclass(frozen=True, slots=True)
class Podman:
    """One configuration and storage of podman, in the folder `home`."""

    home: Path

    @classmethod
    def at(cls, home: Path) -> Podman:
        """Write the configuration."""
        # What is mounted and running is forgotten at a restart of the machine, the images are not.
        volatile = home / "run" / BOOT_ID.read_text(encoding="ascii")[:8]
        for folder in (volatile, home / "graph", home / "tmp"):
            folder.mkdir(parents=True, exist_ok=True)
        for name, text in {"storage": _STORAGE_CONF, "containers": _CONTAINERS_CONF}.items():
            (home / f"{name}.conf").write_text(
                text.format(home=home, run=volatile), encoding="utf-8"
            )
        return cls(home)

    def env(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """Podman's environment: nothing of ours but the path and the proxies."""
        ours = {
            name: value
            for name, value in os.environ.items()
            if name == "PATH" or name.lower().endswith("_proxy")
        }
        return ours | {
            "HOME": str(self.home),
            "TMPDIR": str(self.home / "tmp"),
            "CONTAINERS_STORAGE_CONF": str(self.home / "storage.conf"),
            "CONTAINERS_CONF": str(self.home / "containers.conf"),
            **(extra or {}),
        }

    def call(self, *args: str | Path) -> str:
        """A podman command that must succeed; what it printed."""
        return run(["podman", *args], self.env())

    def inspect(self, image: str, template: str) -> str | None:
        """One fact about an image; None where there is no such image."""
        command = ["podman", "image", "inspect", "--format", template, image]
        done = subprocess.run(command, env=self.env(), capture_output=True, text=True, check=False)
        return done.stdout.strip() if done.returncode == 0 else None
