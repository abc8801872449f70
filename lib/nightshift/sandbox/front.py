"""The front door: tells API, GraphQL and git apart, lets in or refuses, and puts GitHub's headers on answers."""

from __future__ import annotations

from dataclasses import dataclass

from nightshift.sandbox import githost, graphql, rest
from nightshift.sandbox.call import Call, HTTPError, not_found, reply
from nightshift.sandbox.ci import Script
from nightshift.sandbox.context import Context
from nightshift.sandbox.repository import Repository
from nightshift.sandbox.state import Token, World
from werkzeug.wrappers import Request, Response

API = "/api/v3"
GRAPHQL = ("/api/graphql", f"{API}/graphql")
SCHEMES = ("bearer", "token")
RATE_LIMITED = "API rate limit exceeded for installation."


@dataclass(frozen=True, slots=True)
class Front:
    """Where requests come in. `server_url` and `logs_url` are the addresses that answers point to."""

    world: World
    ci: Script
    server_url: str
    logs_url: str

    def answer(self, request: Request) -> Response:
        """Answer a request in whatever way its path wants."""
        git = githost.target(request.path)
        if git and not request.path.startswith("/api/"):
            return self._git(request, *git)
        try:
            return self._api(request)
        except HTTPError as error:
            return rest.refusal(error)

    def _api(self, request: Request) -> Response:
        token = self._token(request)
        try:
            response = self._permitted(request, token)
        except HTTPError as error:
            response = rest.refusal(error)
        response.headers.extend(self._limits(token, request.path in GRAPHQL))
        return response

    def _permitted(self, request: Request, token: Token) -> Response:
        graph = request.path in GRAPHQL
        token.rate_used += 1
        if token.rate_used > token.rate_limit:
            return self._rate_limited(graph)
        if graph and request.method == "POST":
            context = Context(self.world, self.ci, token, self.server_url)
            return graphql.execute(context, request.get_data())
        if not request.path.startswith(f"{API}/"):
            raise not_found()
        endpoint, arguments = rest.route(request, request.path.removeprefix(API))
        repository = self._repository(arguments)
        rest.permit(token, endpoint)
        api = f"{self.server_url}{API}"
        call = Call(
            self.world, self.ci, request, token, repository, api, self.server_url, self.logs_url
        )
        return rest.answer(call, endpoint, arguments)

    def _rate_limited(self, graph: bool) -> Response:
        """GraphQL says it with 200."""
        if graph:
            return reply({"errors": [{"type": "RATE_LIMITED", "message": RATE_LIMITED}]})
        raise HTTPError(403, RATE_LIMITED)

    def _token(self, request: Request) -> Token:
        """The token of an API call.

        :raises HTTPError: 401, it is missing, unknown or expired.
        """
        scheme, _, value = request.headers.get("Authorization", "").partition(" ")
        if not value:
            raise HTTPError(401, "Requires authentication")
        with self.world.lock:
            token = self.world.tokens.get(value.strip())
            if scheme.lower() not in SCHEMES or token is None or not token.spend():
                raise HTTPError(401, "Bad credentials")
        return token

    def _repository(self, arguments: dict[str, object]) -> Repository:
        """The repository of a path; takes its names out of the arguments.

        :raises HTTPError: 404, there is none.
        """
        if "repository_id" in arguments:
            wanted = arguments.pop("repository_id")
            found = next(
                (one for one in self.world.repositories.values() if one.id == wanted), None
            )
        else:
            found = self.world.repository(f"{arguments.pop('owner')}/{arguments.pop('name')}")
        if found is None:
            raise not_found()
        return found

    def _limits(self, token: Token, graph: bool) -> dict[str, str]:
        return {
            "x-ratelimit-limit": str(token.rate_limit),
            "x-ratelimit-remaining": str(max(token.rate_limit - token.rate_used, 0)),
            "x-ratelimit-used": str(token.rate_used),
            "x-ratelimit-reset": str(int(self.world.now().timestamp()) + 3600),
            "x-ratelimit-resource": "graphql" if graph else "core",
            "x-github-request-id": "0000:SANDBOX",
        }

    def _git(self, request: Request, full_name: str, action: str) -> Response:
        token = githost.token_of(self.world, request)
        if token is None or not token.spend():
            return githost.unauthorized()
        repository = self.world.repository(full_name)
        if repository is None:
            return Response("Repository not found.", 404, content_type="text/plain")
        before = repository.git.heads() if action == "git-receive-pack" else {}
        response = githost.serve(request, repository, token, action)
        if action == "git-receive-pack":
            self._note_pushes(repository, dict(before))
        return response

    def _note_pushes(self, repository: Repository, before: dict[str, str]) -> None:
        """Tell CI which branches a push moved."""
        with self.world.lock:
            for branch, sha in repository.git.heads().items():
                if before.get(branch) != sha:
                    self.ci.pushed(repository, branch, sha)
