"""The sandbox's schema is a true subset of GitHub's: every name in it has GitHub's own type."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    build_schema,
    is_introspection_type,
    is_specified_scalar_type,
)

from nightshift.sandbox.graphql.execute import schema

CUT = Path(__file__).parents[2] / "support" / "schemas" / "graphql.json"
GITHUB: dict[str, Any] = json.loads(CUT.read_text(encoding="utf-8"))
KINDS = {
    GraphQLEnumType: "ENUM",
    GraphQLInputObjectType: "INPUT_OBJECT",
    GraphQLInterfaceType: "INTERFACE",
    GraphQLObjectType: "OBJECT",
    GraphQLUnionType: "UNION",
}
Composite = GraphQLObjectType | GraphQLInterfaceType | GraphQLInputObjectType


def differences(ours: GraphQLSchema) -> list[str]:
    """Where a schema says something that GitHub's does not say."""
    found: list[str] = []
    for name, item in ours.type_map.items():
        if is_introspection_type(item) or is_specified_scalar_type(item):
            continue
        if name not in GITHUB:
            found.append(f"{name}: GitHub has no such type")
        elif KINDS.get(type(item), "SCALAR") != GITHUB[name]["kind"]:
            found.append(f"{name}: GitHub's is of another kind")
        else:
            found += [f"{name}{text}" for text in _inside(item, GITHUB[name])]
    return found


def _inside(item: GraphQLNamedType, theirs: dict[str, Any]) -> Iterator[str]:
    if isinstance(item, GraphQLEnumType):
        yield from (f": no value {one}" for one in set(item.values) - set(theirs["values"]))
    if isinstance(item, GraphQLUnionType):
        members = {one.name for one in item.types}
        yield from (f": no member {one}" for one in members - set(theirs["members"]))
    if isinstance(item, GraphQLObjectType):
        interfaces = {one.name for one in item.interfaces}
        yield from (f": does not implement {one}" for one in interfaces - set(theirs["interfaces"]))
    if isinstance(item, Composite):
        yield from _fields(item, theirs["fields"])


def _fields(item: Composite, theirs: dict[str, Any]) -> Iterator[str]:
    for name, field in item.fields.items():
        known = theirs.get(name)
        if known is None:
            yield f".{name}: no such field"
            continue
        if str(field.type) != known["type"]:
            yield f".{name}: is {known['type']}"
        if known["deprecated"]:
            yield f".{name}: is deprecated"
        arguments = {arg: str(value.type) for arg, value in getattr(field, "args", {}).items()}
        yield from (
            f".{name}({arg}): is {known['args'].get(arg)}"
            for arg, kind in arguments.items()
            if known["args"].get(arg) != kind
        )
        needed = {arg for arg, kind in known["args"].items() if kind.endswith("!")}
        yield from (f".{name}({arg}): is required" for arg in needed - set(arguments))
    if isinstance(item, GraphQLInputObjectType):
        needed = {name for name, field in theirs.items() if field["type"].endswith("!")}
        yield from (f".{name}: is required" for name in needed - set(item.fields))


def test_the_schema_is_a_subset_of_githubs() -> None:
    assert differences(schema()) == []


@pytest.mark.parametrize(
    ("sdl", "difference"),
    [
        ("type Nothing { id: ID! }", "Nothing: GitHub has no such type"),
        ("enum Label { A }", "Label: GitHub's is of another kind"),
        ("type Label { nmae: String! }", "Label.nmae: no such field"),
        ("type Label { name: String }", "Label.name: is String!"),
        ("type PullRequest { databaseId: Int }", "PullRequest.databaseId: is deprecated"),
        ("type Query { node(id: String!): String }", "Query.node(id): is ID!"),
        (
            "type Query { repository(owner: String!): String }",
            "Query.repository(name): is required",
        ),
        ("enum StatusState { GREEN }", "StatusState: no value GREEN"),
        ("type Label { id: ID! } union IssueOrPullRequest = Label", "no member Label"),
    ],
)
def test_a_difference_is_found(sdl: str, difference: str) -> None:
    assert any(text.endswith(difference) for text in differences(build_schema(sdl)))


@pytest.mark.parametrize(
    "name", ["CheckConclusionState", "CheckStatusState", "StatusState", "PullRequestState"]
)
def test_states_are_complete(name: str) -> None:
    """A state that the sandbox could not show could not be tested."""
    item = schema().type_map[name]
    assert isinstance(item, GraphQLEnumType)
    assert set(item.values) == set(GITHUB[name]["values"])
