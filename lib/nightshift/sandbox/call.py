"""One API call: who asks what of which repository, and GitHub's forms of saying no.

Every refusal is an `HTTPError` with GitHub's JSON; handlers raise it and `rest` answers with it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from nightshift.sandbox.ci import Script
from nightshift.sandbox.repository import Repository
from nightshift.sandbox.state import Token, World
from werkzeug.wrappers import Request, Response

Json = dict[str, Any]

DOCS = "https://docs.github.com/rest"
NOT_INTEGRATION = "Resource not accessible by integration"


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
    """422 with one entry in `errors`; `code` is missing, missing_field, invalid, already_exists or custom."""
    error = {"resource": resource, "code": code}
    if field:
        error["field"] = field
    if message:
        error["message"] = message
    return HTTPError(422, "Validation Failed", errors=[error])


@dataclass(slots=True)
class Call:
    """A call that was let in: the token is good and the repository exists."""

    world: World
    ci: Script
    request: Request
    token: Token
    repository: Repository
    api_url: str
    server_url: str
    logs_url: str

    def json(self) -> Json:
        """The request's JSON object.

        :raises HTTPError: 400, it is none.
        """
        try:
            data = json.loads(self.request.get_data() or b"{}")
        except ValueError as error:
            raise HTTPError(400, "Problems parsing JSON") from error
        if not isinstance(data, dict):
            raise HTTPError(400, "Body should be a JSON object")
        return data

    def text(self, data: Json, resource: str, field: str, *, required: bool = False) -> str | None:
        """A string field of the request.

        :raises HTTPError: 422, it is missing though required, or no string.
        """
        value = data.get(field)
        if value is None and not required:
            return None
        if value is None or (required and not value):
            raise invalid(resource, field, "missing_field")
        if not isinstance(value, str):
            raise invalid(resource, field, "invalid")
        return value

    @property
    def repository_url(self) -> str:
        """The API's address of the repository."""
        return f"{self.api_url}/repos/{self.repository.full_name}"

    @property
    def html_url(self) -> str:
        """The repository's page."""
        return f"{self.server_url}/{self.repository.full_name}"


def reply(data: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer."""
    return Response(
        json.dumps(data), status, headers, content_type="application/json; charset=utf-8"
    )
