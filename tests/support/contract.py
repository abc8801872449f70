"""Holds every request and answer of a sandbox against GitHub's own description of its API.

A request that the sandbox granted must be one that GitHub would grant: no unknown field, no unknown
query parameter. An answer must have GitHub's shape. Problems are collected; a fixture asserts none.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jsonschema_rs
from openapi_core import Config, OpenAPI
from openapi_core.datatypes import RequestParameters
from openapi_core.exceptions import OpenAPIError
from werkzeug.datastructures import Headers, ImmutableMultiDict
from werkzeug.wrappers import Request, Response

from nightshift.sandbox.front import API

Json = dict[str, Any]

SCHEMAS = Path(__file__).parent / "schemas"
HOST = "http://sandbox"
# Refusals that can meet every call; the description does not repeat them at each.
EVERYWHERE = frozenset({"401", "403", "404", "410", "422", "429", "500", "502", "503"})


@cache
def description() -> Json:
    """GitHub's description of the REST endpoints that the sandbox serves."""
    loaded: Json = json.loads((SCHEMAS / "rest.json").read_text(encoding="utf-8"))
    return loaded


@cache
def _checker() -> OpenAPI:
    # Without the first setting a misspelt field passes; without the second loading takes minutes.
    config = Config(additional_properties_default_policy="forbid", spec_validator_cls=None)
    return OpenAPI.from_dict(description(), config=config)


@dataclass(frozen=True)
class Operation:
    """An operation of the description: `template` is its path with names in braces."""

    template: str
    method: str
    spec: Json

    def __str__(self) -> str:
        return f"{self.method.upper()} {self.template}"

    def query_names(self) -> set[str]:
        """The query parameters that it takes."""
        parameters = [_resolved(item) for item in self.spec.get("parameters", [])]
        return {item["name"] for item in parameters if item["in"] == "query"}


def operation_of(method: str, path: str) -> Operation | None:
    """The operation that a path below the API's root means; None where GitHub has none."""
    for template, item in description()["paths"].items():
        if method.lower() in item and _pattern(template).fullmatch(path):
            return Operation(template, method.lower(), item[method.lower()])
    return None


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", template)
    return re.compile(
        "".join(re.escape(part) if n % 2 == 0 else _part(part) for n, part in enumerate(parts))
    )


def _part(name: str) -> str:
    """A branch or a file's path may have slashes."""
    return "(.+)" if name in ("path", "ref") else "([^/]+)"


class _Asked:
    """A request in the form that openapi-core wants; each parameter of its path in one segment."""

    def __init__(self, request: Request, operation: Operation) -> None:
        path = request.path.removeprefix(API)
        values = iter(_pattern(operation.template).fullmatch(path).groups())  # type: ignore[union-attr]
        self.host_url = HOST
        self.path = re.sub(r"\{\w+\}", lambda _: quote(next(values), safe=""), operation.template)
        self.method = operation.method
        self.parameters = RequestParameters(
            query=ImmutableMultiDict(request.args),
            header=Headers(request.headers),
            cookie=ImmutableMultiDict(),
        )
        self.content_type = request.mimetype or ""
        self.body = request.get_data() or None


class Contract:
    """An observer of a sandbox. `problems` are sentences, `seen` the operations that it met."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.seen: set[str] = set()

    def __call__(self, request: Request, response: Response) -> None:
        if not request.path.startswith(f"{API}/repos/") or response.status_code == 501:
            return
        operation = operation_of(request.method, request.path.removeprefix(API))
        if operation is None:
            self.problems.append(f"{request.method} {request.path}: GitHub has no such endpoint")
            return
        self.seen.add(str(operation))
        asked = request_problems(request, operation) if response.status_code < 400 else []
        found = [*asked, *response_problems(response, operation)]
        self.problems += [f"{operation}: {text}" for text in found]


def request_problems(request: Request, operation: Operation) -> list[str]:
    """Why GitHub would not grant a request."""
    unknown = [name for name in request.args if name not in operation.query_names()]
    problems = [f"unknown query parameter {name}" for name in unknown]
    try:
        _checker().validate_request(_Asked(request, operation))
    except OpenAPIError as error:
        problems.append(f"{error}: {error.__cause__}")
    return problems


def response_problems(response: Response, operation: Operation) -> list[str]:
    """Where an answer has not GitHub's shape."""
    status = str(response.status_code)
    if status not in operation.spec["responses"]:
        return [] if status in EVERYWHERE else [f"GitHub never answers {status}"]
    if response.mimetype != "application/json":
        return []
    validator = _validator(operation.template, operation.method, status)
    data = json.loads(response.get_data())
    errors = validator.iter_errors(data) if validator else ()
    return [f"{status} {list(error.instance_path)}: {error.message[:300]}" for error in errors]


@cache
def _validator(template: str, method: str, status: str) -> jsonschema_rs.Draft4Validator | None:
    response = _resolved(description()["paths"][template][method]["responses"][status])
    content = response.get("content", {}).get("application/json")
    if content is None:
        return None
    components = _nullable(description()["components"])
    schema = {**_nullable(content["schema"]), "components": components}
    return jsonschema_rs.Draft4Validator(schema, validate_formats=True)


def _resolved(node: Json) -> Json:
    while "$ref" in node:
        kind, name = node["$ref"].removeprefix("#/components/").split("/")
        node = description()["components"][kind][name]
    return node


def _nullable(node: Any) -> Any:
    """OpenAPI 3.0 says `nullable` where JSON Schema says that null is a type."""
    if isinstance(node, list):
        return [_nullable(item) for item in node]
    if not isinstance(node, dict):
        return node
    data = {key: _nullable(value) for key, value in node.items() if key != "nullable"}
    return {"anyOf": [data, {"type": "null"}]} if node.get("nullable") is True else data
