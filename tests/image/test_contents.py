"""What is in the image, and what is not. What depends on the stand-in of the base is not asked."""

from __future__ import annotations

import json
import re

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from nightshift import __version__
from support.base_image import base_of
from support.image import Image
from support.runner import ROOT

pytestmark = pytest.mark.image

LINUX = {
    **{name: str(value) for name, value in default_environment().items()},
    "sys_platform": "linux",
    "platform_system": "Linux",
    "os_name": "posix",
    "python_version": "3.13",
    "python_full_version": "3.13.5",
}


def lines(text: str) -> list[str]:
    return text.split()


def canonical(pin: str) -> str:
    name, equals, version = pin.partition("==")
    return canonicalize_name(name) + equals + version


def test_it_starts_the_entrypoint_without_a_shell_as_root(image: Image) -> None:
    entrypoint = json.loads(image.fact("{{json .Config.Entrypoint}}"))
    assert entrypoint[1:] == ["-I", "-u", "/opt/nightshift/entrypoint/main.py"]
    assert json.loads(image.fact("{{json .Config.Cmd}}")) in (None, [])
    assert image.fact("{{.Config.User}}") == ""
    assert image.shell(f"test -x {entrypoint[0]} && test -f {entrypoint[3]} && echo there")


def test_it_has_the_python_that_the_base_promises_and_git(image: Image) -> None:
    _, version, suite = base_of((ROOT / "Dockerfile").read_text(encoding="utf-8"))
    running = image.python("import sys; print(*sys.version_info[:2], sep='.')").strip()
    assert running == version
    assert suite in image.shell("cat /etc/os-release")
    major, minor = re.findall(r"\d+", image.shell("git --version"))[:2]
    assert (int(major), int(minor)) >= (2, 47)


def test_the_package_is_installed_not_linked(image: Image) -> None:
    file = image.python("import nightshift; print(nightshift.__file__)").strip()
    assert file.startswith("/opt/nightshift/venv/lib/python3.13/site-packages/nightshift/")
    program = "from importlib.metadata import version; print(version('nightshift'))"
    assert image.python(program).strip() == __version__
    presets = image.shell(
        "ls /opt/nightshift/venv/lib/python3*/site-packages/nightshift/policy/presets"
    )
    assert {"pytorch-distributed.yaml", "main-to-dev.yaml", "megatron-nightly.yaml"} <= set(
        lines(presets)
    )


def test_it_holds_the_lock_and_nothing_beside_it(image: Image) -> None:
    program = (
        "from importlib.metadata import distributions\n"
        "for one in distributions(): print(f'{one.name}=={one.version}')"
    )
    have = {canonical(line) for line in lines(image.python(program))}
    lock = (ROOT / "requirements" / "runtime.txt").read_text(encoding="utf-8")
    pins = [line.rstrip(" \\") for line in re.findall(r"^[a-z0-9].*$", lock, re.MULTILINE)]
    wanted = {
        f"{entry.name}{entry.specifier}"
        for entry in map(Requirement, pins)
        if entry.marker is None or entry.marker.evaluate(LINUX)
    }
    assert have == wanted | {f"nightshift=={__version__}"}


def test_all_bytecode_is_compiled_and_never_checked_again(image: Image) -> None:
    program = """
import importlib.util, pathlib
for source in pathlib.Path("/opt/nightshift").rglob("*.py"):
    cached = pathlib.Path(importlib.util.cache_from_source(str(source)))
    flags = int.from_bytes(cached.read_bytes()[4:8], "little") if cached.exists() else None
    if flags != 1:
        print(source, flags)
"""
    assert image.python(program) == ""


def test_nothing_is_left_of_the_build(image: Image) -> None:
    left = image.shell(
        "ls -A /build /root/.cache /root/.local /tmp /var/tmp /var/lib/apt/lists /var/cache/apt"
        " 2>/dev/null | grep -v ':$' || true"
    )
    assert lines(left) == []
    assert image.shell("find /opt/nightshift -name tests -path '*nightshift/tests*'") == ""
    program = (
        "from importlib.util import find_spec\n"
        "print([name for name in ('pip', 'setuptools', 'pytest') if find_spec(name)])"
    )
    assert image.python(program).strip() == "[]"


def test_it_is_small(image: Image) -> None:
    base = int(image.podman.inspect(image.base, "{{.Size}}") or 0)
    assert int(image.fact("{{.Size}}")) - base < 260_000_000


def test_there_is_a_user_for_code_of_the_repository(image: Image) -> None:
    assert lines(image.shell("id -u nightshift && id -gn nightshift")) == ["10001", "nightshift"]
    script = (
        "! touch /opt/nightshift/x 2>/dev/null && ! ls /root 2>/dev/null"
        " && /opt/nightshift/venv/bin/python -I -c 'import nightshift, pylint; print(1)'"
    )
    assert image.shell(script, user="nightshift").strip() == "1"


def test_it_says_what_it_is(image: Image) -> None:
    labels = json.loads(image.fact("{{json .Config.Labels}}"))
    assert labels["org.opencontainers.image.title"] == "nightshift"
    assert labels["org.opencontainers.image.licenses"] == "Apache-2.0"
