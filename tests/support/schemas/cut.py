"""Cuts GitHub's public API descriptions down to what the sandbox serves. Run by hand.

    npm install @octokit/openapi @octokit/graphql-schema
    python tests/support/schemas/cut.py node_modules

Writes `rest.json` and `graphql.json` beside itself, when endpoints or types have come in. Prose and
examples are left out: only the shape counts.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from graphql import GraphQLSchema, is_introspection_type, is_specified_scalar_type

from nightshift.sandbox.graphql.execute import schema
from nightshift.sandbox.rest.endpoints import ENDPOINTS

HERE = Path(__file__).parent
OPENAPI = "@octokit/openapi/generated/api.github.com.json"
GRAPHQL = "@octokit/graphql-schema/schema.json"
PROSE = frozenset(
    {"description", "summary", "examples", "example", "externalDocs", "tags", "title"}
)
REPOSITORY = "/repos/{owner}/{repo}"


def template(path: str) -> str:
    """A path of the sandbox as a template whose parameters have no names."""
    return re.sub(r"<[^>]+>", "{}", path)


def nameless(path: str) -> str:
    """A path of the description likewise."""
    return re.sub(r"\{[^}]+\}", "{}", path)


def cut_rest(whole: dict[str, Any]) -> dict[str, Any]:
    """The operations that the sandbox serves, and the components that they refer to."""
    wanted = {(template(endpoint.path), endpoint.method.lower()) for endpoint in ENDPOINTS}
    paths: dict[str, Any] = {}
    for path, item in whole["paths"].items():
        below = nameless(path.removeprefix(REPOSITORY)) if path.startswith(REPOSITORY) else None
        kept = {
            method: bare(operation)
            for method, operation in item.items()
            if (below, method) in wanted
        }
        if kept:
            paths[path] = kept
    return {
        "openapi": whole["openapi"],
        "info": {"title": "GitHub", "version": whole["info"]["version"]},
        "servers": [{"url": "http://sandbox"}],
        "paths": paths,
        "components": components(whole["components"], paths),
    }


def components(known: dict[str, Any], paths: dict[str, Any]) -> dict[str, Any]:
    """What the paths refer to, and what that refers to."""
    kept: dict[str, Any] = {}
    waiting = references(paths)
    while waiting:
        kind, name = waiting.pop()
        if name not in kept.setdefault(kind, {}):
            kept[kind][name] = bare(known[kind][name])
            waiting |= references(kept[kind][name])
    return {kind: dict(sorted(items.items())) for kind, items in sorted(kept.items())}


def references(node: Any) -> set[tuple[str, str]]:
    """The components that a node refers to."""
    if isinstance(node, dict):
        found = set[tuple[str, str]]().union(*map(references, node.values()))
        if isinstance(node.get("$ref"), str):
            kind, name = node["$ref"].removeprefix("#/components/").split("/")
            found.add((kind, name))
        return found
    if isinstance(node, list):
        return set[tuple[str, str]]().union(*map(references, node))
    return set()


def bare(node: Any, *, named: bool = False) -> Any:
    """A node without prose. `named`: its keys are names of properties, not words of the format."""
    if isinstance(node, list):
        return [bare(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: bare(value, named=key == "properties" and not named)
        for key, value in node.items()
        if named or (key not in PROSE and not key.startswith("x-"))
    }


def cut_graphql(whole: dict[str, Any], ours: GraphQLSchema) -> dict[str, Any]:
    """Of each type that the sandbox names: its kind, members, and the types of its fields."""
    known = {item["name"]: item for item in whole["__schema"]["types"]}
    names = sorted(
        name
        for name, item in ours.type_map.items()
        if not is_introspection_type(item) and not is_specified_scalar_type(item)
    )
    return {name: shape(known[name]) for name in names if name in known}


def shape(item: dict[str, Any]) -> dict[str, Any]:
    """A type of GitHub's schema, by names."""
    fields = item.get("fields") or item.get("inputFields") or []
    return {
        "kind": item["kind"],
        "fields": {
            field["name"]: {
                "type": spelled(field["type"]),
                "deprecated": field.get("isDeprecated", False),
                "args": {arg["name"]: spelled(arg["type"]) for arg in field.get("args", [])},
            }
            for field in fields
        },
        "values": [value["name"] for value in item.get("enumValues") or []],
        "interfaces": [one["name"] for one in item.get("interfaces") or []],
        "members": (
            [one["name"] for one in item.get("possibleTypes") or []]
            if item["kind"] == "UNION"
            else []
        ),
    }


def spelled(reference: dict[str, Any]) -> str:
    """A type reference as the language spells it."""
    if reference["kind"] == "NON_NULL":
        return f"{spelled(reference['ofType'])}!"
    if reference["kind"] == "LIST":
        return f"[{spelled(reference['ofType'])}]"
    return str(reference["name"])


def write(name: str, data: dict[str, Any], depth: int) -> None:
    """Write a description with a line for each part, so that a new cut shows what is new."""
    (HERE / name).write_text(spread(data, depth) + "\n", encoding="utf-8")


def spread(data: Any, depth: int) -> str:
    """JSON whose objects have a line for each member, down to a depth."""
    if depth == 0 or not isinstance(data, dict) or not data:
        return json.dumps(data, sort_keys=True)
    members = (
        f"{json.dumps(key)}: {spread(value, depth - 1)}" for key, value in sorted(data.items())
    )
    return "{\n" + ",\n".join(members) + "\n}"


def main(modules: Path) -> None:
    """Cut both."""
    openapi = json.loads((modules / OPENAPI).read_text(encoding="utf-8"))
    write("rest.json", cut_rest(openapi), 4)
    whole = json.loads((modules / GRAPHQL).read_text(encoding="utf-8"))
    write("graphql.json", cut_graphql(whole.get("data", whole), schema()), 2)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
