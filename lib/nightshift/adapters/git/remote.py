"""The remote: where it is, what a branch points at, a push and why it was refused.

The token goes with the single call that needs it. Reads are repeated where the network failed; a
push never is, for who wants it must look first whether it was done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from nightshift.adapters.git import environment
from nightshift.adapters.git.command import Command, Output, failure
from nightshift.errors import HostError, UserError
from nightshift.refs import check_name

BAD_ADDRESS = "{url!r} is no address of a remote."
MEND_ADDRESS = "Give an http, https, ssh or file address, without a user name or password."

STALE = "the branch is not where it was when it was read; nothing was overwritten."
MEND_STALE = "Somebody pushed to it meanwhile: run again, the new commits are taken up."
WORKFLOW = "the merge changes workflow files, and the token may not do that."
MEND_WORKFLOW = (
    "Give the token write access to workflows (`workflows: write` of an app, scope `workflow`)."
)
PROTECTED = "a rule of the repository refuses the push."
MEND_PROTECTED = (
    "Let the token's owner pass the branch's protection or ruleset, or name another branch."
)
AUTH = "the remote does not accept the token for this."
MEND_AUTH = "The token needs `contents: write` on this repository and must not have expired."
MISSING = "the remote does not have it, or does not show it to this token."
MEND_MISSING = "Check the repository's name, the branch's name, and what the token may read."
NETWORK = "the remote could not be reached."
LIMITED = "the remote asks for a pause: too much was asked at once."
MEND_NETWORK = "Run again later."
REFUSED = "the remote refused."

PAUSES = (2.0, 10.0, 30.0, 90.0)
"""Seconds between attempts at a read."""


@dataclass(frozen=True, slots=True)
class Remote:
    """Where a repository is. The token shows in no `repr`, address, command line or error.

    :param url: http, https, ssh or file address, or a local path.
    :param sleep: what is waited on between attempts at a read; None: there is one attempt.
    """

    url: str
    token: str = field(default="", repr=False)
    sleep: Callable[[float], object] | None = field(default=None, repr=False, compare=False)

    def variables(self) -> dict[str, str]:
        """The environment of a call to it."""
        return environment.isolated(environment.credentials(self.url, self.token))

    def checked(self) -> str:
        """The address, if git may see it.

        :raises UserError: it looks like an option or a remote helper, or carries credentials.
        """
        parts = urlsplit(self.url)
        bad = not self.url or self.url.startswith("-") or "::" in self.url.partition("/")[0]
        secret = parts.scheme in ("http", "https") and "@" in parts.netloc
        if bad or secret:
            shown = parts.hostname if secret else self.url
            raise UserError(BAD_ADDRESS.format(url=shown), mend=MEND_ADDRESS)
        return self.url


@dataclass(frozen=True, slots=True)
class _Cause:
    reason: str
    signs: tuple[str, ...]
    what: str
    mend: str
    transient: bool = False


# The first cause of which a sign stands in git's words, lower-cased, decides. A limit has the
# status of a missing permission, so it is looked for first: by its words, or because the refusal
# comes at the second request of a call, where permissions were looked at already.
CAUSES = (
    _Cause("workflow", ("refusing to allow",), WORKFLOW, MEND_WORKFLOW),
    _Cause(
        "protected",
        ("protected branch", "gh006", "gh013", "rule violations", "hook declined"),
        PROTECTED,
        MEND_PROTECTED,
    ),
    _Cause(
        "stale",
        ("stale info", "fetch first", "non-fast-forward", "cannot lock ref", "incorrect old value"),
        STALE,
        MEND_STALE,
    ),
    _Cause(
        "network",
        ("rate limit", "returned error: 429", "rpc failed; http 429", "rpc failed; http 403"),
        LIMITED,
        MEND_NETWORK,
        transient=True,
    ),
    _Cause(
        "auth",
        (
            "authentication failed",
            "could not read username",
            "could not read password",
            "returned error: 401",
            "returned error: 403",
            "permission denied",
            "permission to ",
            "not granted",
        ),
        AUTH,
        MEND_AUTH,
    ),
    _Cause(
        "missing",
        ("not found", "does not appear to be a git repository", "couldn't find remote ref"),
        MISSING,
        MEND_MISSING,
    ),
    _Cause(
        "network",
        (
            "could not resolve",
            "failed to connect",
            "couldn't connect",
            "timed out",
            "timeout",
            "reset by peer",
            "returned error: 5",
            "early eof",
            "rpc failed",
            "unexpected disconnect",
            "hung up",
            "ssl",
            "unable to access",
        ),
        NETWORK,
        MEND_NETWORK,
        transient=True,
    ),
)


def refusal(verb: str, output: Output, *, where: str) -> HostError:
    """The error that a failed call to the remote stands for, with its cause and remedy."""
    words = f"{output.text}\n{output.words}".lower()
    for cause in CAUSES:
        if any(sign in words for sign in cause.signs):
            said = failure(verb, output).what
            return HostError(
                f"{cause.what} ({said})",
                where=where,
                mend=cause.mend,
                transient=cause.transient,
                reason=cause.reason,
            )
    error = failure(verb, output, where=where)
    return HostError(f"{REFUSED} ({error.what})", where=where, reason="refused")


def call(command: Command, remote: Remote, verb: str, *arguments: str, where: str) -> Output:
    """A command that talks to the remote.

    :raises HostError: with the reason.
    """
    output = command.run(verb, *arguments, ok=range(256), variables=remote.variables())
    if output.status:
        raise refusal(verb, output, where=where)
    return output


def read(command: Command, remote: Remote, verb: str, *arguments: str, where: str) -> Output:
    """A command that only reads from the remote, again where the network failed.

    :raises HostError: with the reason.
    """
    for pause in PAUSES if remote.sleep is not None else ():
        try:
            return call(command, remote, verb, *arguments, where=where)
        except HostError as error:
            if not error.transient or remote.sleep is None:
                raise
            remote.sleep(pause)
    return call(command, remote, verb, *arguments, where=where)


def head(command: Command, remote: Remote, branch: str) -> str | None:
    """The commit that a branch points at on the remote right now."""
    ref = f"refs/heads/{check_name(branch)}"
    listing = read(command, remote, "ls-remote", "--", remote.checked(), ref, where=branch).text
    for line in listing.splitlines():
        oid, _, name = line.partition("\t")
        if name == ref:
            return oid
    return None


def push(command: Command, remote: Remote, commit: str, branch: str, expect: str | None) -> None:
    """Point a branch at a commit if it still is where we saw it; no hook, no tag, no other branch.

    :raises HostError: refused, with the reason.
    """
    ref = f"refs/heads/{check_name(branch)}"
    lease = f"--force-with-lease={ref}:{expect or ''}"
    options = ("--porcelain", "--no-verify", "--no-follow-tags", "--recurse-submodules=no", lease)
    call(command, remote, "push", *options, "--", remote.checked(), f"{commit}:{ref}", where=branch)
