"""The wheel has all of the package and nothing else; locks, image and git agree with pyproject."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCKS = ("runtime", "build", "dev", "ci")

PIN = re.compile(r"^([a-z0-9-]+)==(\S+)", re.MULTILINE)


def git(*args: str) -> list[str]:
    done = subprocess.run(["git", *args], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.fixture(name="sources", scope="module")
def files_of_the_package() -> list[str]:
    """The package's files as git has them or would take them."""
    listed = git("ls-files", "--cached", "--others", "--exclude-standard", "lib/nightshift")
    return sorted(name.removeprefix("lib/") for name in listed if (ROOT / name).exists())


def lock(name: str) -> str:
    return (ROOT / "requirements" / f"{name}.txt").read_text()


def pins(name: str) -> dict[str, Version]:
    return {package: Version(version) for package, version in PIN.findall(lock(name))}


@pytest.fixture(name="wheel", scope="module")
def built_wheel(sources: list[str], tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel, built from a copy as the image builds it: no isolation, no network."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    for name in ["pyproject.toml", "README.md", "LICENSE", *(f"lib/{name}" for name in sources)]:
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((ROOT / name).read_bytes())
    command = [
        sys.executable,
        "-m",
        "pip",
        "--isolated",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-index",
    ]
    command += ["--no-build-isolation", "--wheel-dir", str(folder), str(source)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return zipfile.ZipFile(built)


def test_the_wheel_has_every_file_of_the_package_and_nothing_else(
    wheel: zipfile.ZipFile, sources: list[str]
) -> None:
    names = [name for name in wheel.namelist() if ".dist-info/" not in name]
    assert sorted(names) == sources


def test_the_wheel_has_the_presets(wheel: zipfile.ZipFile) -> None:
    presets = [
        Path(name).stem
        for name in wheel.namelist()
        if "/presets/" in name and name.endswith(".yaml")
    ]
    assert {"pytorch-distributed", "main-to-dev", "megatron-nightly"} <= set(presets)


def test_the_wheel_has_script_and_licence(wheel: zipfile.ZipFile) -> None:
    (scripts,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    assert b"nightshift = nightshift.cli.main:script" in wheel.read(scripts)
    (licence,) = (name for name in wheel.namelist() if name.endswith("LICENSE"))
    assert b"Apache License" in wheel.read(licence)


def test_git_hides_nothing_of_the_code() -> None:
    candidates = [
        str(path.relative_to(ROOT))
        for room in ("lib", "entrypoint", "tests", "requirements", "examples")
        for path in (ROOT / room).rglob("*")
        if path.is_file() and not {"__pycache__", "nightshift.egg-info"} & set(path.parts)
    ]
    new = ["lib/nightshift/merge/anything.py", "lib/nightshift/build/x.py", "tests/dist/x.py"]
    done = subprocess.run(
        ["git", "check-ignore", "--no-index", "--stdin"],
        cwd=ROOT,
        input="\n".join(candidates + new),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == ""


@pytest.mark.parametrize("name", LOCKS)
def test_each_pin_of_a_lock_has_hashes_and_no_place(name: str) -> None:
    text = lock(name)
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    assert not re.search(r"--(extra-)?index-url|--find-links|://|file:|\s@\s", "\n".join(lines))
    for entry in re.split(r"\n(?=[a-z0-9])", "\n".join(lines)):
        assert re.match(r"[a-z0-9-]+==\S+.*\\\n", entry)
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry)


def test_the_locks_fulfil_pyproject() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = {
        "runtime": PROJECT["project"]["dependencies"],
        "build": PROJECT["build-system"]["requires"],
        "dev": [*PROJECT["project"]["dependencies"], *extras["test"], *extras["lint"]],
    }
    for name, requirements in wanted.items():
        have = pins(name)
        for requirement in map(Requirement, requirements):
            key = re.sub(r"[-_.]+", "-", requirement.name).lower()
            assert key in have, f"requirements/{name}.txt lacks {key}: run `make lock`"
            assert requirement.specifier.contains(have[key]), f"{key}: run `make lock`"


def test_what_is_tested_is_what_the_image_runs() -> None:
    tested = pins("dev")
    assert {name: tested.get(name) for name in pins("runtime")} == pins("runtime")


@pytest.mark.parametrize(("name", "major"), [("black", 24), ("isort", 5)])
def test_the_formatters_are_held_at_a_style(name: str, major: int) -> None:
    text = (ROOT / "requirements" / "constraints.txt").read_text()
    held = pins("runtime")[name]
    assert held.major == major
    assert f"\n{name}=={held}\n" in text


def dockerfile() -> str:
    return (ROOT / "Dockerfile").read_text()


def test_the_image_has_one_base_whose_digest_nobody_made_up() -> None:
    bases = re.findall(r"^FROM (\S+)", dockerfile(), re.MULTILINE)
    assert bases.count("base") == len(bases) - 1
    assert re.fullmatch(
        r"docker\.io/library/python:3\.13-slim-trixie(@sha256:[0-9a-f]{64})?", bases[0]
    )


def test_the_entrypoint_is_no_shell_and_imports_nothing_of_the_workspace() -> None:
    (entrypoint,) = re.findall(r"^ENTRYPOINT (.*)$", dockerfile(), re.MULTILINE)
    words = re.findall(r'"([^"]*)"', entrypoint)
    assert words[0].endswith("/bin/python") and words[1:3] == ["-I", "-u"]
    assert words[3].endswith("/entrypoint/main.py") and Path(words[3]).is_absolute()


def test_the_build_takes_only_hashed_packages() -> None:
    installs = re.findall(
        r"install\s(.*?)(?:&&|\n\n)", dockerfile().replace("\\\n", " "), re.DOTALL
    )
    ours = [words for words in installs if "apt-get" not in words and "--yes" not in words]
    assert ours
    for words in ours:
        assert "--require-hashes" in words or "--no-index" in words


def test_the_build_context_holds_what_is_copied_and_no_more() -> None:
    copied = re.findall(r"^COPY (?!--from)(.*) \S+$", dockerfile(), re.MULTILINE)
    names = {name for line in copied for name in line.split()}
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    allowed = {line[1:] for line in lines if line.startswith("!")}
    assert names | {"requirements"} == allowed | {"requirements"}
    assert "*" in lines and "requirements/*" in lines
