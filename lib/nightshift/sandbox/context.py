"""Who asks, of which world: what both faces of the API need to answer."""

from __future__ import annotations

from dataclasses import dataclass

from nightshift.sandbox.ci import Script
from nightshift.sandbox.forms import Addresses
from nightshift.sandbox.state import Token, World

FORBIDDEN = "Resource not accessible by integration"


@dataclass(frozen=True, slots=True)
class Context:
    """The surroundings of a request."""

    world: World
    ci: Script
    token: Token
    urls: Addresses

    def may(self, access: str, *permissions: str) -> bool:
        """Whether the token has one of the permissions at "read" or "write"."""
        return any(self.token.may(name, access) for name in permissions)
