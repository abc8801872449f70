"""The action's image: built from the Dockerfile for real, run as the runner runs it."""

from __future__ import annotations

import fcntl
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from support.base_image import ensure_base
from support.podman import ImageTestError, Podman, cache_folder, require_tools
from support.runner import ROOT, RunnerEnv

TAG = "localhost/nightshift:test"
TOO_LONG = "The container was stopped after {seconds:.0f} s. It had printed:\n{text}"


@dataclass(frozen=True, slots=True)
class Image:
    """The built image, and the stand-in that it was built on."""

    podman: Podman
    tag: str
    base: str

    def fact(self, template: str) -> str:
        """One fact of the image's configuration, by a Go template."""
        return self.podman.inspect(self.tag, template) or ""

    def shell(self, script: str, *, user: str = "0") -> str:
        """What a shell script prints inside of the image.

        :raises ImageTestError: it failed.
        """
        options = ["--rm", "--user", user, "--entrypoint", "/bin/sh"]
        return self.podman.call("run", *options, self.tag, "-euc", script)

    def python(self, program: str) -> str:
        """What a program prints that the image's own Python runs, isolated as the action is.

        :raises ImageTestError: it failed.
        """
        options = ["--rm", "--entrypoint", "/opt/nightshift/venv/bin/python"]
        return self.podman.call("run", *options, self.tag, "-I", "-c", program)

    def run(self, runner: RunnerEnv, *, timeout: float = 300) -> subprocess.CompletedProcess[str]:
        """Run the action: root in the container, the workspace another user's, no terminal.

        :raises ImageTestError: it did not end in time.
        """
        runner.give_to_runner_user()
        name = f"nightshift-{uuid.uuid4()}"
        options = ["--rm", "--name", name, "--workdir", "/github/workspace"]
        variables = runner.container_env
        options += [part for variable in variables for part in ("--env", variable)]
        for folder, place in runner.volumes.items():
            options += ["--volume", f"{folder}:{place}"]
        try:
            return subprocess.run(
                ["podman", "run", *options, self.tag],
                env=self.podman.env(variables),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired as late:
            self.podman.call("kill", name)
            text = (late.stdout or b"").decode(errors="replace")
            raise ImageTestError(TOO_LONG.format(seconds=timeout, text=text)) from late


def build_image() -> Image:
    """Build the image, on the stand-in for its base.

    :raises ImageTestError: something is missing on this machine, or the build failed.
    """
    require_tools()
    podman = Podman.at(cache_folder())
    with _alone(podman.home / "lock"):
        base = ensure_base(podman, (ROOT / "Dockerfile").read_text(encoding="utf-8"))
        options = ["--pull=never", "--format", "docker", "--from", base, "--tag", TAG]
        podman.call("build", *options, ROOT)
        podman.call("image", "prune", "--force", "--filter", "until=24h")
    return Image(podman, TAG, base)


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    with lock.open("w", encoding="utf-8") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
