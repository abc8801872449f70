"""The environment that git runs in."""

from __future__ import annotations

import base64

from nightshift.adapters.git.environment import credentials, isolated, of_user, scrub
from nightshift.adapters.git.remote import Remote


def settings(variables: dict[str, str]) -> dict[str, str]:
    """The configuration that variables carry."""
    count = int(variables["GIT_CONFIG_COUNT"])
    return {
        variables[f"GIT_CONFIG_KEY_{n}"]: variables[f"GIT_CONFIG_VALUE_{n}"] for n in range(count)
    }


def test_drops_the_callers_git_variables_and_nothing_else() -> None:
    environ = {
        "GIT_DIR": "x",
        "GIT_TRACE_CURL": "1",
        "GIT_SSL_CAINFO": "ca",
        "PATH": "p",
        "GITHUB_SHA": "s",
    }
    scrub(environ)
    assert environ == {"GIT_SSL_CAINFO": "ca", "PATH": "p", "GITHUB_SHA": "s"}


def test_reads_no_configuration_and_runs_no_hook() -> None:
    variables = isolated()
    assert variables["GIT_CONFIG_GLOBAL"] == "/dev/null"
    assert variables["GIT_CONFIG_NOSYSTEM"] == "1"
    assert variables["GIT_TERMINAL_PROMPT"] == "0"
    assert settings(variables)["core.hooksPath"] == "/dev/null"
    assert settings(variables)["rerere.enabled"] == "false"


def test_a_users_own_configuration_holds_in_their_work_tree_but_for_hooks() -> None:
    variables = of_user()
    assert "GIT_CONFIG_GLOBAL" not in variables
    assert settings(variables)["core.hooksPath"] == "/dev/null"


def test_a_token_goes_to_one_host_and_into_no_address() -> None:
    found = settings(isolated(credentials("https://github.example/o/r.git", "sesame")))
    header = found["http.https://github.example/.extraheader"]
    assert base64.b64decode(header.rpartition(" ")[2]) == b"x-access-token:sesame"


def test_a_token_is_for_http_only() -> None:
    assert not credentials("git@github.example:o/r.git", "sesame")
    assert not credentials("/srv/repo.git", "sesame")
    assert not credentials("https://github.example/o/r.git", "")


def test_a_remote_shows_no_token() -> None:
    assert "sesame" not in repr(Remote("https://github.example/o/r.git", "sesame"))
