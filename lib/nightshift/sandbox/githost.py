"""The git remote: `git http-backend` as CGI, with GitHub's way of letting in and of refusing.

Reads and writes want basic authentication with a token as the password. What a push may do is
decided by `hook`, which is told what the token may do through its environment.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping

from werkzeug.wrappers import Request, Response

from nightshift.sandbox import hook
from nightshift.sandbox.gitstore import git_environment
from nightshift.sandbox.repository import Repository
from nightshift.sandbox.state import Token, World

# Fixed and linear; the address is short.
_ADDRESS = re.compile(r"/([^/]+)/([^/]+?)(?:\.git)?/(info/refs|git-upload-pack|git-receive-pack)")


def target(path: str) -> tuple[str, str] | None:
    """(`owner/name`, what is asked) of a git address; None where it is none."""
    found = _ADDRESS.fullmatch(path)
    return (f"{found[1]}/{found[2]}", found[3]) if found else None


def token_of(world: World, request: Request) -> Token | None:
    """The token that a git client shows: the password, whatever the user's name."""
    credentials = request.authorization
    if credentials is None or credentials.type != "basic":
        return None
    return world.tokens.get(credentials.password or "")


def unauthorized() -> Response:
    """401 that makes git ask for a password."""
    headers = {"WWW-Authenticate": 'Basic realm="GitHub"'}
    text = "Invalid username or token. Password authentication is not supported for Git operations."
    return Response(text, 401, headers, content_type="text/plain")


def refused(status: int, text: str) -> Response:
    """A refusal in words; git shows them."""
    return Response(text, status, content_type="text/plain")


def serve(request: Request, repository: Repository, token: Token, action: str) -> Response:
    """Answer a git client."""
    writes = "git-receive-pack" in (action, request.args.get("service"))
    if not token.may("contents", "write" if writes else "read"):
        name = repository.full_name
        text = (
            f"Permission to {name}.git denied to {token.user.login}."
            if writes
            else "Repository not found."
        )
        return refused(403 if writes else 404, text)
    return _run(request, repository, token, action)


def _run(request: Request, repository: Repository, token: Token, action: str) -> Response:
    body = request.get_data()
    done = subprocess.run(
        ["git", "http-backend"],
        env=_environment(request, repository, token, action, len(body)),
        input=body,
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    head, _, content = done.stdout.partition(b"\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.decode("latin-1").split("\r\n"))
    status = int(headers.pop("Status", "200 OK").split()[0])
    return Response(content, status, headers)


def _environment(
    request: Request, repository: Repository, token: Token, action: str, length: int
) -> Mapping[str, str]:
    """The CGI environment, and what the hook must know."""
    path = repository.git.path
    environment = git_environment(path) | {
        "GIT_PROJECT_ROOT": str(path.parent),
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": f"/{path.name}/{action}",
        "QUERY_STRING": request.query_string.decode("latin-1"),
        "REQUEST_METHOD": request.method,
        "CONTENT_TYPE": request.content_type or "",
        "CONTENT_LENGTH": str(length),
        "REMOTE_USER": token.user.login,
        "REMOTE_ADDR": "127.0.0.1",
        hook.PROTECTED: "\n".join(sorted(repository.protected)),
        hook.RULED: "\n".join(sorted(repository.ruled)),
        hook.MAY_WORKFLOWS: "1" if token.may("workflows", "write") else "",
    }
    for name, header in (
        ("HTTP_CONTENT_ENCODING", "Content-Encoding"),
        ("GIT_PROTOCOL", "Git-Protocol"),
    ):
        if header in request.headers:
            environment[name] = request.headers[header]
    return environment
