"""The connection: addresses, tokens, redirects, and answers that nobody documented."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from nightshift.adapters.github.adapter import GitHubAdapter
from nightshift.errors import Defect, HostError, NightshiftError, UserError
from support.clock import SimulatedClock
from support.scripted import Scripted, Told

TOKEN = "ghs_secret"
PULL = {
    "number": 1,
    "node_id": "PR_1",
    "html_url": "https://example.org/pull/1",
    "title": "t",
    "body": None,
    "state": "open",
    "head": {"ref": "h", "sha": "0" * 40, "repo": {"id": 1}},
    "base": {"ref": "b", "repo": {"id": 1}},
    "labels": [],
    "user": None,
}
ADAPTER = "from nightshift.adapters.github.adapter import GitHubAdapter"


def adapter(url: str, token: str = TOKEN, **more: Any) -> GitHubAdapter:
    return GitHubAdapter(
        token=token, repository="acme/rocket", api_url=url, clock=SimulatedClock(), **more
    )


def test_nothing_is_loaded_before_it_is_used() -> None:
    code = f"import sys; {ADAPTER}; print(*[m for m in ('ghapi', 'httpx2') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.parametrize(
    "url",
    [
        "",
        "api.github.com",
        "ftp://x",
        "https://",
        "https://user:pass@x",
        "https://t@x/api",
        "http://[",
    ],
)
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(UserError, match="GITHUB_API_URL"):
        adapter(url)


@pytest.mark.parametrize("token", ["", "a b", "a\n", "é", "a\x00"])
def test_a_token_that_is_none_is_not_shown(token: str) -> None:
    with pytest.raises(UserError, match="no token has") as caught:
        adapter("https://example.org", token)
    assert not token or repr(token) not in str(caught.value)


@pytest.mark.parametrize("repository", ["acme/..", "../rocket", "acme/", "acme"])
def test_a_repository_that_climbs_is_never_asked(repository: str) -> None:
    with Scripted(Told(200, PULL)) as server:
        github = GitHubAdapter(
            token=TOKEN, repository=repository, api_url=server.url, clock=SimulatedClock()
        )
        with pytest.raises(Defect, match="part of a path"):
            github.pull_request(1)
    assert not server.asked


def test_what_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_TOKEN", "GITHUB_JWT_TOKEN", "GH_HOST", "GHAPI_DEBUG"):
        monkeypatch.setenv(name, "http://127.0.0.1:1/from-the-environment")
    with Scripted(Told(200, PULL)) as server:
        adapter(f"{server.url}/api/v3/").pull_request(1)
    asked = server.asked[0]
    assert (asked.method, asked.path) == ("GET", "/api/v3/repos/acme/rocket/pulls/1")
    assert asked.headers["authorization"] == f"Bearer {TOKEN}"
    assert asked.headers["accept"] == "application/vnd.github+json"
    assert asked.headers["x-github-api-version"] == "2022-11-28"
    assert asked.headers["user-agent"].startswith("nightshift/")


def test_ghapi_prints_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GHAPI_DEBUG", "1")
    with Scripted(Told(200, PULL)) as server:
        adapter(server.url).pull_request(1)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    "base, more, path",
    [
        ("/api/v3", {}, "/api/graphql"),
        ("", {}, "/graphql"),
        ("/api/v3", {"graphql_url": "{}/elsewhere"}, "/elsewhere"),
    ],
)
def test_where_graphql_is(base: str, more: dict[str, str], path: str) -> None:
    rollup = {"data": {"repository": {"object": None}}}
    with Scripted(Told(200, rollup)) as server:
        given = {name: text.format(server.url) for name, text in more.items()}
        adapter(f"{server.url}{base}", **given).rollup("0" * 40)
    asked = server.asked[0]
    assert (asked.method, asked.path) == ("POST", path)
    assert json.loads(asked.body)["variables"]["owner"] == "acme"


def test_one_connection_is_kept() -> None:
    with Scripted(*[Told(200, PULL)] * 3) as server:
        github = adapter(server.url)
        for _ in range(3):
            github.pull_request(1)
        github.close()
    assert len(server.asked) == 3
    assert len({asked.client for asked in server.asked}) == 1


def test_a_read_follows_on_the_same_host() -> None:
    with Scripted() as server:
        server.answers = [
            Told(301, {}, {"Location": f"{server.url}/repositories/7/pulls/1"}),
            Told(307, {}, {"Location": "/repositories/8/pulls/1"}),
            Told(200, PULL),
        ]
        assert adapter(server.url).pull_request(1).number == 1
    assert [asked.path for asked in server.asked][1:] == [
        "/repositories/7/pulls/1",
        "/repositories/8/pulls/1",
    ]


def test_a_read_follows_not_for_ever() -> None:
    with Scripted() as server:
        server.answers = [Told(301, {}, {"Location": f"{server.url}/x"})] * 9
        with pytest.raises(HostError, match="circle"):
            adapter(server.url).pull_request(1)
    assert len(server.asked) == 4


def test_no_redirect_leads_to_another_host() -> None:
    with Scripted(Told(200, PULL)) as other, Scripted() as server:
        server.answers = [Told(302, {}, {"Location": f"{other.url}/x"})]
        with pytest.raises(NightshiftError):
            adapter(server.url).pull_request(1)
    assert not other.asked


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_write_is_never_redirected(status: int) -> None:
    with Scripted() as server:
        server.answers = [Told(status, {}, {"Location": f"{server.url}/x"})]
        with pytest.raises(HostError, match="elsewhere"):
            adapter(server.url).open_pull_request(head="h", base="b", title="t", body="b")
    assert [asked.method for asked in server.asked] == ["POST"]


def test_the_pages_of_a_list_stay_at_our_address() -> None:
    with Scripted() as server:
        there = {
            "Link": '<http://127.0.0.1:1/evil?page=2&per_page=100>; rel="next", <x>; rel="last"'
        }
        server.answers = [Told(200, [{"name": "a"}], there), Told(200, [{"name": "b"}])]
        assert adapter(server.url).label_names() == {"a", "b"}
    assert server.asked[1].path == "/repos/acme/rocket/labels?page=2&per_page=100"


@pytest.mark.parametrize("link", ["garbage", "<x>", '<x>; rel="next'])
def test_a_link_that_is_none_is_the_hosts_fault(link: str) -> None:
    with Scripted(Told(200, [{"name": "a"}], {"Link": link})) as server:
        with pytest.raises(HostError, match="not readable"):
            adapter(server.url).label_names()


@pytest.mark.parametrize("location", ["http://[", "http://x:port/", "//", "\\\\evil", "@evil/"])
def test_a_redirect_to_no_address(location: str) -> None:
    for ask in (lambda github: github.pull_request(1), lambda github: github.job_log(1)):
        with Scripted(*[Told(302, {}, {"Location": location})] * 9) as server:
            with pytest.raises(NightshiftError):
                ask(adapter(server.url))


@pytest.mark.parametrize(
    "told",
    [
        Told(200, b"<html>a proxy's page</html>", {"Content-Type": "text/html"}),
        Told(200, b"{", {"Content-Type": "application/json"}),
        Told(200, b"\xff\xfe", {"Content-Type": "application/json"}),
        Told(200, b""),
        Told(200, {"number": 1}),
        Told(200, {**PULL, "head": None}),
        Told(204, b""),
    ],
)
def test_an_answer_of_another_form_is_the_hosts_fault(told: Told) -> None:
    asks: list[Callable[[GitHubAdapter], object]] = [
        lambda github: github.pull_request(1),
        lambda github: github.label_names(),
        lambda github: github.issue(1),
        lambda github: github.post_comment(1, "x"),
        lambda github: github.add_labels(1, ["x"]),
        lambda github: github.rollup("0" * 40),
    ]
    with Scripted(*[told] * 99) as server:
        github = adapter(server.url)
        for ask in asks:
            with pytest.raises(HostError, match="not readable|did not add"):
                ask(github)


def test_another_pull_request_than_was_asked_for() -> None:
    with Scripted(Told(201, PULL)) as server:
        with pytest.raises(HostError, match="another pull request"):
            adapter(server.url).open_pull_request(head="x", base="b", title="t", body="b")


def test_labels_that_github_left_out() -> None:
    with Scripted(Told(200, [{"name": "Bug"}])) as server:
        with pytest.raises(HostError, match="did not add: new"):
            adapter(server.url).add_labels(1, ["bug", "new"])


def test_nobody_listens() -> None:
    with Scripted() as server:
        url = server.url
    said: list[str] = []
    with pytest.raises(HostError, match="cannot be reached") as caught:
        adapter(url, say=said.append).pull_request(1)
    assert caught.value.transient
    assert len(said) == 4 and "Trying again in 8 s." in said[-1]


def test_errors_and_traces_do_not_show_the_token() -> None:
    with Scripted(*[Told(500, {"message": "m"})] * 9) as server:
        with pytest.raises(HostError) as caught:
            adapter(server.url).pull_request(1)
    assert TOKEN not in repr(caught.value) + str(caught.value) + repr(caught.value.__context__)


def log_of(*answers: Told, base: str = "") -> str:
    with Scripted(*answers) as server:
        return adapter(base or server.url).job_log(7)


def test_a_log_that_comes_without_a_redirect() -> None:
    assert log_of(Told(200, b"\xef\xbb\xbftext\r\n")) == "text\n"


def test_a_store_that_has_trouble_is_asked_again() -> None:
    with Scripted(Told(503, b""), Told(200, b"log")) as store, Scripted() as server:
        server.answers = [Told(302, {}, {"Location": f"{store.url}/log"})] * 2
        assert adapter(server.url).job_log(7) == "log"
    assert all("authorization" not in asked.headers for asked in store.asked)


def test_a_log_that_is_refused() -> None:
    with pytest.raises(HostError, match="actions: read"):
        log_of(Told(403, {"message": "Resource not accessible by integration"}))
    with pytest.raises(HostError, match="refused"):
        with Scripted(Told(403, b"<xml/>")) as store:
            log_of(Told(302, {}, {"Location": f"{store.url}/log"}))


def test_checks_that_are_left_out_are_no_rollup() -> None:
    page = {"pageInfo": {"hasNextPage": False, "endCursor": None}, "nodes": [None]}
    commit = {"__typename": "Commit", "oid": "0" * 40, "statusCheckRollup": {"contexts": page}}
    answer = Told(200, {"data": {"repository": {"object": commit}}})
    with Scripted(answer, answer) as server:
        github = adapter(server.url)
        with pytest.raises(HostError, match="leaves checks out"):
            github.rollup("0" * 40)
        with pytest.raises(HostError, match="another commit"):
            github.rollup("1" * 40)
