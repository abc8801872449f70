"""A stand-in for the Dockerfile's base image, made of Debian's packages: no registry is reached.

It has the official image's Debian release, Python's minor version and paths, and nothing else of
it: the build of Python is Debian's, in a virtual environment at /usr/local. What passes on it shows
that the Dockerfile builds and the action runs; only the real base shows that the base is right.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from pathlib import Path

from support.podman import ImageTestError, Podman, run

INCLUDE = ("python3", "python3-venv", "ca-certificates", "netbase", "tzdata")
CERTIFICATES = Path("/usr/local/share/ca-certificates")
MIRROR_VARIABLE = "NIGHTSHIFT_DEBIAN_MIRROR"
KEY_LABEL = "nightshift.base-key"

NO_BASE = "The Dockerfile's first FROM names no image that is made of Debian and Python."
NO_MIRROR = (
    "No Debian mirror is known: `apt-get update` on a Debian machine makes it known, and the "
    f"variable {MIRROR_VARIABLE} names one on any other."
)

_FROM = re.compile(r"^FROM (docker\.io/library/python:([0-9.]+)-slim-([a-z]+))", re.MULTILINE)


def base_of(dockerfile: str) -> tuple[str, str, str]:
    """The base that a Dockerfile names: (image with tag, Python's version, Debian's code name)."""
    match = _FROM.search(dockerfile)
    if not match:
        raise ImageTestError(NO_BASE)
    return match[1], match[2], match[3]


def ensure_base(podman: Podman, dockerfile: str) -> str:
    """Make the stand-in, unless the storage has it already.

    :returns: the image's name and tag, the Dockerfile's own.
    """
    image, _, suite = base_of(dockerfile)
    certificates = sorted(CERTIFICATES.glob("*.crt")) if CERTIFICATES.is_dir() else []
    key = _key(image, certificates)
    if podman.inspect(image, f'{{{{index .Labels "{KEY_LABEL}"}}}}') == key:
        return image
    tarball = podman.home / "tmp" / f"base-{key}.tar"
    try:
        _bootstrap(tarball, suite, certificates)
        changes = ("CMD ['python3']", "ENV LANG=C.UTF-8", f"LABEL {KEY_LABEL}={key}")
        path = "ENV PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"
        options = [part for change in (path, *changes) for part in ("--change", change)]
        podman.call("import", *options, tarball, image)
    finally:
        tarball.unlink(missing_ok=True)
    return image


def mirror() -> str:
    """The Debian mirror that this machine itself uses.

    :raises ImageTestError: it uses none.
    """
    named = os.environ.get(MIRROR_VARIABLE)
    if named:
        return named
    rows = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(LABEL) $(COMPONENT) $(REPO_URI)"],
        capture_output=True,
        text=True,
        check=False,
    ).stdout.splitlines()
    found = [row.split(maxsplit=2)[2] for row in rows if row.startswith("Debian main ")]
    if not found:
        raise ImageTestError(NO_MIRROR)
    return found[0]


def _key(image: str, certificates: list[Path]) -> str:
    parts = [image.encode(), " ".join(INCLUDE).encode(), Path(__file__).read_bytes()]
    parts += [certificate.read_bytes() for certificate in certificates]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


def _bootstrap(tarball: Path, suite: str, certificates: list[Path]) -> None:
    hooks = ['chroot "$1" python3 -m venv /usr/local']
    if certificates:
        names = " ".join(str(certificate) for certificate in certificates)
        hooks += [f"copy-in {names} {CERTIFICATES}", 'chroot "$1" update-ca-certificates']
    command = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(INCLUDE)}"]
    command += [f"--customize-hook={hook}" for hook in hooks]
    run([*command, suite, tarball, mirror()])
