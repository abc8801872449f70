"""One revision of somebody else's repository, to be looked at: fetched by https alone, without a
token, submodules, filters or anyone's configuration, within limits of time and size.

Implements `ports.Revisions`. Nothing of it is checked out or run; what is read are texts.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from nightshift.adapters.git import environment
from nightshift.adapters.git.command import Command, to_text
from nightshift.adapters.tools.child import spawn
from nightshift.errors import HostError, UserError
from nightshift.refs import is_ref_name
from nightshift.values import Entry

BAD_ADDRESS = "{url!r} is no address that may be looked at."
MEND_ADDRESS = "Only https addresses without a user name or password are."
BAD_REVISION = "{revision!r} is no name of a revision."
NOT_FETCHED = "{url} at {revision} could not be fetched: {words}"
TOO_SLOW = "it took longer than {seconds:g} s"
DEAD = "this host did not answer in time before"
DEFAULT = "HEAD"
SECONDS = 120.0
MOST_BYTES = 512 * 1024 * 1024
MOST_FILES = 20_000
WORDS = 200

_REF = "refs/nightshift/revision"
_PACKAGING = ("pyproject.toml", "setup.cfg", "setup.py")
_PLAIN = (b"100644", b"100755")
_BLOCK = 512
# The limit of the size of a file is that of what is fetched: it comes as one file, a pack.
_LIMITED = 'ulimit -f "$1" && shift && exec "$@"'
_SETTINGS = (
    ("fetch.unpackLimit", "1"),
    ("fetch.fsckObjects", "true"),
    ("fetch.recurseSubmodules", "false"),
    ("http.followRedirects", "initial"),
)
_PASSED_ON = ("https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR")


@dataclass(frozen=True, slots=True)
class Fetched:
    """The files of a revision that were asked for. Implements `ports.TreeView`."""

    files: Mapping[str, bytes]

    def entries(self) -> Mapping[str, Entry]:
        """path -> entry; object ids follow from the bytes."""
        return {path: Entry("100644", _oid(data)) for path, data in self.files.items()}

    def read(self, path: str) -> bytes | None:
        """A file's bytes; None where it was not asked for or is not there."""
        return self.files.get(path)


class RevisionReader:
    """Fetches revisions; one that was fetched is remembered, and a host that is dead too.

    :param as_user: the numeric user that git runs as; None: the same as we.
    :param schemes: of addresses that may be looked at.
    """

    def __init__(
        self,
        *,
        as_user: int | None = None,
        seconds: float = SECONDS,
        most: int = MOST_BYTES,
        schemes: Sequence[str] = ("https",),
    ) -> None:
        self._as_user, self._seconds, self._most = as_user, seconds, most
        self._schemes = tuple(schemes)
        self._known: dict[tuple[str, str], Fetched] = {}
        self._dead: set[str] = set()

    def __call__(self, url: str, revision: str) -> Fetched:
        """The Python and packaging files of a revision: see `ports.Revisions`."""
        self._require(url, revision)
        key = url, revision
        if key not in self._known:
            with tempfile.TemporaryDirectory(prefix="nightshift-") as name:
                self._known[key] = Fetched(self._files(Path(name), url, revision or DEFAULT))
        return self._known[key]

    def _require(self, url: str, revision: str) -> None:
        parts = urlsplit(url)
        named = bool(parts.hostname) or parts.scheme == "file"
        if parts.scheme not in self._schemes or not named or "@" in parts.netloc:
            raise UserError(BAD_ADDRESS.format(url=url), mend=MEND_ADDRESS)
        if revision and not is_ref_name(revision):
            raise UserError(BAD_REVISION.format(revision=revision))

    def _files(self, folder: Path, url: str, revision: str) -> dict[str, bytes]:
        clone = folder / "clone.git"
        command = Command(folder, environment.isolated())
        command.run("init", "--quiet", "--bare", "--template=", "--", str(clone))
        if self._as_user is not None:
            for place in (folder, *folder.rglob("*")):
                os.chown(place, self._as_user, self._as_user)
        self._fetch(clone, url, revision)
        reader = Command(clone, {**environment.isolated(), "GIT_DIR": str(clone)})
        try:
            return _texts(reader)
        finally:
            reader.close()

    def _fetch(self, clone: Path, url: str, revision: str) -> None:
        def failed(words: str) -> HostError:
            what = NOT_FETCHED.format(url=url, revision=revision, words=words)
            return HostError(what, transient=True)

        host = urlsplit(url).netloc
        if host in self._dead:
            raise failed(DEAD)
        done = spawn(
            "git",
            [
                "/bin/sh",
                "-c",
                _LIMITED,
                "sh",
                str(self._most // _BLOCK),
                *_git(clone, url, revision),
            ],
            cwd=clone,
            variables=self._environment(clone.parent),
            seconds=self._seconds,
            as_user=self._as_user,
            most=WORDS * 8,
        )
        if done.code is None:
            self._dead.add(host)
            raise failed(TOO_SLOW.format(seconds=self._seconds))
        if done.code:
            words = " ".join(done.err.decode("utf-8", "replace").split())[-WORDS:]
            raise failed("".join(char if char.isprintable() else "?" for char in words))

    def _environment(self, home: Path) -> dict[str, str]:
        passed_on = {name: os.environ[name] for name in _PASSED_ON if os.environ.get(name)}
        return {
            **passed_on,
            **environment.isolated(_SETTINGS),
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(home),
            "GIT_ALLOW_PROTOCOL": ":".join(self._schemes),
        }


def _git(clone: Path, url: str, revision: str) -> list[str]:
    options = [
        "--quiet",
        "--depth=1",
        "--no-tags",
        "--no-write-fetch-head",
        "--no-auto-maintenance",
    ]
    return ["git", "-C", str(clone), "fetch", *options, "--", url, f"+{revision}:{_REF}"]


def _texts(command: Command) -> dict[str, bytes]:
    """The files that say what can be imported and how it is packaged. Links are none."""
    oids: dict[str, str] = {}
    for line in command.run("ls-tree", "-r", "-z", "--full-tree", _REF).out.split(b"\0")[:-1]:
        facts, path = line.split(b"\t", 1)
        mode, _, oid = facts.split(b" ")
        name = to_text(path)
        if mode in _PLAIN and (name.endswith(".py") or name.rpartition("/")[2] in _PACKAGING):
            oids[name] = oid.decode("ascii")
    if len(oids) > MOST_FILES:
        raise HostError(f"{len(oids)} files are more than are looked at.")
    blobs = command.objects(oids.values())
    return {path: blobs[oid] for path, oid in oids.items()}


def _oid(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
