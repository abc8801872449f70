"""REST endpoints of a repository itself: its facts, files at a ref, refs."""

from __future__ import annotations

import base64
import subprocess

from werkzeug.wrappers import Response

from nightshift.sandbox.forms import node_id
from nightshift.sandbox.gitstore import TreeEntry
from nightshift.sandbox.rest import repo_views, views
from nightshift.sandbox.rest.call import Call, HTTPError, Json, not_found, reply

JSON_LIMIT = 1_000_000
KINDS = {"blob": "file", "tree": "dir", "commit": "submodule"}
RAW = ("application/vnd.github.raw", "application/vnd.github.v3.raw")


def get_repository(call: Call) -> Response:
    """GET the repository"""
    owner = views.user(call, call.repository.owner)
    return reply(repo_views.repository(call, owner))


def get_contents(call: Call, path: str) -> Response:
    """GET contents/{path}: a file as JSON with base64, or raw; a folder as a list."""
    ref = call.request.args.get("ref") or call.repository.default_branch
    sha = call.repository.git.resolve(ref)
    if sha is None:
        raise HTTPError(404, f"No commit found for the ref {ref}")
    entries = _entries(call, sha, path.rstrip("/"))
    if not entries:
        raise not_found()
    if len(entries) == 1 and entries[0].path == path.rstrip("/") and entries[0].kind == "blob":
        return _file(call, entries[0], ref)
    return reply([_entry(call, entry, ref) for entry in entries])


def _entries(call: Call, sha: str, path: str) -> list[TreeEntry]:
    git = call.repository.git
    try:
        found = git.listing(sha, path)
        if len(found) == 1 and found[0].kind == "tree":
            found = git.listing(sha, f"{path}/")
    except subprocess.CalledProcessError:
        return []
    return found


def _file(call: Call, entry: TreeEntry, ref: str) -> Response:
    data = call.repository.git.blob(entry.oid)
    accept = call.request.headers.get("Accept", "")
    if accept.split(";")[0].removesuffix("+json") in RAW:
        return Response(data, 200, content_type="application/vnd.github.raw+json; charset=utf-8")
    small = len(data) <= JSON_LIMIT
    view = _entry(call, entry, ref)
    view["content"] = base64.encodebytes(data).decode() if small else ""
    view["encoding"] = "base64" if small else "none"
    return reply(view)


def _entry(call: Call, entry: TreeEntry, ref: str) -> Json:
    url = f"{call.url}/contents/{entry.path}?ref={ref}"
    git_url = f"{call.url}/git/{'trees' if entry.kind == 'tree' else 'blobs'}/{entry.oid}"
    page = f"{call.context.urls.page_of(call.repository)}/blob/{ref}/{entry.path}"
    return {
        "type": "symlink" if entry.mode == "120000" else KINDS[entry.kind],
        "name": entry.path.rsplit("/", 1)[-1],
        "path": entry.path,
        "sha": entry.oid,
        "size": entry.size,
        "url": url,
        "html_url": page,
        "git_url": git_url,
        "download_url": None,
        "_links": {"self": url, "git": git_url, "html": page},
    }


def get_ref(call: Call, ref: str) -> Response:
    """GET git/ref/{heads/x}"""
    sha = call.repository.git.resolve(f"refs/{ref}")
    if sha is None:
        raise not_found()
    return reply(
        {
            "ref": f"refs/{ref}",
            "node_id": node_id("REF", call.repository.id),
            "url": f"{call.url}/git/refs/{ref}",
            "object": {
                "type": "commit",
                "sha": sha,
                "url": f"{call.url}/git/commits/{sha}",
            },
        }
    )
