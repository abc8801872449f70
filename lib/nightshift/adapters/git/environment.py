"""The environment that git runs in: no configuration but ours, no prompt, no hook, plain English.

The user's and the system's configuration must not change a merge. A token travels in the
environment of the one call that needs it: never in an address, never on a command line.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, MutableMapping
from urllib.parse import urlsplit

Setting = tuple[str, str]

# What git is told whatever the repository's own configuration says.
SETTINGS: tuple[Setting, ...] = (
    ("safe.directory", "*"),  # the runner's checkout belongs to another user; no hook of it runs
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.attributesFile", "/dev/null"),
    ("core.excludesFile", "/dev/null"),
    ("credential.helper", ""),
    ("rerere.enabled", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("http.lowSpeedLimit", "1000"),
    ("http.lowSpeedTime", "60"),
    ("merge.conflictStyle", "merge"),
    ("merge.directoryRenames", "conflict"),
    ("submodule.recurse", "false"),
)

_VARIABLES = {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "GIT_SSH_COMMAND": "ssh -oBatchMode=yes -oConnectTimeout=30",
    "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
    "LC_ALL": "C",
    "LANGUAGE": "C",
}

# What an enterprise runner sets so that git can reach its host at all.
_KEPT = ("GIT_SSL_", "GIT_PROXY_", "GIT_EXEC_PATH", "GIT_PYTHON_")


def scrub(environ: MutableMapping[str, str]) -> None:
    """Drop the caller's git variables (GIT_DIR, GIT_INDEX_FILE, GIT_TRACE_CURL, …) for good.

    GitPython hands this process's environment on to git, and can only add to it.
    """
    for name in [n for n in environ if n.startswith("GIT_") and not n.startswith(_KEPT)]:
        del environ[name]


def isolated(extra: Iterable[Setting] = ()) -> dict[str, str]:
    """Variables that cut git off from all configuration but `SETTINGS` and the given settings."""
    return {**_VARIABLES, **_config((*SETTINGS, *extra))}


def of_user() -> dict[str, str]:
    """Variables for commands in the user's own work tree, where their filters and line ends
    hold."""
    settings = (("core.hooksPath", "/dev/null"), ("submodule.recurse", "false"))
    return {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C", "LANGUAGE": "C", **_config(settings)}


def credentials(url: str, token: str) -> tuple[Setting, ...]:
    """The setting that shows a token to one host only; nothing where there is no token or no
    HTTP."""
    parts = urlsplit(url)
    if not token or parts.scheme not in ("http", "https"):
        return ()
    basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    return (
        (f"http.{parts.scheme}://{parts.netloc}/.extraheader", f"Authorization: Basic {basic}"),
    )


def _config(settings: tuple[Setting, ...]) -> dict[str, str]:
    variables = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings):
        variables[f"GIT_CONFIG_KEY_{number}"] = key
        variables[f"GIT_CONFIG_VALUE_{number}"] = value
    return variables
