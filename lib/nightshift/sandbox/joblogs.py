"""Job logs: the download host behind the redirect, and what Actions adds to what a job printed."""

from __future__ import annotations

from datetime import datetime, timedelta

from werkzeug.wrappers import Request, Response

from nightshift.sandbox.model import CheckRun
from nightshift.sandbox.state import World

BOM = "\ufeff"
FAILED = "##[error]Process completed with exit code 1."
NO_CREDENTIALS = '<?xml version="1.0"?><Error><Code>InvalidAuthenticationInfo</Code></Error>'


def dress(job: CheckRun, text: str, now: datetime) -> str:
    """A log as it is downloaded: a BOM, a stamp before each line, Actions' own lines around."""
    lines = [f"##[group]Run {job.name}", "##[endgroup]", *text.splitlines()]
    if job.conclusion == "failure":
        lines.append(FAILED)
    start = job.started_at or now
    stamps = (start + timedelta(milliseconds=number) for number in range(len(lines)))
    return BOM + "".join(
        f"{_stamp(time)} {line}\n" for time, line in zip(stamps, lines, strict=True)
    )


def _stamp(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.%f0Z")


def serve_log(world: World, request: Request) -> Response:
    """Answer a download.

    The address itself is the key: the real store refuses a request that brings credentials as well.
    """
    if "Authorization" in request.headers:
        return Response(NO_CREDENTIALS, 400, content_type="application/xml")
    job = _find(world, request.path)
    if job is None or job.log is None or "sig" not in request.args:
        return Response("", 404)
    return Response(dress(job, job.log, world.now()), content_type="text/plain; charset=utf-8")


def _find(world: World, path: str) -> CheckRun | None:
    """The job of a path `/{repository id}/{job id}.txt`."""
    for repository in world.repositories.values():
        for job in repository.check_runs:
            if path == f"/{repository.id}/{job.id}.txt":
                return job
    return None
