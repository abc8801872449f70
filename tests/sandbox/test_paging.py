"""Pages: every item once, in order, whatever the size; and what is no page."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Request

from nightshift.sandbox.paging import PageError, connection, page_of

URL = "http://sandbox/items"


def page(items: list[int], url: str) -> tuple[list[int], dict[str, str]]:
    request = Request(
        EnvironBuilder(path=url.partition("?")[0], query_string=url.partition("?")[2]).get_environ()
    )
    found, headers = page_of(items, request, URL)
    links = re.findall(r'<([^>]+)>; rel="(\w+)"', headers.get("Link", ""))
    return list(found), {name: address for address, name in links}


@given(count=st.integers(0, 250), size=st.integers(1, 120))
def test_following_next_meets_every_item_once(count: int, size: int) -> None:
    items, url, seen = list(range(count)), f"{URL}?per_page={size}&q=a%20b", []
    while url:
        found, links = page(items, url)
        seen += found
        url = links.get("next", "")
        assert not url or "q=a+b" in url
    assert seen == items


@pytest.mark.parametrize(
    ("query", "found"),
    [("", 30), ("per_page=1000", 100), ("per_page=0", 1), ("per_page=x", 30), ("page=99", 0)],
)
def test_sizes_that_github_bends(query: str, found: int) -> None:
    assert len(page(list(range(200)), f"{URL}?{query}")[0]) == found


def test_the_last_page_leads_back() -> None:
    _, links = page([1, 2, 3], f"{URL}?per_page=1&page=2")
    assert {name: url.rsplit("=", 1)[1] for name, url in links.items()} == {
        "prev": "1",
        "first": "1",
        "next": "3",
        "last": "3",
    }


@given(count=st.integers(0, 250), size=st.integers(1, 100))
def test_following_cursors_meets_every_node_once(count: int, size: int) -> None:
    nodes, seen, after = list(range(count)), [], None
    while True:
        part = connection(nodes, name="nodes", first=size, after=after)
        seen += part["nodes"]
        assert part["totalCount"] == count
        if not part["pageInfo"]["hasNextPage"]:
            break
        after = part["pageInfo"]["endCursor"]
    assert seen == nodes


def test_the_last_ones_come_in_order() -> None:
    part = connection(list(range(9)), name="nodes", last=3)
    assert part["nodes"] == [6, 7, 8] and part["pageInfo"]["hasPreviousPage"]


@pytest.mark.parametrize("page_", [{}, {"first": 101}, {"last": 101}, {"first": 1, "after": "ü"}])
def test_pages_that_are_refused(page_: dict[str, object]) -> None:
    with pytest.raises(PageError):
        connection([1], name="nodes", **page_)  # type: ignore[arg-type]
