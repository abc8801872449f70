"""Blobs are asked for once, together; what is left out is fetched when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nightshift.sync.audits.prefetch import prefetched
from nightshift.values import Entry

DATA = {"1": b"one", "2": b"two", "3": b"binary"}


def test_one_batch_for_all_trees() -> None:
    asked: list[list[str]] = []

    def blobs(oids: Sequence[str]) -> Mapping[str, bytes]:
        asked.append(list(oids))
        return {oid: DATA[oid] for oid in oids}

    one = {"a.py": Entry("100644", "1"), "sub": Entry("160000", "9"), "x.bin": Entry("100644", "3")}
    other = {"b.py": Entry("100644", "1"), "c.yaml": Entry("100644", "2")}
    first, second = prefetched(blobs, [one, other])
    assert asked == [["1", "2"]]
    assert (first.read("a.py"), second.read("b.py"), second.read("c.yaml")) == (
        b"one",
        b"one",
        b"two",
    )
    assert first.read("sub") is None and first.read("none.py") is None
    assert first.read("x.bin") == b"binary" == first.read("x.bin")
    assert asked == [["1", "2"], ["3"]]
