"""The front door: tells API, GraphQL and git apart, lets in or refuses, adds GitHub's headers."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

from werkzeug.wrappers import Request, Response

from nightshift.sandbox import githost
from nightshift.sandbox.ci import Script
from nightshift.sandbox.context import Context
from nightshift.sandbox.forms import Addresses
from nightshift.sandbox.graphql.execute import execute
from nightshift.sandbox.repository import Repository
from nightshift.sandbox.rest.call import Call, HTTPError, not_found, parse, refusal, reply
from nightshift.sandbox.rest.endpoints import permit, route
from nightshift.sandbox.state import Token, World

API = "/api/v3"
GRAPHQL = ("/api/graphql", f"{API}/graphql")
SCHEMES = ("bearer", "token")
RATE_LIMITED = "API rate limit exceeded for installation."
SECONDARY = (
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
)
NO_QUERY = "A query attribute must be specified and must be a string."


@dataclass(frozen=True, slots=True)
class Front:
    """Where requests come in."""

    world: World
    ci: Script
    urls: Addresses
    pushing: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, request: Request) -> Response:
        """Answer a request in whatever way its path wants."""
        git = githost.target(request.path)
        if git and not request.path.startswith("/api/"):
            return self._git(request, *git)
        try:
            context = Context(self.world, self.ci, self._token(request), self.urls)
        except HTTPError as error:
            return refusal(error)
        return self._api(request, context)

    def _token(self, request: Request) -> Token:
        """The token of an API call.

        :raises HTTPError: 401, it is missing, unknown or expired.
        """
        scheme, _, value = request.headers.get("Authorization", "").partition(" ")
        if not value:
            raise HTTPError(401, "Requires authentication")
        with self.world.lock:
            token = self.world.tokens.get(value.strip())
            if scheme.lower() not in SCHEMES or not token or not token.spend(self.world.now()):
                raise HTTPError(401, "Bad credentials")
        return token

    def _api(self, request: Request, context: Context) -> Response:
        graph = request.path in GRAPHQL
        with self.world.lock:
            try:
                response = (
                    self._graphql(request, context) if graph else self._rest(request, context)
                )
            except HTTPError as error:
                response = refusal(error)
            response.headers.extend(_limits(context.token, graph))
        return response

    def _graphql(self, request: Request, context: Context) -> Response:
        data = parse(request.get_data())
        query = data.get("query")
        if request.method != "POST" or not isinstance(query, str):
            raise HTTPError(400, NO_QUERY)
        if not context.token.rate.spend(self.world.now()):
            # GitHub says so with 200: a client that looks at the status alone does not notice.
            return reply({"errors": [{"type": "RATE_LIMITED", "message": RATE_LIMITED}]})
        if query.lstrip().startswith("mutation"):
            self._count_write()
        return reply(execute(context, data))

    def _count_write(self) -> None:
        """Count a write.

        :raises HTTPError: 403, they come too fast.
        """
        wait = self.world.writes.spend(self.world.now())
        if wait:
            raise HTTPError(403, SECONDARY, Retry_After=str(wait))

    def _rest(self, request: Request, context: Context) -> Response:
        if not request.path.startswith(f"{API}/"):
            raise not_found()
        if not context.token.rate.spend(self.world.now()):
            raise HTTPError(403, RATE_LIMITED)
        if request.method != "GET":
            self._count_write()
        endpoint, arguments = route(request.method, request.path.removeprefix(API))
        repository = self._repository(arguments)
        permit(context, endpoint)
        return endpoint.handler(Call(context, request, repository), **arguments)

    def _repository(self, arguments: dict[str, object]) -> Repository:
        """The repository of a path; takes its names out of the arguments.

        :raises HTTPError: 404, there is none.
        """
        if "repository_id" in arguments:
            found = self.world.by_id(arguments.pop("repository_id"))
        else:
            found = self.world.repository(f"{arguments.pop('owner')}/{arguments.pop('name')}")
        if found is None:
            raise not_found()
        return found

    def _git(self, request: Request, full_name: str, action: str) -> Response:
        token = githost.token_of(self.world, request)
        with self.world.lock:
            if token is None or not token.spend(self.world.now()):
                return githost.unauthorized()
        repository = self.world.repository(full_name)
        if repository is None:
            return githost.refused(404, "Repository not found.")
        if action != "git-receive-pack":
            return githost.serve(request, repository, token, action)
        with self.pushing:
            before = repository.git.heads()
            response = githost.serve(request, repository, token, action)
            if token.starts_workflows:
                self._note_pushes(repository, before)
        return response

    def _note_pushes(self, repository: Repository, before: Mapping[str, str]) -> None:
        """Tell CI which branches a push moved."""
        with self.world.lock:
            for branch, sha in repository.git.heads().items():
                if before.get(branch) != sha:
                    self.ci.pushed(repository, branch, sha)


def _limits(token: Token, graph: bool) -> dict[str, str]:
    rate = token.rate
    return {
        "x-ratelimit-limit": str(rate.limit),
        "x-ratelimit-remaining": str(rate.remaining),
        "x-ratelimit-used": str(rate.used),
        "x-ratelimit-reset": str(int(rate.resets_at.timestamp()) if rate.resets_at else 0),
        "x-ratelimit-resource": "graphql" if graph else "core",
        "x-github-request-id": "0000:SANDBOX",
    }
