"""A client that speaks plain HTTP to a sandbox, for tests that look at the API itself."""

from __future__ import annotations

from typing import Any

import httpx2

from nightshift.sandbox import Sandbox

# The GraphQL types of the variables that `Client.repository` takes.
TYPES = {"after": "String", "number": "Int!", "oid": "GitObjectID!"}


class Client:
    """A client of one repository, with a token."""

    def __init__(self, box: Sandbox, token: str) -> None:
        self.http = httpx2.Client(
            base_url=box.api_url, headers={"Authorization": f"Bearer {token}"}, timeout=10
        )

    def ask(self, method: str, path: str, **options: Any) -> httpx2.Response:
        """Any request; a path without a slash in front is below the repository."""
        where = path if path.startswith(("/", "http")) else f"/repos/acme/rocket/{path}"
        return self.http.request(method, where, **options)

    def get(self, path: str, **query: Any) -> httpx2.Response:
        return self.ask("GET", path, params=query)

    def post(self, path: str, **data: Any) -> httpx2.Response:
        return self.ask("POST", path, json=data)

    def patch(self, path: str, **data: Any) -> httpx2.Response:
        return self.ask("PATCH", path, json=data)

    def graphql(self, query: str, **variables: Any) -> dict[str, Any]:
        """The whole answer to a GraphQL query."""
        request = {"query": query, "variables": variables}
        answer = self.http.post("/graphql", json=request)
        assert answer.status_code == 200
        data: dict[str, Any] = answer.json()
        return data

    def repository(self, fields: str, **variables: Any) -> Any:
        """What a query says of the repository, without errors."""
        names = "".join(f"${name}: {TYPES[name]}, " for name in variables)
        head = f"query({names})" if names else "query"
        answer = self.graphql(
            f'{head} {{ repository(owner: "acme", name: "rocket") {{ {fields} }} }}', **variables
        )
        assert "errors" not in answer, answer
        return answer["data"]["repository"]
