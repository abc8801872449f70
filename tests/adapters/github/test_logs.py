"""Job logs: decoded, without colours, and no larger than they may be."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightshift.adapters.github import logs
from nightshift.adapters.github.logs import HEAD_BYTES, TAIL_BYTES, read_log


@pytest.mark.parametrize(
    "data, text",
    [
        (b"", ""),
        (b"\xef\xbb\xbfa\r\nb\n", "a\nb\n"),
        (
            b"\x1b[36;1mblue\x1b[0m \x1b]8;;http://x\x07link\x1b]8;;\x1b\\ \x1b[?25lx\x1bM",
            "blue link x",
        ),
        (b"\xff\xfe caf\xc3\xa9", "�� café"),
        (b"unfinished \x1b[31", "unfinished \x1b[31"),
    ],
)
def test_text(data: bytes, text: str) -> None:
    assert read_log([data]) == text


@given(st.binary(max_size=200), st.lists(st.integers(0, 200)))
def test_the_pieces_do_not_matter(data: bytes, cuts: list[int]) -> None:
    places = sorted({0, *cuts, len(data)})
    pieces = [data[start:end] for start, end in zip(places, places[1:])]
    assert read_log(pieces) == read_log([data])


PADDING = "x" * 183


def numbered(count: int) -> Iterator[bytes]:
    for start in range(0, count, 1000):
        numbers = range(start, start + 1000)
        yield "".join(f"line {number:08} é{PADDING}\n" for number in numbers).encode()


def test_head_and_tail_of_fifty_megabytes() -> None:
    count = 270_000
    text = read_log(numbered(count))
    lines = text.split("\n")
    assert len(text.encode()) <= HEAD_BYTES + TAIL_BYTES + 200
    assert lines[0] == f"line 00000000 é{PADDING}"
    assert lines[-2] == f"line {count - 1:08} é{PADDING}"
    (notice,) = [line for line in lines if not line.startswith("line ")][:-1]
    left_out = count * 200 - HEAD_BYTES - TAIL_BYTES
    assert notice == f"[… {left_out} bytes of the log are left out here …]"
    assert all(len(line) == 198 for line in lines[:-1] if line != notice)


def test_a_log_that_just_fits_is_whole() -> None:
    data = b"x" * (HEAD_BYTES - 1) + "é".encode() + b"y" * (TAIL_BYTES - 1)
    assert read_log([data]) == data.decode()
    assert "left out" in read_log([data, b"z"])


def test_one_endless_line_is_cut_too() -> None:
    text = read_log([b"x" * (HEAD_BYTES + TAIL_BYTES + 5)])
    assert text.count("x") == HEAD_BYTES + TAIL_BYTES
    assert "5 bytes" in text


def test_no_more_is_read_than_is_useful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "READ_BYTES", 10)
    text = read_log(iter([b"0123456789", b"never seen", b"nor this"]))
    assert text == f"0123456789\n{logs.NOT_READ}\n"
