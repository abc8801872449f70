"""What every GraphQL view needs: the resolver's info, refusals, and connections over a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from graphql import GraphQLError, GraphQLResolveInfo

from nightshift.sandbox.context import FORBIDDEN, Context
from nightshift.sandbox.paging import connection

Json = dict[str, Any]
Info = GraphQLResolveInfo[Context]
Field = Callable[..., Any]
"""A field with arguments, or one that costs work: called with info and arguments when asked for."""


def refuse(kind: str, message: str) -> GraphQLError:
    """A GraphQL error with GitHub's `type`: NOT_FOUND, FORBIDDEN, UNPROCESSABLE, …"""
    return GraphQLError(message, extensions={"type": kind})


def need(context: Context, access: str, *permissions: str) -> None:
    """Let the token through if it has one of the permissions.

    :raises GraphQLError: it has none of them.
    """
    if not context.may(access, *permissions):
        raise refuse("FORBIDDEN", FORBIDDEN)


def paged(name: str, items: Callable[[], Iterable[Json]]) -> Field:
    """A connection field without filters."""

    def resolve(_info: Info, **page: Any) -> Json:
        return connection(list(items()), name=name, **page)

    return resolve
