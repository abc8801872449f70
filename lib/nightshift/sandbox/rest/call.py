"""One REST call that was let in, and GitHub's forms of saying yes and no.

A refusal is an `HTTPError` with GitHub's JSON; handlers raise it, the front door answers with it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from werkzeug.wrappers import Request, Response

from nightshift.sandbox.context import Context
from nightshift.sandbox.repository import Repository

Json = dict[str, Any]

DOCS = "https://docs.github.com/rest"
CONTENT_TYPE = "application/json; charset=utf-8"


class HTTPError(Exception):
    """A refusal in GitHub's form."""

    def __init__(
        self, status: int, message: str, *, errors: list[Json] | None = None, **headers: str
    ) -> None:
        super().__init__(message)
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}
        self.body: Json = {"message": message, "documentation_url": DOCS, "status": str(status)}
        if errors is not None:
            self.body["errors"] = errors


def not_found() -> HTTPError:
    """404 as GitHub says it."""
    return HTTPError(404, "Not Found")


def invalid(resource: str, field: str, code: str, message: str = "") -> HTTPError:
    """422 with one entry in `errors`; `code` is missing_field, invalid, unprocessable or custom."""
    error = {"resource": resource, "code": code}
    if field:
        error["field"] = field
    if message:
        error["message"] = message
    return HTTPError(422, "Validation Failed", errors=[error])


def reply(data: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer."""
    return Response(json.dumps(data), status, headers, content_type=CONTENT_TYPE)


def refusal(error: HTTPError) -> Response:
    """A refusal as an answer."""
    return reply(error.body, error.status, error.headers)


def parse(body: bytes) -> Json:
    """The JSON object of a request.

    :raises HTTPError: 400, it is none.
    """
    try:
        data = json.loads(body or b"{}")
    except ValueError as error:
        raise HTTPError(400, "Problems parsing JSON") from error
    if not isinstance(data, dict):
        raise HTTPError(400, "Body should be a JSON object")
    return data


def text(data: Json, resource: str, field: str) -> str | None:
    """A string field of a request, None where it is left out or null.

    :raises HTTPError: 422, it is no string.
    """
    value = data.get(field)
    if value is not None and not isinstance(value, str):
        raise invalid(resource, field, "invalid")
    return value


def required_text(data: Json, resource: str, field: str) -> str:
    """A string field that must be there.

    :raises HTTPError: 422, it is missing, empty, or no string.
    """
    value = text(data, resource, field)
    if not value:
        raise invalid(resource, field, "missing_field")
    return value


@dataclass(frozen=True, slots=True)
class Call:
    """Who asks what of which repository."""

    context: Context
    request: Request
    repository: Repository

    @property
    def url(self) -> str:
        """The API's address of the repository."""
        return self.context.urls.api_of(self.repository)

    def json(self) -> Json:
        """The request's JSON object.

        :raises HTTPError: 400, it is none.
        """
        return parse(self.request.get_data())
