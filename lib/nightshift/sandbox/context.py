"""Who asks a GraphQL query, and how it is refused."""

from __future__ import annotations

from dataclasses import dataclass

from graphql import GraphQLError
from nightshift.sandbox.call import NOT_INTEGRATION
from nightshift.sandbox.ci import Script
from nightshift.sandbox.state import Token, World


def refuse(kind: str, message: str) -> GraphQLError:
    """A GraphQL error with GitHub's `type`: NOT_FOUND, FORBIDDEN, UNPROCESSABLE, …"""
    return GraphQLError(message, extensions={"type": kind})


@dataclass(frozen=True, slots=True)
class Context:
    """The surroundings of a query."""

    world: World
    ci: Script
    token: Token
    server_url: str

    def need(self, permission: str, access: str = "read", *others: str) -> None:
        """Let the token through if it has the permission, or one of the others.

        :raises GraphQLError: it has none of them.
        """
        if not any(self.token.may(name, access) for name in (permission, *others)):
            raise refuse("FORBIDDEN", NOT_INTEGRATION)
