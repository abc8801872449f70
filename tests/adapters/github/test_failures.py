"""What GitHub's refusals mean, row by row, and when a request is sent again."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from nightshift.adapters.github import retry
from nightshift.adapters.github.failures import Asked, Transient, of_graphql, of_response
from nightshift.errors import HostError, UserError

NOW = datetime(2026, 3, 2, 12, 0, 0, tzinfo=UTC)
ASKED = Asked("POST /x", "issues: write")
ABOUT = Asked("GET /x", "issues: read", "issue #5")
RESET = str(int(NOW.timestamp()) + 240)
SECONDARY = "You have exceeded a secondary rate limit."
PRIMARY = "API rate limit exceeded for installation ID 1."


def refusal(
    status: int, message: str = "m", asked: Asked = ASKED, **headers: str
) -> HostError | UserError:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    error = of_response(asked, status, names, {"message": message}, NOW)
    assert isinstance(error, (HostError, UserError))
    return error


def test_an_expired_token() -> None:
    error = refusal(401, "Bad credentials")
    assert isinstance(error, HostError)
    assert (error.status, error.transient) == (401, False)
    assert error.what == "the token is not accepted."
    assert "one hour" in error.mend


def test_a_missing_permission_is_named() -> None:
    ours = refusal(403, "Resource not accessible by integration")
    assert "`issues: write`" in ours.mend and not isinstance(ours, Transient)
    theirs = refusal(
        403,
        "Resource not accessible by personal access token",
        x_accepted_github_permissions="issues=write; pull_requests=write",
        x_ratelimit_remaining="0",
    )
    assert "issues: write; pull_requests: write" in theirs.mend


@pytest.mark.parametrize(
    "status, message, headers, pause",
    [
        (403, SECONDARY, {"retry_after": "7"}, 7),
        (429, SECONDARY, {"retry_after": "7"}, 7),
        (403, SECONDARY, {"x_ratelimit_remaining": "40", "x_ratelimit_reset": RESET}, 60),
        (403, SECONDARY, {}, 60),
        (429, "Too many", {}, 60),
        (403, "You have triggered an abuse detection mechanism", {}, 60),
        (403, PRIMARY, {"x_ratelimit_remaining": "0", "x_ratelimit_reset": RESET}, 241),
        (403, PRIMARY, {"x_ratelimit_reset": RESET}, 241),
        (429, "m", {"x_ratelimit_remaining": "0", "x_ratelimit_reset": "1"}, 1),
        (403, PRIMARY, {"retry_after": "soon", "x_ratelimit_reset": "x" * 40}, 60),
    ],
)
def test_limits(status: int, message: str, headers: dict[str, str], pause: float) -> None:
    error = refusal(status, message, **headers)
    assert isinstance(error, Transient)
    assert (error.pause, error.lost, error.status) == (pause, False, status)


def test_another_403_is_final() -> None:
    error = refusal(403, "Unable to create comment because issue is locked.")
    assert isinstance(error, HostError) and not error.transient
    assert "locked" in error.what


@pytest.mark.parametrize("status", [500, 502, 503, 504, 408])
def test_trouble_may_have_done_what_was_asked(status: int) -> None:
    error = refusal(status)
    assert isinstance(error, Transient)
    assert (error.lost, error.pause) == (True, None)


@pytest.mark.parametrize(
    "status, text", [(404, "does not exist"), (410, "was deleted"), (301, "is elsewhere")]
)
def test_what_is_missing_is_the_users_where_the_user_named_it(status: int, text: str) -> None:
    users, hosts = refusal(status, asked=ABOUT), refusal(status)
    assert isinstance(users, UserError) and f"issue #5 {text}" in users.what
    assert isinstance(hosts, HostError) and hosts.status == status and not hosts.transient


def test_every_detail_of_a_422_is_told() -> None:
    payload = {
        "message": "Validation Failed",
        "errors": [
            {"resource": "Label", "field": "name", "code": "invalid"},
            {"message": "too\nlong"},
            "a plain text",
        ],
    }
    error = of_response(ASKED, 422, {}, payload, NOW)
    assert isinstance(error, HostError) and not error.transient
    assert error.what.endswith("Validation Failed; name invalid; too long; a plain text.")


@pytest.mark.parametrize(
    "error, lags",
    [
        ({"message": "A pull request already exists for o:b."}, True),
        ({"resource": "PullRequest", "field": "head", "code": "invalid"}, True),
        ({"resource": "PullRequest", "field": "base", "code": "invalid"}, False),
        ({"message": "No commits between main and b"}, False),
    ],
)
def test_what_may_be_right_a_moment_later(error: dict[str, Any], lags: bool) -> None:
    failure = of_response(ASKED, 422, {}, {"message": "m", "errors": [error]}, NOW)
    assert isinstance(failure, HostError) and failure.transient == lags


@pytest.mark.parametrize("payload", [None, [], "text", {"message": None}, {"errors": "no list"}])
def test_any_payload_makes_an_error(payload: object) -> None:
    for status in (400, 401, 403, 404, 409, 422, 500):
        error = of_response(ASKED, status, {}, payload, NOW)
        assert isinstance(error, HostError) and str(status) in error.what + str(error.status)


def test_a_message_becomes_one_short_line() -> None:
    error = refusal(409, "::error::\n\x1b[2J" + "x" * 1000)
    assert "\n" not in error.what and "\x1b" not in error.what
    assert len(error.what) < 450


@pytest.mark.parametrize(
    "errors, kind, word",
    [
        ([{"type": "NOT_FOUND", "message": "Could not resolve"}], HostError, "no such thing"),
        ([{"type": "FORBIDDEN", "message": "Resource not accessible by integration"}], HostError,
         "may not do this"),
        ([{"type": "INSUFFICIENT_SCOPES", "message": "scopes"}], HostError, "may not do this"),
        ([{"type": "UNPROCESSABLE", "message": "Pull request is closed"}], HostError, "closed"),
        ([{"message": "Field 'x' doesn't exist"}], HostError, "Field 'x'"),
        ([{"type": "RATE_LIMITED", "message": PRIMARY}], Transient, "limit"),
        ([{"message": SECONDARY}], Transient, "pause"),
        ([{"message": "Something went wrong while executing your query."}], Transient, "trouble"),
        ([{"type": "INTERNAL", "message": "timedout: timed out"}], Transient, "trouble"),
        (["what is this"], HostError, "does not say why"),
        ([{"type": "NOT_FOUND"}, {"type": "RATE_LIMITED", "message": PRIMARY}], Transient, "limit"),
    ],
)  # fmt: skip
def test_errors_of_graphql(errors: list[Any], kind: type[HostError], word: str) -> None:
    error = of_graphql(ASKED, errors, {"x-ratelimit-reset": RESET}, NOW)
    assert isinstance(error, Transient) == (kind is Transient) and isinstance(error, kind)
    assert word in str(error)


def test_graphqls_limit_does_nothing_but_its_trouble_may_have() -> None:
    limited = of_graphql(ASKED, [{"type": "RATE_LIMITED", "message": PRIMARY}], {}, NOW)
    trouble = of_graphql(ASKED, [{"message": "Something went wrong"}], {}, NOW)
    assert isinstance(limited, Transient) and not limited.lost
    assert isinstance(trouble, Transient) and trouble.lost


@pytest.mark.parametrize("kind", ["RESOURCE_LIMITS_EXCEEDED", "MAX_NODE_LIMIT_EXCEEDED"])
def test_a_query_that_asks_for_too_much_says_so(kind: str) -> None:
    error = of_graphql(ASKED, [{"type": kind, "message": "limits"}], {}, NOW)
    assert isinstance(error, HostError) and error.reason == "too-much"


def test_not_found_is_the_users_where_the_user_named_it() -> None:
    error = of_graphql(ABOUT, [{"type": "NOT_FOUND", "message": "x"}], {}, NOW)
    assert isinstance(error, UserError)


def transient(*, lost: bool = False, pause: float | None = None) -> Transient:
    return Transient("t", where="w", lost=lost, pause=pause)


@pytest.mark.parametrize(
    "failure, attempt, repeatable, seconds",
    [
        (transient(), 1, False, 1),
        (transient(), 3, False, 4),
        (transient(lost=True), 1, True, 1),
        (transient(lost=True), 1, False, None),
        (transient(pause=30), 1, False, 30),
        (transient(pause=0), 2, False, 2),
        (transient(pause=retry.LONGEST_PAUSE), 1, True, retry.LONGEST_PAUSE),
        (transient(pause=retry.LONGEST_PAUSE + 1), 1, True, None),
        (transient(), retry.ATTEMPTS, True, None),
        (HostError("no", status=422, transient=True), 1, True, None),
        (UserError("no"), 1, True, None),
        (RuntimeError(), 1, True, None),
    ],
)
def test_when_a_request_is_sent_again(
    failure: Exception, attempt: int, repeatable: bool, seconds: float | None
) -> None:
    assert retry.pause(failure, attempt, repeatable=repeatable) == seconds
