"""Pages: REST's `page`, `per_page` and Link header, and GraphQL's connections with cursors."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

from werkzeug.wrappers import Request

T = TypeVar("T")

DEFAULT_SIZE = 30
LARGEST = 100


def page_of(items: Sequence[T], request: Request, url: str) -> tuple[Sequence[T], dict[str, str]]:
    """The page that a request asks for, and the Link header that leads to the others."""
    size = min(max(_number(request, "per_page", DEFAULT_SIZE), 1), LARGEST)
    page = max(_number(request, "page", 1), 1)
    last = max((len(items) + size - 1) // size, 1)
    links = {"prev": page - 1, "first": 1} if page > 1 else {}
    if page < last:
        links |= {"next": page + 1, "last": last}
    header = ", ".join(
        f'<{url}?{_query(request, number)}>; rel="{name}"' for name, number in links.items()
    )
    start = (page - 1) * size
    return items[start : start + size], {"Link": header} if header else {}


def _number(request: Request, name: str, default: int) -> int:
    text = request.args.get(name, "")
    return int(text) if text.isascii() and text.isdigit() else default


def _query(request: Request, page: int) -> str:
    pairs = [(key, value) for key, value in request.args.items(multi=True) if key != "page"]
    return urlencode([*pairs, ("page", page)])


NO_SIZE = "You must provide a `first` or `last` value to properly paginate the `{name}` connection."
TOO_LARGE = (
    "Requesting {size} records on the `{name}` connection exceeds "
    "the `{label}` limit of 100 records."
)
NO_CURSOR = "`{cursor}` does not appear to be a valid cursor."


class PageError(ValueError):
    """A connection was asked for a page that GitHub refuses; the text is GitHub's."""


def connection(
    nodes: Sequence[Any],
    *,
    name: str,
    first: int | None = None,
    last: int | None = None,
    after: str | None = None,
) -> dict[str, Any]:
    """A GraphQL connection over all nodes.

    :raises PageError: neither or too large a size, or a cursor that is none.
    """
    if first is None and last is None:
        raise PageError(NO_SIZE.format(name=name))
    for label, size in (("first", first), ("last", last)):
        if size is not None and size > LARGEST:
            raise PageError(TOO_LARGE.format(size=size, name=name, label=label))
    start = _offset(after) if after else 0
    end = len(nodes) if first is None else min(start + first, len(nodes))
    if last is not None:
        start = max(start, end - last)
    return {
        "nodes": list(nodes[start:end]),
        "totalCount": len(nodes),
        "pageInfo": {
            "hasNextPage": end < len(nodes),
            "hasPreviousPage": start > 0,
            "startCursor": _cursor(start) if end > start else None,
            "endCursor": _cursor(end - 1) if end > start else None,
        },
    }


def _cursor(index: int) -> str:
    return base64.b64encode(f"cursor:{index}".encode()).decode()


def _offset(cursor: str) -> int:
    try:
        return int(base64.b64decode(cursor, validate=True).decode().removeprefix("cursor:")) + 1
    except (binascii.Error, ValueError) as error:
        raise PageError(NO_CURSOR.format(cursor=cursor)) from error
